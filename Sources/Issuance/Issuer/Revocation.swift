internal import Bytes
internal import Client
package import Diagnostics
internal import Posix
internal import TLS

/// Why a certificate is revoked (RFC 5280 section 5.3.1).
package enum RevocationReason: Int, Sendable {
  case unspecified = 0
  /// Someone else may have the key.
  case keyCompromise = 1
}

/// Revokes a host's certificate at the CA that issued it (RFC 8555 section 7.6). Signs the request
/// with the certificate's own key, because the account may have changed since the issuance.
///
/// - Parameters:
///   - roots: The roots of a private CA; nil to trust only the system's roots.
///   - variables: The environment variables. Only HTTPS_PROXY, ALL_PROXY and NO_PROXY are used, in
///     upper or lower case.
package func revoke(
  _ host: String, in folder: StateFolder, roots: SourceText?, reason: RevocationReason,
  variables: [String: String]
) throws(IssuanceFailure) {
  let (name, path) = (folder.certificate(host), folder.certificatePath(host))
  guard var bytes = try stored(try folder.store.read(name, limit: 1_048_576)) else {
    throw .storage("open \(path): No such file or directory")
  }
  defer { cleanse(&bytes) }
  guard let file = IssuedFile(bytes, for: host), let chain = IssuedChain(pem: bytes),
    let key = SigningKey(pem: bytes)
  else { throw .unfit("\(path) was not written by aasa") }
  // Ask the CA even if the record cannot be written, for example because the disk is full.
  try? folder.noteRevocation(of: chain.leaf)
  let context: ClientContext
  do {
    context = try ClientContext(trust: try TrustStore.system(and: roots))
  } catch {
    throw .unfit("\(error)")
  }
  let client = AuthorityClient(
    Authority(name: file.authority, url: file.authority), key: key, context: context,
    variables: variables)
  guard let url = try client.directory().revokeCertificate else {
    throw .noAnswer("the CA does not support revocation")
  }
  let payload: JSONTree = [
    "certificate": base64url(chain.leaf).json, "reason": reason.rawValue.json,
  ]
  do throws(IssuanceFailure) {
    _ = try client.post(payload, to: url, by: key)
  } catch {
    guard error.problem?.type == "alreadyRevoked" else { throw error }
  }
}

extension StateFolder {
  /// Records that a certificate is to be revoked. The server then keeps no copy of the certificate
  /// and its key for its next start.
  ///
  /// - Parameter leaf: The DER encoding of the certificate.
  func noteRevocation(of leaf: [UInt8]) throws(StoreFault) {
    // Remove records that are older than the maximum validity of a certificate.
    let end = Clock.wallSeconds() - IssuanceLimits.longestCertificate
    for name in store.files(in: revoked) {
      if let found = store.status(name), found.modifiedSeconds < end { try? store.remove(name) }
    }
    try write("", to: revoked + "/" + Digest.sha256(leaf.span).hexText)
  }
}
