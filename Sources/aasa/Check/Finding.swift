internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP

/// Something that is wrong with a domain, with what shows it.
struct Finding {
  let severity: Diagnostic.Severity
  /// A code that `aasa explain` knows.
  let code: String
  /// One lower-case sentence without a full stop.
  let message: String
  /// Lines as they were sent and received.
  var evidence: [String] = []
  var help: String?

  init(
    _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ exchange: Exchange? = nil,
    help: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.help = help
    evidence = exchange.map(Self.lines) ?? []
  }

  /// A finding of the rules for files.
  init(_ diagnostic: Diagnostic) {
    severity = diagnostic.severity
    code = diagnostic.code
    message = diagnostic.message
    help = diagnostic.help
    if let place = diagnostic.location?.place {
      evidence = ["in line \(place.line), column \(place.column)"]
    }
  }

  /// The fields of an answer that tell whose answer it is, and why.
  private static let shownFields: Set<String> = [
    "location", "content-type", "content-length", "content-encoding", "transfer-encoding", "server",
    "via", "age", "apple-failure-reason", "apple-failure-details", "apple-from", "apple-try-direct",
    "www-authenticate", "retry-after", "cf-mitigated",
  ]

  /// How it is known that this matters; nil where nothing is to be cited.
  var source: String? { code.first == "F" ? Pages.page(of: code)?.source : nil }

  private static func lines(_ exchange: Exchange) -> [String] {
    guard let head = exchange.head else { return [] }
    let request = exchange.sent.split(separator: "\r\n").prefix(2).map { "> \($0)" }
    let fields = head.fields.filter { shownFields.contains($0.name) }.prefix(12)
    return request + ["< \(head.statusLine)"]
      + fields.map { "< \($0.name): \(visibleText($0.value, limit: 200))" }
  }
}
