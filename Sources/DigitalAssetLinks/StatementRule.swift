package import Diagnostics
internal import JSON
package import Rules

package typealias StatementRule = FileRule<StatementList>
typealias WellKnownRule = FileRule<Value>

extension FileRule {
  /// A rule whose examples are whole files. Most rules share one list as the right example.
  init(
    _ code: String, _ name: String, _ severity: Diagnostic.Severity, _ what: String,
    _ consequence: String, source: String?, wrong: String, right: String = Example.right,
    check: @escaping @Sendable (Content, inout Findings) -> Void
  ) {
    self.init(
      Kind(code, name, what, consequence, source, severity: severity, wrong: wrong, right: right),
      check: check)
  }

  /// A rule that checks each part of a file separately.
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

/// All rules about statement lists.
package let statementRules: [StatementRule] =
  listRules + targetRules + fingerprintRules + dynamicRules + dynamicOrderRules

extension Kind {
  /// The kinds of the rules about targets: apps and their fingerprints, and sites.
  package static let ofTargets = Set((targetRules + fingerprintRules).map(\.kind))
}

/// The sources that notes cite.
enum Evidence {
  static let google = "Google's documentation says so"
  static let specification = "the Asset Links Specification says so"
  static let android = "Android's source code shows it"
  static let unknown = "Google does not say"
}

/// Building blocks for rule examples, so that each example shows only what matters.
enum Example {
  static let fingerprint =
    "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
  static let relation = #""relation": ["delegate_permission/common.handle_all_urls"]"#
  static let packageName = #""package_name": "org.swift.shop""#
  static let fingerprints = #""sha256_cert_fingerprints": ["\#(fingerprint)"]"#

  /// A list with one statement that has these members.
  static func list(_ members: String...) -> String {
    "[\n  {\n" + members.map { "    " + $0 }.joined(separator: ",\n") + "\n  }\n]"
  }

  /// The member `target`, containing these members.
  static func target(_ members: String...) -> String { target(members: members) }

  private static func target(members: [String]) -> String {
    "\"target\": {\n" + members.map { "      " + $0 }.joined(separator: ",\n") + "\n    }"
  }

  static let app = target(#""namespace": "android_app""#, packageName, fingerprints)
  static let right = list(relation, app)

  /// A list with one statement about an Android app with these members.
  static func listOfApp(_ members: String...) -> String {
    list(relation, target(members: [#""namespace": "android_app""#] + members))
  }

  /// A list with one statement about a site.
  static func listOfSite(_ address: String) -> String {
    list(relation, target(#""namespace": "web""#, "\"site\": \"\(address)\""))
  }

  /// A list with one statement that has this fingerprint.
  static func with(fingerprint: String) -> String {
    listOfApp(packageName, #""sha256_cert_fingerprints": ["\#(fingerprint)"]"#)
  }

  /// A list with the extensions of relations.
  static func dynamic(_ extensions: String) -> String {
    list(relation, app, "\"relation_extensions\": {\n      \(extensions)\n    }")
  }

  /// A list with dynamic rules.
  static func dynamicRules(_ rules: String...) -> String {
    dynamic(
      #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": ["#
        + rules.joined(separator: ", ") + "]}")
  }
}
