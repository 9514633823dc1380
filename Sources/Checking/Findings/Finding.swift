internal import AppSiteAssociation
internal import Client
package import Diagnostics
internal import HTTP
internal import JSON

/// A fault of a domain, with its evidence.
package struct Finding {
  package let kind: Kind
  /// Whether the rules for files found it.
  let isOfFile: Bool
  package let severity: Diagnostic.Severity
  /// A code that `aasa explain` knows.
  package var code: String { kind.code }
  /// One lower-case sentence without a full stop.
  package let message: String
  var effect: Kind.Effect
  /// Lines as they were sent and received.
  var evidence: [String] = []
  package var help: String?

  /// - Parameters:
  ///   - severity: Nil for the kind's own.
  ///   - effect: Nil for the kind's own.
  init(
    _ kind: Kind, _ message: String, _ exchange: Exchange? = nil,
    severity: Diagnostic.Severity? = nil, effect: Kind.Effect? = nil, help: String? = nil
  ) {
    self.kind = kind
    isOfFile = false
    self.severity = severity ?? kind.severity
    self.effect = effect ?? kind.effect
    self.message = message
    self.help = help
    evidence = exchange.map(Self.lines) ?? []
  }

  /// A finding of the rules for files.
  init(_ diagnostic: Diagnostic, isOfUnreadable: Bool) {
    kind = diagnostic.kind
    isOfFile = true
    effect = .none
    severity = diagnostic.severity
    // Without the file's text, a syntax error alone does not say what is wrong as a whole.
    let isSyntax = isOfUnreadable && Kind.ofSyntaxErrors.contains(diagnostic.kind)
    message = (isSyntax ? "the file is not valid JSON: " : "") + diagnostic.message
    help = diagnostic.help
    if let place = diagnostic.location?.place {
      evidence = ["in line \(place.line), column \(place.column)"]
    }
  }

  func isOf(_ kinds: Kind...) -> Bool { kinds.contains(kind) }

  /// The fields of an answer that identify the server and its reasons.
  private static let shownFields: Set<String> = [
    "location", "content-type", "content-length", "content-encoding", "transfer-encoding", "server",
    "via", "age", "apple-failure-reason", "apple-failure-details", "apple-from", "apple-try-direct",
    "www-authenticate", "retry-after", "cf-mitigated",
  ]

  /// The source for the importance of the finding; nil if there is none to cite.
  var source: String? { isOfFile ? nil : kind.source }

  private static func lines(_ exchange: Exchange) -> [String] {
    guard let head = exchange.head else { return [] }
    let request = exchange.sent.split(separator: "\r\n").prefix(2).map { "> \($0)" }
    let fields = head.fields.filter { shownFields.contains($0.name) }.prefix(12)
    return request + ["< \(head.statusLine)"]
      + fields.map { "< \($0.name): \(visibleText($0.value, limit: 200))" }
  }
}
