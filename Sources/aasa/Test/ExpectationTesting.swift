internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Posix

/// Runs files of expectations and words the results.
struct ExpectationTesting {
  private var files: AssociationFiles
  private(set) var text = ""
  private var objects: [String] = []
  private var passed = 0
  private var failed = 0
  private var isUnreadable = false

  init(_ files: AssociationFiles) { self.files = files }

  var exitCode: Int32 { isUnreadable ? 2 : failed > 0 ? 1 : 0 }

  mutating func run(_ path: String) {
    guard let source = read(path) else {
      isUnreadable = true
      return
    }
    let file = CaseFile(source)
    for diagnostic in file.diagnostics {
      isUnreadable = true
      printError(diagnostic.line)
    }
    if file.expectations.isEmpty && file.diagnostics.isEmpty {
      text += escapingControls("\(source.path): no expectations") + "\n"
    }
    let (before, failures) = (passed, failed)
    for expectation in file.expectations { check(expectation, of: source) }
    let count = file.expectations.count
    if count > 0 {
      let rest = failed > failures ? ", \(failed - failures) are not" : ""
      text += escapingControls(source.path)
      text += ": \(passed - before) of \(count) expectations are met\(rest)\n"
    }
  }

  private mutating func check(_ expectation: Expectation, of source: SourceText) {
    switch files.failure(of: expectation) {
    case .met: passed += 1
    case .failed(let message, let reasons): fail(expectation, source, message, reasons)
    }
  }

  private mutating func fail(
    _ expectation: Expectation, _ source: SourceText, _ message: String, _ reasons: [String]
  ) {
    failed += 1
    let place = source.place(of: expectation.urlRange)
    text += escapingControls("\(source.path):\(place.line): \(message)") + "\n"
    for reason in reasons { text += "  \(escapingControls(reason))\n" }
    objects.append(
      jsonObject([
        ("file", jsonString(source.path)), ("line", String(place.line)),
        ("url", jsonString(expectation.url)),
        ("expected", jsonString(expectation.outcome.rawValue)),
        ("app", expectation.app.map(jsonString)), ("message", jsonString(message)),
        ("reasons", jsonArray(reasons.map(jsonString))),
      ]))
  }

  var json: String {
    jsonObject([
      ("passed", String(passed)), ("failed", String(failed)), ("failures", jsonArray(objects)),
    ])
  }

  private func read(_ path: String) -> SourceText? {
    do throws(SystemError) {
      if path != "-" {
        let content = try readNamedInput(path, limit: CaseLimits.fileBytes)
        return SourceText(path: path, bytes: content.bytes)
      }
      var bytes: [UInt8] = []
      while bytes.count <= CaseLimits.fileBytes, try readStandardInput(appendingTo: &bytes) {}
      return SourceText(path: "standard input", bytes: bytes)
    } catch {
      printError(escapingControls("error: \(error)"))
      return nil
    }
  }
}
