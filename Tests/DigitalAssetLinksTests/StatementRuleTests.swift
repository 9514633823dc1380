import AppSiteAssociation
import Diagnostics
import Rules
import Testing

@testable import DigitalAssetLinks

/// The codes that a text breaks, in the order of its places.
private func codes(_ text: String) -> [String] {
  AssetLinksFile(SourceText(path: "assetlinks.json", bytes: Array(text.utf8))).report()
    .diagnostics.map(\.code)
}

@Suite struct StatementRuleTests {
  @Test(arguments: statementRules.map(\.kind))
  func `a rule's wrong example breaks it, and its right example breaks none`(kind: Kind)
    throws
  {
    #expect(codes(try #require(kind.wrong)).contains(kind.code), "\(kind.code)")
    #expect(codes(try #require(kind.right)) == [], "\(kind.code)")
  }

  @Test func `no code and no name is used twice`() {
    let codes = statementRules.map(\.kind.code)
    #expect(Set(codes).count == codes.count)
    #expect(Set(statementRules.map(\.kind.name)).count == codes.count)
    #expect(codes.allSatisfy { $0.hasPrefix("D1") })
  }

  @Test func `a list that other readers take is clean`() {
    #expect(codes(Example.right) == [])
    #expect(codes(Example.list(#""include": "https://example.com/links.json""#)) == [])
    // Google's own relation, and one of somebody else.
    for relation in ["delegate_permission/common.use_as_origin", "delegate_permission/com.acme.x1"]
    {
      #expect(codes(Example.list("\"relation\": [\"\(relation)\"]", Example.app)) == [])
    }
    // A note beside the keys is nobody's misspelling.
    #expect(codes(Example.list(#""comment": "ours""#, Example.relation, Example.app)) == [])
  }

  @Test func `what is not a list of statements is refused as the server refuses it`() {
    #expect(codes(#"{"relation": []}"#) == ["A004"])
    #expect(codes("[{}],") != [])
    #expect(codes("<html></html>").count == 1)
    #expect(codes("") != [])
  }

  @Test func `a misspelt key is one finding, and not a missing one besides`() {
    for (right, wrong) in [
      ("relation", "relations"), ("target", "targets"), ("namespace", "name_space"),
      ("package_name", "packageName"), ("package_name", "package"),
      ("sha256_cert_fingerprints", "sha256_cert_fingerprint"),
      ("sha256_cert_fingerprints", "sha256"),
    ] {
      let text = Example.right.replacing("\"\(right)\"", with: "\"\(wrong)\"")
      // Without its namespace a target is not taken for an app's.
      #expect(codes(text) == ["D108"], "\(wrong)")
    }
    // A statement is no place for a target's keys.
    #expect(codes(Example.list(Example.app, #""sites": []"#)) == ["D103"])
  }

  @Test(arguments: [
    ("handle_all_urls", "D105"), ("delegate_permission/common:handle_all_urls", "D105"),
    ("delegate_permission/common.handle_all_urlss", "D105"),
    ("delegate_permission/common.get_login_cred", "D105"), ("open", "D106"),
    ("Delegate/Com.x", "D106"), ("a/b/c", "D106"),
  ])
  func `relations are exact`(relation: String, code: String) {
    #expect(codes(Example.list("\"relation\": [\"\(relation)\"]", Example.app)) == [code])
  }

  @Test(arguments: ["app", "org.", ".org.app", "org.1app", "org.sw ift", "org.swift.shøp", ""])
  func `no app has such a package name`(name: String) {
    let text = Example.right.replacing("org.swift.shop", with: name)
    #expect(codes(text) == ["D122"])
  }

  @Test(arguments: [
    // Android compares scheme, host and port, and takes a lone slash for no path; Google does not.
    ("https://www.swift.org", []), ("https://www.swift.org/", ["D127"]),
    ("http://swift.org:8080", []), ("http://swift.org:8080/", ["D127"]),
    ("HtTpS://www.swift.org", []), ("https://*.swift.org", ["D125"]),
    ("https://swift.org:999999", ["D125"]), ("https://swift.org:0", ["D125"]),
    ("https://swift.org//", ["D125"]),
    ("https://swift.org/shop", ["D125"]), ("https://swift.org/?a", ["D125"]),
    ("https://me@swift.org/", ["D125"]), ("https:///", ["D125"]), ("swift.org/", ["D125"]),
  ])
  func `a site is a scheme, a host and perhaps a port`(site: String, expected: [String]) {
    let target = Example.target(#""namespace": "web""#, "\"site\": \"\(site)\"")
    #expect(codes(Example.list(Example.relation, target)) == expected)
  }

  @Test func `a site that is none is an error, and a slash at its end a warning`() {
    func found(_ site: String) -> [Diagnostic] {
      let text = Example.listOfSite(site)
      return AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report().diagnostics
    }
    #expect(found("https://*.swift.org").map(\.severity) == [.error])
    #expect(found("https://swift.org:65536").map(\.severity) == [.error])
    let slash = found("https://www.swift.org/")
    #expect(slash.map(\.severity) == [.warning])
    let note = slash.first?.note ?? ""
    #expect(
      note.hasPrefix("Android accepts the slash, but Google's compatibility tests do not"),
      "\(note)")
  }

