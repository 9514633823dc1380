internal import Bytes
internal import Diagnostics
package import TLS

/// Returns bytes as base64url without padding.
func base64url(_ bytes: [UInt8]) -> String { Base64.encodeForURL(bytes) }

/// Returns the public part of an account's key as a JSON Web Key (RFC 7517). The members are in the
/// order that the thumbprint requires.
func jsonWebKey(of key: SigningKey) -> JSONTree {
  let point = key.publicPoint ?? ([], [])
  return [
    "crv": "P-256", "kty": "EC", "x": base64url(point.x).json, "y": base64url(point.y).json,
  ]
}

/// Returns the thumbprint that identifies a key in challenges (RFC 7638).
package func thumbprint(of key: SigningKey) -> String {
  base64url(Digest.sha256(jsonWebKey(of: key).minified.span))
}

/// Returns a signed ACME request (RFC 8555 section 6.2) as a flattened JWS with ES256.
///
/// - Parameters:
///   - account: The account's URL; nil to send the public key instead.
///   - payload: The payload; nil for POST-as-GET.
///   - nonce: The nonce; nil for the inner request of a key change.
func signedRequest(
  _ payload: JSONTree?, to url: String, nonce: String?, account: String?, key: SigningKey
) throws(TLSError) -> JSONTree {
  let header: JSONTree = [
    "alg": "ES256", "kid": account?.json, "jwk": account == nil ? jsonWebKey(of: key) : nil,
    "nonce": nonce?.json, "url": url.json,
  ]
  let protected = base64url(header.minified)
  let content = payload.map { base64url($0.minified) } ?? ""
  let signature = try key.sign(Array("\(protected).\(content)".utf8))
  return signedText(protected, content, signature)
}

/// Returns the external account binding for the request that creates an account (RFC 8555 section
/// 7.3.4).
func accountBinding(_ binding: ExternalAccount, of key: SigningKey, to url: String) -> JSONTree {
  let header: JSONTree = ["alg": "HS256", "kid": binding.identifier.json, "url": url.json]
  let protected = base64url(header.minified)
  let content = base64url(jsonWebKey(of: key).minified)
  let code = authenticationCode(Array("\(protected).\(content)".utf8), key: binding.key)
  return signedText(protected, content, code)
}

private func signedText(_ protected: String, _ payload: String, _ signature: [UInt8]) -> JSONTree {
  [
    "protected": protected.json, "payload": payload.json, "signature": base64url(signature).json,
  ]
}

/// An account at the CA that was created outside ACME.
package struct ExternalAccount: Sendable, Equatable {
  let identifier: String
  let key: [UInt8]

  /// Reads the lines `kid: …` and `key: …`. Nil if a line is missing, or if the key is not
  /// base64url.
  package init?(_ text: String) {
    var values: [Substring: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = trimmed(line[line.index(after: colon)...])
    }
    guard let identifier = values["kid"], let text = values["key"], !identifier.isEmpty,
      let key = decodedBase64url(text), !key.isEmpty
    else { return nil }
    self.identifier = identifier
    self.key = key
  }
}
