internal import Diagnostics
internal import Rules

/// Runs files of expectations and formats the results.
struct ExpectationTesting {
  private var associations: AssociationFiles
  /// The reports on the files of expectations. Each report lists the expectations that are not met.
  private var files: [SubjectReport] = []
  private var text = ""
  private var objects: [JSONTree] = []
  private var passed = 0
  private var failed = 0
  private var isUnreadable = false

  private let ignored: Set<String>

  init(_ files: AssociationFiles, ignoring ignored: Set<String> = []) {
    associations = files
    self.ignored = ignored
  }

  /// The exit code: 2 if a file of expectations is unreadable or faulty, or if no expectation was
  /// checked; 1 if an expectation is not met; otherwise 0.
  var exitCode: Int32 { isUnreadable || passed + failed == 0 ? 2 : failed > 0 ? 1 : 0 }

  mutating func run(_ path: String) {
    guard let source = readOrReport(path, try readInput(path, limit: CaseLimits.fileBytes)) else {
      isUnreadable = true
      return
    }
    let file = CaseFile(source)
    for diagnostic in file.diagnostics where !ignored.contains(diagnostic.code) {
      isUnreadable = true
      printError(diagnostic.line)
    }
    if file.count == 0 && file.diagnostics.isEmpty {
      printError("error: \(source.path) contains no expectations")
    }
    files.append(
      SubjectReport(path: source.path, source: source, diagnostics: file.diagnostics))
    let owner = domainOfCases(path)
    let lines = LineIndex(source.bytes)
    let (before, failures) = (passed, failed)
    for expectation in LinkPlatform.allCases.flatMap(file.expectations) {
      let place = lines.place(of: expectation.urlRange, in: source)
      switch associations.failure(of: expectation, owner: owner) {
      case .met: passed += 1
      case .failed(let message, let reasons):
        fail(expectation, .init(path: source.path, place: place), message, reasons)
      }
    }
    let count = file.count
    if count > 0 {
      let unmet = failed - failures
      let rest = unmet > 0 ? ", \(unmet) \(unmet == 1 ? "is" : "are") not" : ""
      text += escapingInvisible(source.path)
      text += ": \(passed - before) of \(count) expectations are met\(rest)\n"
    }
  }

  private mutating func fail(
    _ expectation: Expectation, _ location: Diagnostic.Location, _ message: String,
    _ reasons: [String]
  ) {
    failed += 1
    let (path, line) = (location.path, location.place?.line ?? 0)
    files[files.count - 1].diagnostics.append(
      Diagnostic(
        .expectationNotMet, message, at: location,
        note: reasons.isEmpty ? nil : reasons.joined(separator: "; ")))
    text += escapingInvisible("\(path):\(line): \(message)") + "\n"
    for reason in reasons { text += "  \(escapingInvisible(reason))\n" }
    objects.append([
      "file": path.json, "line": line.json, "url": expectation.url.json,
      "expected": expectation.outcome.rawValue.json, "app": expectation.app?.json,
      "message": message.json, "reasons": reasons.json,
    ])
  }

  func rendered(as format: OutputFormat) -> String {
    let json: JSONTree = [
      "passed": passed.json, "failed": failed.json, "failures": .array(objects),
    ]
    return files.rendered(
      as: format, of: "test", failing: .note, text: text, json: "\(json)\n")
  }
}
