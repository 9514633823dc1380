import Bytes
import Diagnostics
import TLS
import Testing

@testable import Issuance

/// What is sent to a CA.
@Suite struct SignedRequestTests {
  private static let pem = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIJu2oRuPzh0sh0RIjKiBJ6ntUt4ElYP2Jf/qNuDeYOoWoAoGCCqGSM49
    AwEHoUQDQgAEtpjg5cefpjCsVRlcR2V/li8vy/ni837qeeWjuZ3F8wsV3dWEQ1N2
    euys4jJy73fnrShoOuEuZprTRnv5UDQuPg==
    -----END EC PRIVATE KEY-----

    """
  private let key: SigningKey

  init() throws { key = try #require(SigningKey(pem: Array(Self.pem.utf8))) }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a key is written as it was read`() {
    #expect(text(key.pem()) == Self.pem)
  }

  @Test func `a key in the newer form is read, one of another kind is not`() throws {
    let other = try SigningKey.generate()
    #expect(SigningKey(pem: other.pem()) != nil)
    #expect(
      SigningKey(pem: Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----".utf8))
        == nil)
    #expect(SigningKey(pem: []) == nil)
  }

  /// Made with OpenSSL and Python of the key above.
  @Test func `the key's public half and its thumbprint are those of RFC 7517 and 7638`() {
    #expect(
      text(jsonWebKey(of: key).minified)
        == #"{"crv":"P-256","kty":"EC","x":"tpjg5cefpjCsVRlcR2V_li8vy_ni837qeeWjuZ3F8ws","#
        + #""y":"Fd3VhENTdnrsrOIycu93560oaDrhLmaa00Z7-VA0Lj4"}"#)
    #expect(thumbprint(of: key) == "DL7KySLeitqoK7PDdNCOCYovNqNUOfY-a8WdtYmZ3O4")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ("\u{3FF}\u{3FF}", "z7_Pvw"),
  ])
  func `base64url has no padding and its own two letters`(plain: String, encoded: String) {
    #expect(base64url(Array(plain.utf8)) == encoded)
    #expect(decodedBase64url(encoded) == Array(plain.utf8))
  }

  @Test func `what is not base64url is not decoded`() {
    #expect(decodedBase64url("a b") == nil)
    #expect(decodedBase64url("Zg==") == Array("f".utf8))
  }

  @Test func `a request names the account, or the key where there is no account yet`() throws {
    func parts(_ account: String?) throws -> [String] {
      let request = text(
        try signedRequest(
          nil, to: "https://ca.example/new", nonce: "n-1", account: account, key: key
        ).minified)
      return request.split(separator: "\"").map(String.init)
    }
    let named = try parts("https://ca.example/acct/1")
    let header = try #require(decodedBase64url(named[3]).map(text))
    #expect(
      header
        == #"{"alg":"ES256","kid":"https://ca.example/acct/1","nonce":"n-1","#
        + #""url":"https://ca.example/new"}"#)
    // POST-as-GET has no payload.
    #expect(named[5] == "payload" && named[6] == ":" && named[7] == ",")
    let signature = try #require(named.last { decodedBase64url($0)?.count == 64 })
    #expect(decodedBase64url(signature)?.count == 64)
    let first = try #require(decodedBase64url(try parts(nil)[3]).map(text))
    #expect(first.contains(#""jwk":{"crv":"P-256""#) && !first.contains("kid"))
  }

  @Test(arguments: [
    ("kid: a-1\nkey: Zm9v\n", true), ("key: Zm9v\r\nkid: a-1\r\n", true),
    ("kid:a-1\nkey:Zm9v", true),
    ("kid: a-1\n", false), ("kid: \nkey: Zm9v\n", false), ("kid: a\nkey: ***\n", false),
    ("", false),
  ])
  func `a binding has an identifier and a key`(text: String, isRead: Bool) {
    #expect((ExternalAccount(text) != nil) == isRead)
  }

  @Test func `a binding is signed with its own key`() throws {
    let binding = try #require(ExternalAccount("kid: a-1\nkey: Zm9v\n"))
    let made = text(accountBinding(binding, of: key, to: "https://ca.example/acct").minified)
    let parts = made.split(separator: "\"").map(String.init)
    #expect(
      decodedBase64url(parts[3]).map(text)
        == #"{"alg":"HS256","kid":"a-1","url":"https://ca.example/acct"}"#)
    #expect(decodedBase64url(parts[7]) == jsonWebKey(of: key).minified)
    #expect(decodedBase64url(parts[11])?.count == 32)
  }
}
