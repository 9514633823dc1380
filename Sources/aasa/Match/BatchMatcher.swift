internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Rules

/// Answers each line of a JSON Lines input with one line, even if the input line is malformed.
///
/// Input: `{"id": …, "aasa": {…}, "domain": "…", "appId": "…", "url": "…"}`, keys in any order.
/// Output: `{"id": …, "decision": "match"|"exclude"|"no_match"}`, plus `"error"` if the line was
/// invalid.
struct BatchMatcher {
  /// The maximum length of a line in bytes, without the line end.
  static let lineLimit = 1_048_576

  /// The answer without the line end, and the fault of the line. The fault is nil if the line was
  /// valid.
  struct Answer {
    let line: String
    let error: String?
  }

  /// The association file of the previous line. It is stored, because test suites often use the
  /// same file for many consecutive lines.
  private var cachedBytes: [UInt8] = []
  private var cachedMatcher: Matcher?

  mutating func answer(_ line: [UInt8]) -> Answer {
    let source = SourceText(path: "line", bytes: line)
    let document: Document
    do throws(SyntaxError) {
      document = try Document(parsing: source, limits: JSONLimits(bytes: Self.lineLimit))
    } catch {
      let diagnostic = error.diagnostic(in: source)
      let column = diagnostic.location?.place?.column ?? 1
      return failure(.null, "column \(column): \(diagnostic.message)")
    }
    let root = document.root
    guard root.kind == .object else { return failure(.null, "the line is not a JSON object") }
    let id = root.member("id").map { JSONTree.token(Array(line[$0.range])) } ?? .null
    do throws(LineFault) {
      return Answer(line: answer(id, try decide(root, line)), error: nil)
    } catch {
      return failure(id, error.message)
    }
  }

  /// The answer to a line that is too long.
  static var answerToLongLine: Answer {
    BatchMatcher().failure(.null, "the line is longer than \(lineLimit) bytes")
  }

  private struct LineFault: Error {
    let message: String
  }

  private mutating func decide(
    _ root: Value, _ line: [UInt8]
  ) throws(LineFault) -> String {
    guard let file = root.member("aasa") else {
      throw LineFault(message: "the key \"aasa\" is missing")
    }
    guard file.kind == .object else { throw LineFault(message: "\"aasa\" is not an object") }
    let name = try string("domain", root)
    guard let domain = Domain(name) else {
      throw LineFault(message: "\"domain\" is not a host name")
    }
    let app = try string("appId", root)
    let url = Array(try string("url", root).utf8)
    let matcher = try matcher(for: file, line)
    switch matcher.decide(url.span, app: app, domain: domain) {
    case .match: return "match"
    case .exclude: return "exclude"
    // A URL with a different scheme does not match, but the line is valid.
    case .noMatch(.fault(.otherScheme)): return "no_match"
    case .noMatch(.fault(let fault)): throw LineFault(message: fault.message)
    case .noMatch: return "no_match"
    }
  }

  private func string(_ key: String, _ root: Value) throws(LineFault) -> String {
    guard let value = root.member(key) else {
      throw LineFault(message: "the key \"\(key)\" is missing")
    }
    guard let text = value.string else { throw LineFault(message: "\"\(key)\" is not a string") }
    return text
  }

  private mutating func matcher(for file: Value, _ line: [UInt8]) throws(LineFault) -> Matcher {
    let bytes = line[file.range]
    if let cachedMatcher, cachedBytes.elementsEqual(bytes) { return cachedMatcher }
    do throws(PatternsTooLarge) {
      let matcher = try Matcher(Association(file))
      cachedBytes = Array(bytes)
      cachedMatcher = matcher
      return matcher
    } catch {
      throw LineFault(message: tooLargePatterns)
    }
  }

  private func answer(_ id: JSONTree, _ decision: String, error: String? = nil) -> String {
    let answer: JSONTree = ["id": id, "decision": decision.json, "error": error?.json]
    return answer.description
  }

  private func failure(_ id: JSONTree, _ message: String) -> Answer {
    Answer(line: answer(id, "no_match", error: message), error: message)
  }
}
