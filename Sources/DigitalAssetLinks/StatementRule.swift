package import Diagnostics
internal import JSON
package import Rules

package typealias StatementRule = FileRule<StatementList>
typealias WellKnownRule = FileRule<Value>

extension FileRule {
  /// Makes a rule whose examples are whole files. Most rules use the same list as their example of
  /// a correct file.
  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String = Example.right,
    check: @escaping @Sendable (Content, inout Findings) -> Void
  ) {
    self.init(
      Kind(code, name, what, consequence, source, severity: severity, wrong: wrong, right: right),
      check: check)
  }

  /// Makes a rule that checks each part of a file separately. `parts` returns these parts.
  init<Part>(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, each parts: @escaping @Sendable (Content) -> [Part],
    wrong: String, right: String = Example.right,
    check: @escaping @Sendable (Part, Content, inout Findings) -> Void
  ) {
    self.init(
      Kind(code, name, what, consequence, source, severity: severity, wrong: wrong, right: right),
      each: parts, check: check)
  }
}

/// All validation rules for statement lists.
package let statementRules: [StatementRule] =
  listRules + targetRules + fingerprintRules + dynamicRules + dynamicOrderRules

extension Kind {
  /// The kinds of diagnostics about the targets of statements: about apps, their fingerprints, and
  /// sites.
  package static let ofTargets = Set((targetRules + fingerprintRules).map(\.kind))
}

/// The texts with which diagnostics say where a rule comes from.
enum Evidence {
  static let google = "Google's documentation says so"
  static let specification = "the Asset Links Specification says so"
  static let android = "Android's source code shows this"
  static let unknown = "Google does not document this"
}

/// Parts of the example files of rules. These parts are written only once, so that each example in
/// the code shows only what matters.
enum Example {
  static let fingerprint =
    "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
  static let relation = #""relation": ["delegate_permission/common.handle_all_urls"]"#
  static let packageName = #""package_name": "org.swift.shop""#
  static let fingerprints = #""sha256_cert_fingerprints": ["\#(fingerprint)"]"#

  /// Returns a list with one statement, which consists of these members.
  static func list(_ members: String...) -> String {
    "[\n  {\n" + members.map { "    " + $0 }.joined(separator: ",\n") + "\n  }\n]"
  }

  /// Returns the member `target`, whose object consists of these members.
  static func target(_ members: String...) -> String { target(members: members) }

  private static func target(members: [String]) -> String {
    "\"target\": {\n" + members.map { "      " + $0 }.joined(separator: ",\n") + "\n    }"
  }

  static let app = target(#""namespace": "android_app""#, packageName, fingerprints)
  static let right = list(relation, app)

  /// Returns a list with one statement, whose target is an Android app with these members.
  static func listOfApp(_ members: String...) -> String {
    list(relation, target(members: [#""namespace": "android_app""#] + members))
  }

  /// Returns a list with one statement, whose target is a site.
  static func listOfSite(_ address: String) -> String {
    list(relation, target(#""namespace": "web""#, "\"site\": \"\(address)\""))
  }

  /// Returns a list with one statement, whose target is an Android app with this fingerprint.
  static func with(fingerprint: String) -> String {
    listOfApp(packageName, #""sha256_cert_fingerprints": ["\#(fingerprint)"]"#)
  }

  /// Returns a list with one statement that contains these extensions of relations.
  static func dynamic(_ extensions: String) -> String {
    list(relation, app, "\"relation_extensions\": {\n      \(extensions)\n    }")
  }

  /// Returns a list with one statement that contains these dynamic rules.
  static func dynamicRules(_ rules: String...) -> String {
    dynamic(
      #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": ["#
        + rules.joined(separator: ", ") + "]}")
  }
}
