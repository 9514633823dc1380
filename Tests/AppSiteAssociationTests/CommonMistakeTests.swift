import Diagnostics
import Rules
import Testing

@testable import AppSiteAssociation

/// The commonest mistakes: the first message names the mistake at its place.
@Suite struct CommonMistakeTests {
  private static func found(_ text: String) -> [Diagnostic] {
    validate(SourceText(path: "f", bytes: Array(text.utf8))).diagnostics
  }

  /// `1:2 A011 message | help`
  private static func line(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.location?.place
    return "\(place?.line ?? 0):\(place?.column ?? 0) \(diagnostic.code) \(diagnostic.message)"
      + (diagnostic.help.map { " | \($0)" } ?? "")
  }

  private static let app = #""K27TX9P4QD.org.swift.shop""#
  private static let rules = #""components":[{"/":"/buy/*"}]"#

  @Test(arguments: [
    (
      #"{"applink":{"details":[{"appIDs":[\#(app)],\#(rules)}]}}"#, "1:2 A011",
      "did you mean `applinks`?"
    ),
    (
      #"{"AppLinks":{"details":[{"appIDs":[\#(app)],\#(rules)}]}}"#, "1:2 A011",
      "did you mean `applinks`?"
    ),
    (
      #"{"applinks":{"details":[{"appIds":[\#(app)],\#(rules)}]}}"#, "1:26 A019",
      "did you mean `appIDs`?"
    ),
    (
      #"{"applinks":{"details":[{"appID":[\#(app)],\#(rules)}]}}"#, "1:34 A029",
      "write `\"appIDs\": [ … ]` for several apps"
    ),
    (
      #"{"applinks":{"details":[{"appIDs":\#(app),\#(rules)}]}}"#, "1:35 A029",
      "write `\"appIDs\": [\"K27TX9P4QD.org.swift.shop\"]`"
    ),
    (
      #"{"applinks":{"details":{"appIDs":[\#(app)],\#(rules)}}}"#, "1:24 A017",
      "put brackets around the entry"
    ),
    (
      #"{"applinks":{"appIDs":[\#(app)],\#(rules)}}"#, "1:14 A023",
      "`appIDs` and `components` are in applinks itself"
    ),
    (
      #"{"applinks":{"details":[{"appIDs":[\#(app)],"components":[{"/":"/$(shop)"}]}]}}"#,
      "1:86 A120", "shop"
    ),
  ])
  func `the first message names the mistake, and A160 points at it without a cure`(
    text: String, start: String, words: String
  ) throws {
    let found = Self.found(text)
    let first = try #require(found.first)
    #expect(Self.line(first).hasPrefix(start + " "), "\(found.map(Self.line))")
    #expect(Self.line(first).contains(words), "\(Self.line(first))")
    let last = try #require(found.first { $0.code == "A160" })
    #expect(last.help == nil && last.location?.place?.line == 1)
    #expect(
      last.message
        == "this file lets no app open a link, offer a password or run as an App Clip, because of "
        + "\(first.code) in line 1")
    #expect(found.count { $0.severity == .error } == 1)
  }

  @Test func `an exclusion by defaults is named, and not what a new rule would inherit`() throws {
    let found = Self.found(
      #"{"applinks":{"defaults":{"exclude":true},"details":[{"appIDs":[\#(Self.app)],\#(Self.rules)}]}}"#
    )
    let only = try #require(found.first { $0.code == "A063" })
    #expect(only.help?.hasPrefix("remove `exclude` from `defaults`") == true)
    #expect(found.first { $0.code == "A160" }?.help == nil)
  }

  @Test func `what follows an exclusion of everything has one cure`() {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[{"/":"*","exclude":true},{"/":"/buy/*"}]}]}}"#
    )
    #expect(
      found.map(Self.line) == [
        "1:65 A084 no link opens the app: earlier exclusions block every link that the app's rules "
          + "would open | move the rules that open links before the exclusions that block them",
        "1:65 A160 this file lets no app open a link, offer a password or run as an App Clip, "
          + "because of A084 in line 1",
        "1:109 A081 this rule is never reached: the exclusion of `*` on line 1 blocks every link "
          + "| move the rule before the exclusion",
      ])
  }

  @Test(arguments: [
    "K27TX9P4QD.org.swift_shop", "K27TX9P4QD.org.swift.shоp", "K27TX9P4QD.org.swift.",
    "K27TX9P4QD.a,K27TX9P4QD.b", "k27tx9p4qd.org.swift.shop",
  ])
  func `an identifier that no app can have is an error if no other app is left`(text: String) {
    func file(_ apps: String) -> String {
      #"{"applinks":{"details":[{"appIDs":[\#(apps)],\#(Self.rules)}]}}"#
    }
    #expect(Self.found(file("\"\(text)\"")).contains { $0.code == "A160" })
    #expect(!Self.found(file("\"\(text)\",\(Self.app)")).contains { $0.severity == .error })
  }

  @Test func `Apple's own sample is no error`() {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],\#(Self.rules)}]}}"#)
    #expect(found.map(\.code) == ["A033"])
  }

  @Test(arguments: [
    ("{\\rtf1\\ansi\\ansicpg1252 {\\fonttbl}}", "J045 this is rich text (RTF), not JSON"),
    ("PK\u{3}\u{4}abc", "J046 this is a zip archive, not JSON"),
    ("eyJhcHBsaW5rcyI6IHsiZGV0YWlscyI6IFtdfX0=\n", "J047 this is Base64, not JSON"),
    ("module.exports = {}", "J048 this is JavaScript (`module.exports = {}`), not JSON"),
    ("export default {\n}", "J048 this is JavaScript (`export default {`), not JSON"),
    ("404 page not found\n", "J049 this is plain text (`404 page not found`), not JSON"),
    ("Not Found", "J049 this is plain text (`Not Found`), not JSON"),
    (
      #"{"applinks":{"details":[{"appIDs":["K27TX"#,
      "J023 this string has no closing quote: the file ends within it"
    ),
    (
      #""{\"applinks\": {}}""#,
      "A002 the file is JSON inside a JSON string: it was encoded twice"
    ),
    ("12 13", "J022 something follows the end of the JSON text: `13`"),
  ])
  func `what is not JSON is named`(text: String, message: String) {
    let found = Self.found(text)
    #expect(found.map { "\($0.code) \($0.message)" } == [message])
    #expect(found.first?.help != nil)
  }

  @Test(arguments: ["", "\n"]) func `the cure for an empty file is no error itself`(text: String) {
    let help = Self.found(text).first?.help ?? ""
    let example = help.split(separator: "`").last.map(String.init) ?? ""
    #expect(example.hasPrefix("{") && Self.found(example).isEmpty, "\(help)")
  }

  @Test(arguments: [
    (##""?":{"id":null}"##, ##"`"id": "?*"`"##),
    (##""?":{"id":["1","2"]}"##, "one component for each"),
    (##""?":null"##, ##"`"?": {"id": "?*"}`"##), (##""#":null"##, ##"`"#": "?*"`"##),
  ])
  func `no cure for a value accepts every URL`(part: String, help: String) {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[{"/":"/a",\#(part)}]}]}}"#)
    let helps = found.compactMap(\.help)
    #expect(helps.contains { $0.contains(help) }, "\(helps)")
    #expect(!helps.contains { $0.contains(##": "*""##) }, "\(helps)")
  }

  @Test(arguments: [
    ("null", "true` or `\"exclude\": false`, or remove the key"),
    ("[]", "true` or `\"exclude\": false`, or remove the key"), (#""no""#, "false`"),
    (#""False""#, "false`"), (#""true""#, "true`"), (#""yes""#, "true`"),
  ])
  func `the help for a flag does not turn its meaning round`(value: String, help: String) {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[{"/":"/a","exclude":\#(value)}]}]}}"#
    )
    #expect(
      found.first { $0.code == "A060" }?.help == "write `\"exclude\": " + help,
      "\(found.map(Self.line))")
  }

  @Test(arguments: [
    (#"{"/":"/buy/[id]"}"#, "A100 `[id]` matches only itself, not a value"),
    (#"{"/":"/buy/<id>"}"#, "A100 `<id>` matches only itself, not a value"),
    (
      #"{"/":"www.acme.com:3000/x"}"#,
      "A093 `www.acme.com:3000` at the beginning of a path looks like a host"
    ),
  ])
  func `what looks like something else in a path has one message`(rule: String, message: String) {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[\#(rule),{"/":"/a"}]}]}}"#)
    #expect(found.map { "\($0.code) \($0.message)" } == [message])
  }

  @Test func `the apps of a service have one name`() {
    let found = Self.found(#"{"webcredentials":{"appIDs":[\#(Self.app)]}}"#)
    #expect(found.first { $0.code == "A146" }?.help == "did you mean `apps`?")
  }

  @Test func `a service in another key is moved out of it`() {
    let found = Self.found(#"{"aasa":{"applinks":{"details":[{"appIDs":[\#(Self.app)]}]}}}"#)
    #expect(
      found.first { $0.code == "A010" }?.help
        == "move `applinks` out of `aasa`, to the top of the file")
  }

  @Test(arguments: [
    ("^/buy/[0-9]+$", "/buy/?*"), ("/buy/[0-9]*", "/buy/*"), ("^/a/\\\\d+/.*", "/a/?*/*"),
    ("/a/[a-z]$", "/a/?"),
  ])
  func `a regular expression has one cure, which matches what it is meant for`(
    pattern: String, cure: String
  ) {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[{"/":"\#(pattern)"}]}]}}"#)
    let helps = found.filter { ["A098", "A099", "A104"].contains($0.code) }.map { $0.help ?? "" }
    #expect(!helps.isEmpty && helps.allSatisfy { $0 == "write `\(cure)`" }, "\(helps)")
  }

  @Test(arguments: [
    (#"{"/":"^/buy/[0-9]+$"}"#, "A099"), (#"{"/":"/buy#offers"}"#, "A090"),
    (#"{"/":"/café/*"}"#, "A094"), (#"{"/":"/100%/*"}"#, "A097"),
    (#"{"/":"/{buy,sell}/*"}"#, "A101"), (#"{"/":"/(buy|sell)/*"}"#, "A105"), ("", "A051"),
    (#"{"/":"/buy/[^/]+"}"#, "A104"), (#"{"/":"/buy/<id>"}"#, "A100"),
    // No other rule reports these.
    (#"{"/":"/a^b"}"#, "A083"), (#"{"/":"/a{b"}"#, "A083"), (##"{"#":"a#b"}"##, "A083"),
    (##"{"?":{"a":"#x"}}"##, "A083"), (##"{"#":"/{id}"}"##, "A083"),
  ])
  func `a pattern that matches nothing is the cause, and nothing blocks`(rule: String, code: String)
  {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":[\#(Self.app)],"components":[\#(rule)]}]}}"#)
    let last = found.first { $0.code == "A160" }
    #expect(found.first?.code == code, "\(found.map(Self.line))")
    #expect(
      last?.message.hasSuffix(", because of \(code) in line 1") == true && last?.help == nil,
      "\(found.map(Self.line))")
  }

  @Test(arguments: [
    (
      "K27TX9P4QD.a,K27TX9P4QD.b",
      "`K27TX9P4QD.a,K27TX9P4QD.b` contains several app identifiers in one string",
      #"write each app identifier as a separate string: `"K27TX9P4QD.a", "K27TX9P4QD.b"`"#
    ),
    (
      "K27TX9P4QD.a K27TX9P4QD.b",
      "`K27TX9P4QD.a K27TX9P4QD.b` contains several app identifiers in one string",
      #"write each app identifier as a separate string: `"K27TX9P4QD.a", "K27TX9P4QD.b"`"#
    ),
    (
      "K27TX9P4QD.a, K27TX9P4QD.b",
      "`K27TX9P4QD.a, K27TX9P4QD.b` contains several app identifiers in one string",
      #"write each app identifier as a separate string: `"K27TX9P4QD.a", "K27TX9P4QD.b"`"#
    ),
    (
      "K27TX9P4QD.org.swift .shop", "this app identifier contains white space",
      "remove it: `K27TX9P4QD.org.swift.shop`"
    ),
    (
      "K27TX9P4QD.org swift.shop", "this app identifier contains white space", "remove it"
    ),
    (
      "K27TX9P4QD.org.swift_shop",
      "`K27TX9P4QD.org.swift_shop` contains `_`, which no bundle identifier has", "write letters"
    ),
    (
      "K27TX9P4QD.org.swift.shоp",
      "`K27TX9P4QD.org.swift.shоp` contains `о` (U+043E), which no bundle identifier has",
      "write letters"
    ),
    (
      "K27TX9P4QD.org.swift.",
      "`K27TX9P4QD.org.swift.` has an empty part, which no bundle identifier has",
      "write letters"
    ),
  ])
  func `what is wrong in an identifier is named`(text: String, message: String, help: String) throws
  {
    let found = Self.found(
      #"{"applinks":{"details":[{"appIDs":["\#(text)"],\#(Self.rules)}]}}"#)
    let first = try #require(found.first { ["A035", "A042"].contains($0.code) })
    #expect(first.message == message && first.help?.hasPrefix(help) == true, "\(Self.line(first))")
  }
}
