internal import AppSiteAssociation
internal import Client
package import Diagnostics
internal import HTTP
internal import JSON

/// A diagnostic about a domain, an app or a list, with its effect on users and the evidence for it.
@dynamicMemberLookup
package struct Finding: Sendable {
  package private(set) var diagnostic: Diagnostic
  /// Whether the diagnostic comes from the validation rules for files.
  let isOfFile: Bool
  var effect: Kind.Effect
  /// Lines that show why the finding was made, such as lines of the request and of the answer.
  var evidence: [String] = []
  /// The source to cite for this finding; nil to cite the source of its kind.
  var ownSource: String?
  /// Whether `assetlinks.json` lists the app, but with none of the certificates that the user gave.
  var isOfOtherKey = false

  package subscript<Value>(dynamicMember path: KeyPath<Diagnostic, Value>) -> Value {
    diagnostic[keyPath: path]
  }

  /// - Parameters:
  ///   - exchange: The request and the answer to show as evidence.
  ///   - severity: The severity; nil to use the severity of the kind.
  ///   - effect: The effect; nil to use the effect of the kind.
  ///   - help: The help text; nil to use the help text of the kind.
  ///   - evidence: Additional lines of evidence, after the lines from `exchange`.
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

  /// Makes a finding from a diagnostic of the validation rules for files.
  init(_ diagnostic: Diagnostic, isOfUnreadable: Bool) {
    self.diagnostic = diagnostic
    isOfFile = true
    effect = .none
    // The message of a syntax error does not say that the file is not valid JSON, so add these
    // words.
    if isOfUnreadable && Kind.ofSyntaxErrors.contains(diagnostic.kind) {
      self.diagnostic.message = "the file is not valid JSON: " + diagnostic.message
    }
    if let place = diagnostic.location?.place {
      evidence = ["in line \(place.line), column \(place.column)"]
    }
  }

  /// The finding as lines of the text report.
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

  /// Returns this finding with additional lines of evidence.
  func showing(_ lines: [String]) -> Finding {
    var finding = self
    finding.evidence += lines
    return finding
  }

  func isOf(_ kinds: Kind...) -> Bool { kinds.contains(self.kind) }

  /// Returns this finding with the server's address in its message, because the finding applies
  /// only to this address. A finding about the file is returned unchanged.
  func at(_ address: String) -> Finding {
    if isOfFile { return self }
    var finding = self
    finding.diagnostic.message = "at the address \(address): \(self.message)"
    return finding
  }

  /// The fields of an answer that are shown as evidence. They identify the server or explain the
  /// answer.
  private static let shownFields: Set<String> = [
    "location", "content-type", "content-length", "content-encoding", "transfer-encoding", "server",
    "via", "age", "apple-failure-reason", "apple-failure-details", "apple-from", "apple-try-direct",
    "www-authenticate", "retry-after", "cf-mitigated", "x-amzn-waf-action",
  ]

  /// The source to cite, which shows why the finding matters; nil if the finding has no source.
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

  /// A source that several kinds of findings cite.
  static let trustedSource =
    "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
}
