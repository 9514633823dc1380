internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import JSON
internal import Posix
internal import Rules

/// Runs files of expectations and formats the results.
struct ExpectationTesting {
  private var files: AssociationFiles
  private(set) var text = ""
  private var objects: [JSONTree] = []
  private var passed = 0
  private var failed = 0
  private var isUnreadable = false

  /// Codes that are ignored.
  private let ignored: Set<String>

  init(_ files: AssociationFiles, ignoring ignored: Set<String> = []) {
    self.files = files
    self.ignored = ignored
  }

  /// The exit code; 2 also means that nothing was checked.
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
      printError("error: \(source.path): no expectations")
    }
    let owner = domainOfCases(path)
    let lines = LineIndex(source.bytes)
    let (before, failures) = (passed, failed)
    for expectation in LinkPlatform.allCases.flatMap(file.expectations) {
      let line = lines.line(of: expectation.urlRange.lowerBound) + 1
      note(files.failure(of: expectation, owner: owner), expectation, source.path, line)
    }
    let count = file.count
    if count > 0 {
      let unmet = failed - failures
      let rest = unmet > 0 ? ", \(unmet) \(unmet == 1 ? "is" : "are") not" : ""
      text += escapingInvisible(source.path)
      text += ": \(passed - before) of \(count) expectations are met\(rest)\n"
    }
  }

  private mutating func note(
    _ verdict: AssociationFiles.Verdict, _ expectation: Expectation, _ path: String, _ line: Int
  ) {
    switch verdict {
    case .met: passed += 1
    case .failed(let message, let reasons): fail(expectation, path, line, message, reasons)
    }
  }

  private mutating func fail(
    _ expectation: Expectation, _ path: String, _ line: Int, _ message: String, _ reasons: [String]
  ) {
    failed += 1
    text += escapingInvisible("\(path):\(line): \(message)") + "\n"
    for reason in reasons { text += "  \(escapingInvisible(reason))\n" }
    objects.append([
      "file": path.json, "line": line.json, "url": expectation.url.json,
      "expected": expectation.outcome.rawValue.json, "app": expectation.app?.json,
      "message": message.json, "reasons": reasons.json,
    ])
  }

  var json: JSONTree {
    ["passed": passed.json, "failed": failed.json, "failures": .array(objects)]
  }
}
