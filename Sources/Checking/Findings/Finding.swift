internal import AppSiteAssociation
internal import Client
package import Diagnostics
internal import HTTP
internal import JSON

/// A diagnostic about a domain, with its effect and its evidence.
@dynamicMemberLookup
package struct Finding: Sendable {
  package private(set) var diagnostic: Diagnostic
  /// Whether the finding comes from the rules for files.
  let isOfFile: Bool
  var effect: Kind.Effect
  /// Lines of the request and the answer, as sent and received.
  var evidence: [String] = []
  /// The source, if it differs from the source of the kind.
  var ownSource: String?
  /// Whether `assetlinks.json` has the app with certificates other than the given certificates.
  var isOfOtherKey = false

  package subscript<Value>(dynamicMember path: KeyPath<Diagnostic, Value>) -> Value {
    diagnostic[keyPath: path]
  }

  /// - Parameters:
  ///   - severity: The severity; nil for the kind's own.
  ///   - effect: The effect; nil for the kind's own.
  ///   - help: The help; nil for the kind's own.
  ///   - evidence: Evidence in addition to the exchange.
  init(
    _ kind: Kind, _ message: String, _ exchange: Exchange? = nil,
    severity: Diagnostic.Severity? = nil, effect: Kind.Effect? = nil, help: String? = nil,
    evidence: [String] = []
  ) {
    diagnostic = Diagnostic(kind, severity: severity, message, help: help)
    isOfFile = false
    self.effect = effect ?? kind.effect
    self.evidence = (exchange.map(Self.lines) ?? []) + evidence
  }

  /// Creates a finding from the rules for files.
  init(_ diagnostic: Diagnostic, isOfUnreadable: Bool) {
    self.diagnostic = diagnostic
    isOfFile = true
    effect = .none
    // The message of a syntax error does not say that the file is not valid JSON, so add that.
    if isOfUnreadable && Kind.ofSyntaxErrors.contains(diagnostic.kind) {
      self.diagnostic.message = "the file is not valid JSON: " + diagnostic.message
    }
    if let place = diagnostic.location?.place {
      evidence = ["in line \(place.line), column \(place.column)"]
    }
  }

  /// The lines of the report for people.
  var lines: [String] {
    ["\(self.severity.rawValue): \(coded)"] + details
  }

  /// The message with the code.
  var coded: String { "\(self.message) [\(self.code)]" }

  /// The evidence, the help and the source, as lines of the report for people.
  var details: [String] {
    evidence.map { "  \($0)" }
      + [self.help.map { "  help: \($0)" }, source.map { "  source: \($0)" }].compactMap(\.self)
  }

  /// The same finding with more evidence.
  func showing(_ lines: [String]) -> Finding {
    var finding = self
    finding.evidence += lines
    return finding
  }

  func isOf(_ kinds: Kind...) -> Bool { kinds.contains(self.kind) }

  /// The same finding, with the address to which it applies.
  func at(_ address: String) -> Finding {
    if isOfFile { return self }
    var finding = self
    finding.diagnostic.message = "at the address \(address): \(self.message)"
    return finding
  }

  /// The fields that identify the server or explain its answer.
  private static let shownFields: Set<String> = [
    "location", "content-type", "content-length", "content-encoding", "transfer-encoding", "server",
    "via", "age", "apple-failure-reason", "apple-failure-details", "apple-from", "apple-try-direct",
    "www-authenticate", "retry-after", "cf-mitigated", "x-amzn-waf-action",
  ]

  /// The source that shows why the finding matters; nil if there is none to cite.
  var source: String? { isOfFile ? nil : ownSource ?? self.kind.source }

  private static func lines(_ exchange: Exchange) -> [String] {
    guard let head = exchange.head else { return [] }
    let request = exchange.sent.split(separator: "\r\n").prefix(2).map { "> \($0)" }
    let fields = head.fields.filter { shownFields.contains($0.name) }.prefix(12)
    return request + ["< \(head.statusLine)"]
      + fields.map { "< \($0.name): \(visibleText($0.value, limit: 200))" }
  }
}

extension Kind {
  package static let ofCheck =
    addressKinds + certificateKinds + answerKinds + identityKinds + surroundingKinds + cdnKinds
    + expectationKinds + entitlementKinds + manifestKinds
    + androidAppKinds + deviceKinds

  /// A source that several kinds cite.
  static let trustedSource =
    "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
}
