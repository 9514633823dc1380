import AppSiteAssociation
import Diagnostics
import Rules
import Testing

@testable import DigitalAssetLinks

/// The codes that a text breaks, in the order of its places.
private func codes(_ text: String, _ file: JudgedFile) -> [String] {
  JudgedReading(SourceText(path: file.rawValue, bytes: Array(text.utf8)), as: file)
    .report().diagnostics.map(\.code)
}

private func codes(origins: String...) -> [String] {
  codes(#"{"origins": [\#(origins.map { "\"\($0)\"" }.joined(separator: ", "))]}"#, .relatedOrigins)
}

@Suite struct PasskeyRuleTests {
  private static let kinds = JudgedFile.allCases.flatMap { file in
    file.kinds.map { (file, $0) }
  }

  @Test(arguments: kinds)
  func `a passkey rule's wrong example breaks it, and its right example breaks none`(
    file: JudgedFile, kind: Kind
  ) throws {
    let (wrong, right) = (try #require(kind.wrong), try #require(kind.right))
    #expect(codes(wrong, file).contains(kind.code), "\(kind.code)")
    #expect(codes(right, file) == [], "\(kind.code)")
  }

  @Test(arguments: [
    "[]", "{}", #"{"origins": "https://a.example"}"#, #"{"origins": [1]}"#, #"{"Origins": []}"#,
    #"{"origins": ["https://a.example", null]}"#, "1",
  ])
  func `clients refuse what is not a list of strings in an object`(text: String) {
    #expect(codes(text, .relatedOrigins) == ["D150"])
  }

  @Test(arguments: [
    "http://a.example", "a.example", "https://", "https:a.example", "//a.example", "",
    "https://a b.example", "https://*.a.example", "wss://a.example", "android:apk-key-hash:x",
  ])
  func `an origin begins with https and a host`(text: String) {
    #expect(codes(origins: text) == ["D151"])
  }

  @Test func `an origin that cannot be used is passed over if others can`() {
    func severities(_ origins: String) -> [Diagnostic.Severity] {
      JudgedReading(
        SourceText(path: "webauthn", bytes: Array("{\"origins\": [\(origins)]}".utf8)),
        as: .relatedOrigins
      ).report().diagnostics.filter { $0.code == "D151" }.map(\.severity)
    }
    #expect(severities(#""https://a.example", "http://b.example""#) == [.warning])
    #expect(severities(#""android:apk-key-hash:x""#) == [.error])
  }

  @Test func `an origin has no more than scheme, host and port`() {
    #expect(codes(origins: "https://a.example:8443") == [])
    #expect(codes(origins: "https://a.example/") == [])
    for rest in ["/x", "?x", "#x", "/?"] {
      #expect(codes(origins: "https://a.example" + rest) == ["D152"])
    }
    #expect(codes(origins: "https://u@a.example") == ["D152"])
  }

  @Test func `clients count five names, not five origins`() {
    let five = (1...5).map { "https://a\($0).example" }
    func found(_ more: String...) -> [String] {
      codes(
        #"{"origins": [\#((five + more).map { "\"\($0)\"" }.joined(separator: ", "))]}"#,
        .relatedOrigins)
    }
    #expect(found() == [])
    #expect(found("https://www.a1.example", "https://a2.co.uk", "https://x.y.a3.com.au") == [])
    #expect(
      found("https://a6.example", "https://a1.org", "https://a7.example") == ["D153", "D153"])
  }

  @Test(arguments: [
    ("example.com", "example"), ("www.example.com", "example"), ("a.b.example.co.uk", "example"),
    ("example.co.uk", "example"), ("co.uk", "co"), ("localhost", "localhost"),
    ("shop.com.de.example", "de"), ("a.co.shop", "co"),
  ])
  func `a name is what stands before the public suffix`(host: String, label: String) {
    #expect(registrableLabel(of: host) == label)
  }

  @Test func `an empty object says that there are passkeys`() {
    #expect(codes("{}", .endpoints) == [])
    #expect(codes(#"{"x-own": 1, "prfUsageDetails": "https://a.example/prf"}"#, .endpoints) == [])
    #expect(codes("[]", .endpoints) == ["D160"])
    #expect(
      codes(#"{"enroll": null, "manage": "http://a.example"}"#, .endpoints) == ["D161", "D161"])
    #expect(codes(#"{"enrol": "https://a.example"}"#, .endpoints) == ["D162"])
  }

  @Test func `text that is not JSON is one finding`() {
    for file in JudgedFile.allCases {
      for text in ["", "{", "<html></html>", "{} {}"] {
        #expect(codes(text, file).count == 1, "\(text)")
      }
    }
  }
}

@Suite struct PasskeyAgreementTests {
  private func agreement(
    _ association: String?, _ links: String?, _ files: [String] = []
  ) -> [String] {
    var agreement = PasskeyAgreement()
    agreement.association = association.map {
      AssociationFile(SourceText(path: "a", bytes: Array($0.utf8)))
    }
    agreement.assetLinks = links.map {
      AssetLinksFile(SourceText(path: "l", bytes: Array($0.utf8)))
    }
    agreement.passkeyFiles = files
    return agreement.diagnostics.map { "\($0.code) \($0.location?.path ?? "")" }
  }

  private static let shares = #"{"webcredentials": {"apps": ["K27TX9P4QD.org.swift.shop"]}}"#
  private static let links = #"{"applinks": {"details": []}}"#

  private static func list(_ relation: String) -> String {
    Example.list("\"relation\": [\"delegate_permission/common.\(relation)\"]", Example.app)
  }

  @Test func `what one platform may do, the other one should`() {
    let (urls, creds) = (Self.list("handle_all_urls"), Self.list("get_login_creds"))
    #expect(agreement(Self.shares, creds) == [])
    #expect(agreement(Self.shares, urls) == ["D170 l"])
    #expect(agreement(Self.links, creds) == ["D171 a"])
    #expect(agreement(Self.links, urls) == [])
    #expect(agreement(Self.links, urls, ["webauthn"]) == ["D172 a"])
    #expect(agreement(Self.shares, nil, ["webauthn"]) == [])
    // Nothing is known of a file that is not there, or that cannot be read.
    #expect(agreement(Self.shares, nil) == [])
    #expect(agreement(nil, creds, ["webauthn"]) == [])
    #expect(agreement(Self.shares, "[") == [])
    #expect(agreement(Self.shares, "[]") == [])
    #expect(agreement("{", creds) == [])
  }

  @Test(arguments: ["https://192.0.2.1", "https://192.0.2.1:8443"])
  func `an address is no origin of passkeys`(origin: String) {
    #expect(codes("{\"origins\": [\"\(origin)\"]}", .relatedOrigins) == ["D156"])
    #expect(codes(#"{"origins": ["https://1.example"]}"#, .relatedOrigins) == [])
  }
}
