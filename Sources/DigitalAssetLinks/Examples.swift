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
  static func target(_ members: String...) -> String {
    "\"target\": {\n" + members.map { "      " + $0 }.joined(separator: ",\n") + "\n    }"
  }

  static let app = target(#""namespace": "android_app""#, packageName, fingerprints)
  static let right = list(relation, app)

  /// A list with one statement that has this fingerprint.
  static func with(fingerprint: String) -> String {
    list(
      relation,
      target(
        #""namespace": "android_app""#, packageName,
        #""sha256_cert_fingerprints": ["\#(fingerprint)"]"#))
  }

  /// A list with dynamic rules.
  static func dynamic(_ extensions: String) -> String {
    list(relation, app, "\"relation_extensions\": {\n      \(extensions)\n    }")
  }
}
