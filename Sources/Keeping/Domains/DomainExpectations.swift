internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// Checks the expectations for association files and `assetlinks.json`.
extension DomainReader {
  /// Returns the expectations in one file of expectations. If the file is a link to a file outside
  /// the domains folder, the result has the path of the link's target. The link itself may no
  /// longer exist when the expectations are used.
  func cases(_ observation: FileObservation) -> FileFinding<SourceText> {
    func unreadable(_ path: String, _ error: SystemError) -> FileFinding<SourceText> {
      .unreadable(
        unreadableDiagnostic("the file of expectations", .expectationsUnreadable, path, error))
    }
    switch observation {
    case .present(let path, let content):
      let file = ForeignFile(path, content, in: observer.root)
      guard let end = file.end else { return unreadable(path, .stale("realpath", path)) }
      return .usable(SourceText(path: file.isInside ? path : end, bytes: content.bytes))
    case .unreadable(let path, let error): return unreadable(path, error)
    case .absent: return .absent
    }
  }

  /// A file of expectations, with the path where it was found. If the path is a link to a file
  /// outside the domains folder, the text in `cases` has the path of the link's target.
  private struct PlacedCases {
    let path: String
    let cases: CaseFile

    init(_ path: String, _ text: SourceText) {
      self.path = path
      cases = CaseFile(text)
    }

    /// Removes quotations from the faults if the file is outside the domains folder.
    func withoutQuotes(_ faults: [Diagnostic]) -> [Diagnostic] {
      let end = cases.source.path
      return end == path ? faults : faults.map { $0.withoutQuotes(at: path, leadingTo: end) }
    }
  }

  /// Returns faults for the expectations that a file does not meet, and for those that cannot be
  /// checked. Ignores the hosts of the URLs, because an entry may be served for aliases too.
  func brokenExpectations(
    _ read: ReadFile, _ task: Task, _ reading: inout DomainReading
  ) -> [Diagnostic] {
    var budget = task.isAlone ? CaseLimits.hosted : turn.expectations
    defer { if budget.isSpent && !task.isAlone { reading.isExpensive = true } }
    switch read {
    case .association(let file):
      var (cases, broken) = expectations(task, reading)
      broken += cases.flatMap { $0.withoutQuotes($0.cases.diagnostics) }
      guard !cases.isEmpty, let document = file.document else { return broken }
      do throws(PatternsTooLarge) {
        let links = try AppleLinks(document)
        return broken + faults(of: cases, against: links, &budget)
      } catch {
        return broken + [patternsTooLargeForCases(file.text)]
      }
    case .assetLinks(let file):
      // Ignore faults of the expectations themselves, because they are reported together with the
      // association file.
      guard let links = AndroidLinks(file) else { return [] }
      return faults(of: expectations(task, reading).cases, against: links, &budget)
    case .judged, .securityText, .other: return []
    }
  }

  private func faults(
    of cases: [PlacedCases], against links: some LinkFile, _ budget: inout Budget
  ) -> [Diagnostic] {
    cases.flatMap { $0.withoutQuotes(caseDiagnostics($0.cases, against: links, &budget)) }
  }

  /// Returns the current expectations, and the faults of expectations that cannot be read.
  private func expectations(
    _ task: Task, _ reading: DomainReading
  ) -> (cases: [PlacedCases], faults: [Diagnostic]) {
    var remembered = task.rememberedCases
    var broken: [Diagnostic] = []
    var cases: [PlacedCases] = []
    for (path, finding) in reading.cases {
      let last = remembered.removeValue(forKey: path)
      switch finding {
      case .usable(let text): cases.append(PlacedCases(path, text))
      case .unreadable(let fault):
        broken.append(fault)
        if let last { cases.append(PlacedCases(path, last)) }
      default: break
      }
    }
    // Add the expectations that still apply although their files went missing recently.
    cases += remembered.sorted { $0.key < $1.key }.map { PlacedCases($0.key, $0.value) }
    return (cases, broken)
  }
}
