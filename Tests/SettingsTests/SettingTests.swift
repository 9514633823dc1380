import Diagnostics
import Foundation
import HTTP
import JSON
import Settings
import Testing

@Suite struct SettingTests {
  @Test(
    arguments: [
      ("http", "--http", "AASA_HTTP"),
      ("headBytes", "--head-bytes", "AASA_HEAD_BYTES"),
      ("aliases", "--alias", "AASA_ALIASES"),
      (
        "certificateWarningDays", "--certificate-warning-days",
        "AASA_CERTIFICATE_WARNING_DAYS"
      ),
    ] as [(String, String, String)])
  func `key, flag and variable follow from one name`(
    key: String, flag: String, variable: String
  ) throws {
    let setting = try #require(Setting.named(key))
    #expect(setting.flag == flag && setting.variable == variable)
  }

  @Test(arguments: Setting.all)
  func `help is one sentence and has a name for the value`(setting: Setting) {
    #expect(setting.help.first?.isLowercase == true && !setting.help.hasSuffix("."))
    #expect(!setting.valueName.isEmpty && !setting.defaultDescription.isEmpty)
  }

  @Test(
    arguments: [
      ("8080", "[::]:8080"), (":8080", "[::]:8080"), ("0", "[::]:0"), ("65535", "[::]:65535"),
      ("127.0.0.1:80", "127.0.0.1:80"), ("0.0.0.0:80", "0.0.0.0:80"),
      ("[::1]:80", "[::1]:80"), ("[2001:DB8::1]:80", "[2001:db8::1]:80"),
      ("[1:2:3:4:5:6:7:8]:80", "[1:2:3:4:5:6:7:8]:80"), ("[::]:0", "[::]:0"),
      ("[::ffff:1.2.3.4]:80", "[::ffff:1.2.3.4]:80"), ("[1::]:80", "[1::]:80"),
      ("localhost:80", "localhost:80"), ("LOCALHOST:80", "localhost:80"),
      // Not a port, or none.
      ("65536", nil), ("[::]:65536", nil), ("127.0.0.1", nil), ("127.0.0.1:", nil), (":", nil),
      ("localhost", nil), ("[::1]", nil), ("127.0.0.1:+1", nil), ("٣", nil),
      // Not a literal.
      ("example.com:80", nil), ("1.2.3:80", nil), ("1.2.3.256:80", nil), ("01.2.3.4:80", nil),
      ("1.2.3.4.5:80", nil), ("*:80", nil), ("[:::1]:80", nil), ("[1:2:3:4:5:6:7]:80", nil),
      ("[1:2:3:4:5:6:7:8:9]:80", nil), ("[1::2::3]:80", nil), ("[12345::]:80", nil),
      ("[::g]:80", nil), ("[fe80::1%eth0]:80", nil), ("[]:80", nil), ("[:1]:80", nil),
      ("[1:2:3:4:5:6:7::8]:80", nil), ("[1.2.3.4::]:80", nil),
      // Without brackets it is not clear where the port begins.
      ("::1:80", nil), ("::1", nil), (" 80", "[::]:80"),
    ] as [(String, String?)])
  func `an address to listen on has one of five forms`(text: String, expected: String?) {
    let resolution = resolve(flags: ["http": [text], "https": ["none"]])
    #expect(resolution.configuration?.http.first?.description == expected)
    if expected == nil { #expect(resolution.diagnostics.map(\.code) == ["C004"]) }
  }

  @Test(
    arguments: [
      ("10s", 10_000), ("500ms", 500), ("2m", 120_000),
      ("1h", 3_600_000), ("7", 7_000), ("1 s", 1_000), ("2M", 120_000),
    ] as [(String, Int64)])
  func `a duration has a unit or is in seconds`(text: String, expected: Int64) {
    #expect(
      resolve(flags: ["idleTimeout": [text]]).configuration?.connections.idleTimeout == expected)
  }

  @Test(arguments: [
    ("16384", 16_384), ("64KiB", 65_536), ("1MiB", 1_048_576), ("64 kib", 65_536), ("9000B", 9000),
    ("1048576", 1_048_576),
  ]) func `a size is in bytes or has a unit`(text: String, expected: Int) {
    #expect(
      resolve(flags: ["headBytes": [text]]).configuration?.connections.request.headBytes == expected
    )
  }

  @Test func `the listing has one line for each setting, with its origin`() throws {
    let configuration = try #require(
      resolve(
        flags: ["https": ["none"]], environment: ["AASA_CACHE_CONTROL": "no-store"],
        files: ["Config/server.json": "{\n\"idleTimeout\": 600}"]
      ).configuration)
    let lines = configuration.lines
    #expect(lines.count == Setting.all.count)
    #expect(lines[0].hasPrefix("config ") && lines[0].contains(" = Config/server.json "))
    #expect(lines.contains { $0.hasPrefix("https ") && $0.contains("= none ") })
    #expect(lines.contains { $0.contains("= no-store") && $0.hasSuffix("# AASA_CACHE_CONTROL") })
    #expect(lines.contains { $0.contains("= 10m") && $0.hasSuffix("# Config/server.json:2") })
    #expect(Set(lines.compactMap { $0.firstIndex(of: "#")?.utf16Offset(in: $0) }).count == 1)
  }

  @Test func `the listing as JSON can be read`() throws {
    let configuration = try #require(
      resolve(flags: ["domains": ["a\"\\b"]]).configuration)
    let source = SourceText(path: "", bytes: Array(configuration.json.utf8))
    let root = try Document(parsing: source).root
    #expect(root.members.map(\.key) == Setting.all.map(\.key))
    #expect(root.member("domains")?.member("value")?.string == "a\"\\b")
    #expect(root.member("domains")?.member("origin")?.string == "--domains")
  }

  @Test func `the listing as JSON has no character that steers a terminal or ends a line`() throws {
    let name = "a\u{85}\u{9F}\u{2028}\u{2029}b"
    let json = try #require(resolve(flags: ["domains": [name]]).configuration).json
    #expect(json.contains(#""a\u0085\u009f\u2028\u2029b""#))
    let root = try Document(parsing: SourceText(path: "", bytes: Array(json.utf8))).root
    #expect(root.member("domains")?.member("value")?.string == name)
  }

  @Test func `the documentation has the table of settings`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Documentation/Settings.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    let start = try #require(page.range(of: "<!-- settings -->\n"))
    let end = try #require(page.range(of: "<!-- /settings -->"))
    let table = page[start.upperBound..<end.lowerBound]
    #expect(
      table.trimmingCharacters(in: .newlines)
        == Setting.markdown.trimmingCharacters(in: .newlines),
      "put the output of `aasa config --markdown` between the marks")
  }
}
