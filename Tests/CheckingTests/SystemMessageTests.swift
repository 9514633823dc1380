import Diagnostics
import Foundation
import Testing

@testable import Checking

/// Lines of logs and error messages, as people paste them.
@Suite struct SystemMessageTests {
  /// A pasted text, and the names of the messages in it.
  static let pasted: [(text: String, names: [String])] = [
    (
      """
      swcd: Request for '<private>' for task AASA-80AD262A { domain: *.a….com, bytes: 0, route: cdn } \
      denied because the CDN told us to stop with HTTP status 404: SWCERR00101 Bad HTTP Response: 403 \
      Forbidden
      """, ["cdn-bad-response", "cdn-told-to-stop", "firewall"]
    ),
    ("Error Domain=SWCErrorDomain Code=7 \"(null)\"", ["cdn-refused-device"]),
    ("The operation couldn’t be completed. (SWCErrorDomain error 7.)", ["cdn-refused-device"]),
    ("Domain xn--a.example is invalid. Will not attempt a download.", ["swcd-invalid-domain"]),
    (
      "Data exceeded maximum length of 131072 bytes (server said it would be 200000 bytes.)",
      ["swcd-too-large"]
    ),
    ("ILMessageFilterError.networkURLUnauthorized", ["message-filter-not-authorized"]),
    ("SecurityError: This is an invalid domain.", ["rp-id-not-a-domain"]),
    (
      "The relying party ID is not a registrable domain suffix of, nor equal to the current domain.",
      ["rp-id-of-another-domain"]
    ),
    ("No Credentials were returned", ["android-no-credential"]),
    ("No credentials", ["android-no-credential"]),
    (
      "[SWC] ### Denying redirect 'https://a.example/x' -> 'http://a.example/x'", ["swcd-redirect"]
    ),
    ("Failed to verify server trust <private> for task AASA-1: -67", ["swcd-server-trust"]),
    ("ngrok: ERR_NGROK_6024", ["ngrok-warning"]),
    ("由于应用universal link校验不通过，无法完成微信登录", ["wechat-link"]),
    (
      "com.apple.AuthenticationServices.AuthorizationError Code=1004 Please try again in a few "
        + "seconds", ["not-associated", "association-not-yet"]
    ),
    ("RP ID\n   “cannot”   be VALIDATED", ["android-not-associated"]),
    ("    example.com: legacy_failure", ["android-state"]),
    (
      "I/SingleHostAsyncVerifier: Verification result: checking for a statement with source a, "
        + "relation delegate_permission/common.handle_all_urls, and target b --> true.",
      ["android-verifier"]
    ),
    (
      "AppLinksHostsVerifierV2  I  Verification a.b complete. Successful hosts: . Failed hosts: "
        + "a.example. Error hosts: .", ["android-verifier"]
    ),
    (
      "error: Provisioning profile \"A\" doesn't include the Associated Domains capability.",
      ["profile-lacks-capability"]
    ),
    (
      "Targeting S+ (version 31 and above) requires that an explicit value for android:exported be "
        + "defined when intent filters are present", ["android-exported"]
    ),
    ("Site/Fmwk Approval:   denied", ["device-denied"]),
    ("User Approval:        denied", ["device-user-denied"]),
  ]

  @Test(arguments: pasted) func `a pasted line is explained`(text: String, names: [String]) {
    #expect(SystemMessage.kinds(in: text).map(\.name) == names)
  }

  @Test(arguments: [
    "verified", "approved", "denied", "migrated", "restored", "legacy_failure",
    "system_configured", "none", "1024", "1030", "4711",
  ])
  func `each state of Android is explained, alone and behind a domain`(word: String) {
    #expect(SystemMessage.kinds(in: word).map(\.name) == ["android-state"])
    #expect(SystemMessage.kinds(in: "  example.com: \(word)").map(\.code) == [word])
  }

  @Test(arguments: [
    "SWCErrorDomain 70", "error 10040", "a.b is approved", "1023", "", "%$#\0\u{FFFD}",
  ])
  func `a number or a word in another place means nothing`(text: String) {
    #expect(SystemMessage.kinds(in: text).isEmpty)
  }

  @Test func `each row is known by its own title, and has its parts`() {
    let all = SystemMessage.all.map(\.kind)
    #expect(all.count >= 60)
    #expect(Set(all.map(\.code)).count == all.count && Set(all.map(\.name)).count == all.count)
    for kind in all {
      let texts = [kind.what, kind.consequence, kind.fix ?? "", kind.source ?? ""]
      #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, "\(kind.code)")
    }
  }

  @Test func `each cause in Troubleshooting is explained`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Documentation/Troubleshooting.md"), encoding: .utf8)
    let causes = page.matches(of: /\n\| (\d+) \| ([^|]+) \|/).map(\.output)
    #expect(causes.count == 26)
    for (_, number, cause) in causes {
      let found = SystemMessage.kinds(in: cause.filter { $0 != "`" })
      #expect(found.contains { $0.source?.hasPrefix("cause \(number) ") == true }, "\(cause)")
    }
  }

  @Test func `a long text is read up to the limit`() {
    let mark = "will not attempt a download"
    let room = SystemMessage.Limits.bytes - mark.utf8.count
    #expect(!SystemMessage.kinds(in: String(repeating: " ", count: room) + mark).isEmpty)
    #expect(SystemMessage.kinds(in: String(repeating: " ", count: room + 1) + mark).isEmpty)
    let noise = String(repeating: "\u{0}\u{301}é[", count: 20_000)
    #expect(SystemMessage.kinds(in: noise).isEmpty)
  }
}