  @Test(arguments: [
    (#""version": 1"#, ["D112"]), (#""comment": null"#, ["D112"]),
    (
      #""relation_extensions": {"delegate_permission/common.handle_all_urls": "#
        + #"{"dynamic_app_link_components": [{"?": {"id": 1}}]}}"#, ["D112"]
    ),
    (#""more": [{"deep": [-1.5e3]}]"#, ["D112"]), (#""flag": true, "text": "1""#, []),
    (#""flags": [true]"#, ["D112"]), (#""more": {"flags": [["a", false]]}"#, ["D112"]),
  ])
  func `Android reads no list with a number or null`(member: String, expected: [String]) {
    #expect(codes(Example.list(Example.relation, Example.app, member)) == expected)
  }

  @Test(arguments: [#""version": 1"#, #""flags": [true]"#, #""comment": null"#])
  func `Android takes no statement from a list with such a value`(member: String) {
    func unreadable(_ text: String) -> Diagnostic? {
      AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).unreadable
    }
    #expect(unreadable(Example.list(Example.relation, Example.app, member))?.code == "D112")
    let text = Example.list(Example.relation, Example.app, member)
    #expect(AndroidLinks(AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8)))) == nil)
    #expect(unreadable("[\"x\"]")?.message.contains("not an object") == true)
    #expect(unreadable(#"[{"relation": 5}]"#)?.message.contains("a number") == true)
    #expect(unreadable(Example.right) == nil && unreadable("{}")?.code == "A004")
    #expect(unreadable("")?.help?.hasPrefix("write a list of statements") == true)
  }

  @Test(arguments: [
    (#""include": "https://swift.org/a.json""#, false),
    (#""comment": "all""#, true),
  ])
  func `what Android drops gives no right`(member: String, isTaken: Bool) {
    func rights(_ text: String) -> [String]? {
      AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).list?
        .fingerprints(of: "org.swift.shop", under: .openLinks)
    }
    #expect((rights(Example.list(Example.relation, Example.app, member)) != nil) == isTaken)
    // One relation that it cannot read, and the whole statement is gone.
    let two = #""relation": ["delegate_permission/common.handle_all_urls", "open links"]"#
    #expect(rights(Example.list(two, Example.app)) == nil)
  }

  @Test func `a port that no server has is named`() {
    let target = Example.target(#""namespace": "web""#, #""site": "https://swift.org:65536""#)
    let text = Example.list(Example.relation, target)
    let found = AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report().diagnostics
    #expect(found.map(\.message) == ["a port is a number from 1 to 65,535"])
  }

  @Test(arguments: [
    ("https://swift.org:999999/x.json", ["D109"]), ("HTTPS://swift.org/x.json", []),
    ("https://swift.org:8443/x.json", []), ("https://*.swift.org/x.json", ["D109"]),
  ])
  func `an included list has an address that can be asked`(address: String, expected: [String]) {
    #expect(codes(Example.list("\"include\": \"\(address)\"")) == expected)
  }

  @Test func `a fingerprint in lower case is an error unless a good one is beside it`() {
    func severities(_ fingerprints: String...) -> [Diagnostic.Severity] {
      let list = fingerprints.map { "\"\($0)\"" }.joined(separator: ", ")
      let text = Example.right.replacing("\"\(Example.fingerprint)\"", with: list)
      return AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report().diagnostics
        .filter { $0.code == "D137" }.map(\.severity)
    }
    let other = Example.fingerprint.replacing("5E:8F", with: "00:11")
    #expect(severities(Example.fingerprint.lowercased()) == [.error])
    #expect(severities(other.lowercased(), Example.fingerprint) == [.warning])
    #expect(severities(Example.fingerprint) == [])
    // The same app in another statement, with this relation or without it.
    func both(_ relation: String) -> [Diagnostic.Severity] {
      let lower = Example.with(fingerprint: Example.fingerprint.lowercased())
      let good = Example.list("\"relation\": [\"\(relation)\"]", Example.app)
      let text = "[" + lower.dropFirst().dropLast() + "," + good.dropFirst().dropLast() + "]"
      return AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report().diagnostics
        .filter { $0.code == "D137" }.map(\.severity)
    }
    #expect(both("delegate_permission/common.handle_all_urls") == [.warning])
    #expect(both("delegate_permission/common.get_login_creds") == [.error])
  }

  @Test func `findings of one rule beyond the limit are counted`() {
    let list = "[" + Array(repeating: #""x""#, count: 60).joined(separator: ",") + "]"
    let report = AssetLinksFile(SourceText(path: "a", bytes: Array(list.utf8))).report(limit: 50)
    #expect(report.diagnostics.count == 50 && report.omitted == 10)
  }

  @Test func `a rule that is ignored is not run`() {
    let report = AssetLinksFile(SourceText(path: "a", bytes: Array("[]".utf8)))
      .report(ignoring: ["D102"])
    #expect(report.diagnostics.isEmpty)
  }

  @Test func `a place is the smallest span that is wrong`() throws {
    let text = Example.right.replacing("org.swift.shop", with: "shop")
    let report = AssetLinksFile(SourceText(path: "a", bytes: Array(text.utf8))).report()
    let place = try #require(report.diagnostics.first?.location?.place)
    #expect(place.line == 6)
    #expect(String(decoding: Array(text.utf8)[place.range], as: UTF8.self) == "\"shop\"")
  }
}

@Suite struct FingerprintTests {
  /// The same byte many times.
  private static func bytes(_ count: Int) -> String {
    Array(repeating: "AB", count: count).joined(separator: ":")
  }

  private static let faults: [(String, FingerprintFault)] = [
    ("REPLACE_WITH_RELEASE_KEYSTORE_SHA256", .placeholder), ("<SHA>", .placeholder),
    ("", .placeholder), ("AA:BB:CC:...", .placeholder),
    (Example.fingerprint.lowercased(), .lowerCase),
    (String(Example.fingerprint.dropLast(3)), .length), ("\(Example.fingerprint):00", .length),
    (Example.fingerprint.replacing(":", with: ""), .withoutColons),
    (Example.fingerprint.replacing(":", with: " "), .characters),
    (Example.fingerprint.replacing("5E", with: "5G"), .characters),
    ("\(Example.fingerprint)\n", .characters), (bytes(32), .invented), (bytes(20), .otherDigest),
    (bytes(16), .otherDigest),
  ]

  @Test(arguments: faults)
  func `each fault has its name`(text: String, fault: FingerprintFault) {
    #expect(FingerprintFault(of: text) == fault)
  }

  @Test func `a line of keytool's output is no placeholder`() {
    #expect(FingerprintFault(of: "SHA256: \(Example.fingerprint)") == .characters)
  }

  @Test func `known fingerprints are recognized, and files that guess the sample`() {
    let key = FingerprintFault.reactNativeKey
    #expect(FingerprintFault(of: key) == .debugKey)
    #expect(FingerprintFault(of: key.lowercased()) == .debugKey)
    let guessed = "14:6D:E9:83:C5:" + String(Example.fingerprint.dropFirst(15))
    #expect(FingerprintFault(of: guessed) == .sample)
  }

  @Test func `counting up is invented, and chance is not`() {
    let counting = (0..<32).map { String($0 + 16, radix: 16).uppercased() }
    #expect(FingerprintFault(of: counting.joined(separator: ":")) == .invented)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<32).map { _ in
        let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16).uppercased()
        return digits.count == 1 ? "0" + digits : digits
      }
      #expect(FingerprintFault(of: bytes.joined(separator: ":")) == nil)
    }
  }
}

@Suite struct AssetLinksFormTests {
  @Test(arguments: [
    // the statements are an array
    ("[]", nil),
    (#"[{"relation":["delegate_permission/common.handle_all_urls"]}]"#, nil),
    ("{}", "A004"),
    ("null", "A004"),
  ])
  func `asset links are an array`(_ text: String, _ code: String?) {
    #expect(AssetLinksFile(SourceText(path: "f", bytes: Array(text.utf8))).fault?.code == code)
  }

  @Test(arguments: ["", "[", "[] []"])
  func `faulty asset links are refused by their grammar`(_ text: String) {
    let fault = AssetLinksFile(SourceText(path: "f", bytes: Array(text.utf8))).fault
    #expect(fault?.code.hasPrefix("J") == true)
  }
}
