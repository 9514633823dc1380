package import Diagnostics
internal import JSON

/// Decides which findings count as failures. A file `.aasa.json` beside association files can set
/// this policy:
///
///     { "failOn": "warning", "ignore": ["A081"] }
package struct VerdictPolicy: Sendable, Equatable {
  /// The codes of rules to ignore.
  package var ignored: Set<String> = []
  /// The minimum severity that counts as a failure; nil if the policy does not set a severity.
  package var failing: Diagnostic.Severity?
  /// Whether an outdated or different copy in Apple's CDN counts as a failure.
  package var failsOnCDN = false

  package init() {}

  package static let fileName = ".aasa.json"
  /// The maximum size of a policy file in bytes.
  package static let fileBytes = 65_536

  /// Reads a policy file.
  ///
  /// - Parameters:
  ///   - kinds: All kinds of diagnostics about association files.
  ///   - rules: The kinds of faults that rules find in readable association files.
  /// - Returns: The policy, and the fault of the policy file. If the file has a fault, the whole
  ///   file is ignored and the usual policy is returned.
  package static func reading(
    _ source: SourceText, known kinds: [Kind], rules: [Kind]
  ) -> (policy: VerdictPolicy, fault: Diagnostic?) {
    let source = source.withoutByteOrderMark ?? source
    let root: Value
    do throws(SyntaxError) {
      root = try Document(parsing: source).root
    } catch {
      return (VerdictPolicy(), fault(source, error.range, "this is not JSON"))
    }
    var policy = VerdictPolicy()
    guard root.kind == .object else {
      return (policy, fault(source, root.head, "this is not a JSON object"))
    }
    for member in root.members where !isRemark(member.key) {
      if let found = policy.take(member, source, kinds, rules) { return (VerdictPolicy(), found) }
    }
    return (policy, nil)
  }

  private mutating func take(
    _ member: Member, _ source: SourceText, _ kinds: [Kind], _ rules: [Kind]
  ) -> Diagnostic? {
    let value = member.value
    switch member.key {
    case "failOn":
      guard let text = value.string, take(threshold: text) else {
        return Self.fault(source, value.range, "`failOn` is not error, warning, note or cdn")
      }
    case "ignore":
      guard value.kind == .array else {
        return Self.fault(source, value.range, "`ignore` is not an array of codes")
      }
      for element in value.elements {
        if let reason = Self.reasonNotToIgnore(
          element.string ?? "", known: kinds, rules: rules)
        {
          return Self.fault(source, element.range, reason)
        }
        ignored.insert(element.string ?? "")
      }
    default:
      let near = nearest(to: member.key, among: ["failOn", "ignore"])
      return Self.fault(
        source, member.keyRange, "`\(member.key)` is not a setting of .aasa.json",
        near.map { "did you mean `\($0)`?" })
    }
    return nil
  }

  /// Sets the threshold from which findings count as failures: `error`, `warning`, `note` or `cdn`.
  /// Returns false for any other text.
  package mutating func take(threshold: String) -> Bool {
    if threshold == "cdn" {
      failsOnCDN = true
      return true
    }
    guard let severity = Diagnostic.Severity(rawValue: threshold) else { return false }
    failing = severity
    return true
  }

  /// Returns the reason why a code cannot be ignored: the text is not a code, the code does not
  /// exist, or the code means that a file cannot be read. Nil if the code can be ignored.
  ///
  /// If the letter of a code is the letter of any kind in `kinds`, the code must be the code of a
  /// kind in `kinds`. Codes with other letters are not checked. An error can be ignored only if its
  /// kind is in `rules`.
  package static func reasonNotToIgnore(
    _ code: String, known kinds: [Kind], rules: [Kind]
  ) -> String? {
    let letter = code.utf8.first ?? 0
    guard code.utf8.count == 4, letter &- 0x41 < 26,
      code.utf8.dropFirst().allSatisfy({ $0 &- 0x30 < 10 })
    else { return "`\(code)` is not a code such as A081" }
    guard let kind = kinds.first(where: { $0.code == code }) else {
      return kinds.contains { $0.code.utf8.first == letter } ? "there is no code \(code)" : nil
    }
    if rules.contains(kind) || kind.severity < .error { return nil }
    return "\(code) cannot be ignored: a file with this fault cannot be read"
  }

  private static func fault(
    _ source: SourceText, _ range: Range<Int>, _ message: String, _ help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.verdictPolicyFaulty, message, at: source.location(of: range), help: help)
  }
}

/// The fault of a policy file.
extension Kind {
  package static let verdictPolicyFaulty = Kind(
    "V003", "verdict-policy-faulty",
    "a file .aasa.json has an error, so aasa ignores the whole file",
    "the file decides which findings fail and which are ignored, so using a part of a "
      + "faulty file would cause wrong results", nil,
    fix: #"write for example {"failOn": "warning", "ignore": ["A081"]}"#,
    wrong: #"{ "failOn": "warnings" }"#, right: #"{ "failOn": "warning", "ignore": ["A081"] }"#)
}
