internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// The expectations beside an association file.
extension DomainReader {
  /// The expectations at one place.
  func cases(_ observation: FileObservation) -> Finding<SourceText> {
    switch observation {
    case .present(let path, let content):
      .usable(SourceText(path: path, bytes: content.bytes))
    case .unreadable(let path, let error):
      .unreadable(
        unreadableDiagnostic("the file of expectations", .expectationsUnreadable, path, error))
    case .absent: .absent
    }
  }

  /// The first expectation that a file does not meet, or the reason why that is unknown. Further
  /// expectations are in the reading. Hosts of URLs do not matter, because an entry may be served
  /// for aliases too.
  func brokenExpectation(
    _ read: AssociationFile, _ task: Task, _ reading: inout DomainReading
  ) -> Diagnostic? {
    var (sources, broken) = expectations(task, reading)
    let files = sources.map(CaseFile.init)
    broken += files.flatMap(\.diagnostics)
    if !files.isEmpty, let document = read.document {
      do throws(PatternsTooLarge) {
        let links = try AppleLinks(document)
        broken += files.flatMap { caseDiagnostics($0, against: links) }
      } catch {
        broken.append(patternsTooLargeForCases(read.text))
      }
    }
    reading.warnings += broken.dropFirst()
    return broken.first
  }

  /// The first expectation that an `assetlinks.json` does not meet. Expectations that cannot be
  /// read are faults of the association file.
  func brokenExpectation(
    assetLinks file: AssetLinksFile, _ task: Task, _ reading: inout DomainReading
  ) -> Diagnostic? {
    guard let links = AndroidLinks(file) else { return nil }
    let broken = expectations(task, reading).sources.flatMap {
      caseDiagnostics(CaseFile($0), against: links)
    }
    reading.warnings += broken.dropFirst()
    return broken.first
  }

  /// The expectations that hold, and the faults of expectations that cannot be read.
  private func expectations(
    _ task: Task, _ reading: DomainReading
  ) -> (sources: [SourceText], faults: [Diagnostic]) {
    var remembered = task.rememberedCases
    var broken: [Diagnostic] = []
    var sources: [SourceText] = []
    for (path, finding) in reading.cases {
      let last = remembered.removeValue(forKey: path)
      switch finding {
      case .usable(let cases): sources.append(cases)
      case .unreadable(let fault):
        broken.append(fault)
        if let last { sources.append(last) }
      default: break
      }
    }
    // Expectations whose files have been missing for a short time only.
    sources += remembered.values.sorted { $0.path < $1.path }
    return (sources, broken)
  }
}
