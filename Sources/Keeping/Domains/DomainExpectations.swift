internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// The expectations beside an association file.
extension DomainReader {
  /// Returns the expectations at one place. Those that a link leads to from the domains folder have
  /// the path to which it leads, because they may be remembered after the link is gone.
  func cases(_ observation: FileObservation) -> FileFinding<SourceText> {
    func unreadable(_ path: String, _ error: SystemError) -> FileFinding<SourceText> {
      .unreadable(
        unreadableDiagnostic("the file of expectations", .expectationsUnreadable, path, error))
    }
    switch observation {
    case .present(let path, let content):
      do throws(SystemError) {
        let end = try resolvedPath(path)
        let isInside = try end.hasPrefix(resolvedPath(observer.root) + "/")
        return .usable(SourceText(path: isInside ? path : end, bytes: content.bytes))
      } catch {
        return unreadable(path, error)
      }
    case .unreadable(let path, let error): return unreadable(path, error)
    case .absent: return .absent
    }
  }

  /// Omits what faults quote of expectations from outside the domains folder.
  private func withoutQuotes(_ faults: [Diagnostic], of cases: CaseFile) -> [Diagnostic] {
    let path = cases.source.path
    return path.hasPrefix(observer.root + "/") ? faults : describing(faults, of: path)
  }

  /// Returns the expectations that a file does not meet, or the reason why that is unknown. The
  /// hosts of the URLs do not matter, because an entry may be served for aliases too.
  func brokenExpectations(
    _ read: ReadFile, _ task: Task, _ reading: DomainReading
  ) -> [Diagnostic] {
    switch read {
    case .association(let file):
      var (sources, broken) = expectations(task, reading)
      let cases = sources.map(CaseFile.init)
      broken += cases.flatMap { withoutQuotes($0.diagnostics, of: $0) }
      guard !cases.isEmpty, let document = file.document else { return broken }
      do throws(PatternsTooLarge) {
        let links = try AppleLinks(document)
        return broken + faults(of: cases, against: links)
      } catch {
        return broken + [patternsTooLargeForCases(file.text)]
      }
    case .assetLinks(let file):
      // If expectations cannot be read, that is a fault of the association file.
      guard let links = AndroidLinks(file) else { return [] }
      return faults(of: expectations(task, reading).sources.map(CaseFile.init), against: links)
    case .judged, .securityText, .other: return []
    }
  }

  private func faults(of cases: [CaseFile], against links: some LinkFile) -> [Diagnostic] {
    cases.flatMap { withoutQuotes(caseDiagnostics($0, against: links), of: $0) }
  }

  /// Returns the expectations that hold, and the faults of expectations that cannot be read.
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
    // Expectations whose files have been missing only for a short time.
    sources += remembered.values.sorted { $0.path < $1.path }
    return (sources, broken)
  }
}
