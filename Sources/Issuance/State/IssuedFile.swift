internal import Diagnostics
internal import Posix
internal import TLS

/// Facts about an issued certificate, which are read from the certificate's file.
package struct IssuedFile: Sendable, Equatable {
  /// The directory URL of the CA that issued the certificate.
  package let authority: String
  /// The time of issuance, in seconds since 1970; see `Moment.time(by:)`.
  package let issued: Int64
  package internal(set) var validity: Validity
  package let serial: String
  package let issuer: String
  /// The account that requested the certificate.
  package let account: String
  /// The requested profile; nil if the CA chose the profile.
  package let profile: String?
  /// The certificate's identifier in requests for its renewal window (RFC 9773 section 4.1).
  package internal(set) var renewalIdentifier: String?

  /// Nil if the file contains no certificate for the host, or does not say which CA issued it.
  init?(_ bytes: [UInt8], for host: String) {
    guard let head = stateObject(bytes), let chain = IssuedChain(pem: bytes),
      let authority = head.text("authority"), chain.names.covers(host: Array(host.utf8).span)
    else { return nil }
    self.init(
      chain, authority: authority, account: head.text("account") ?? "",
      profile: head.text("profile"), issued: head.time("issued") ?? chain.notBefore)
  }

  init(_ chain: IssuedChain, authority: String, account: String, profile: String?, issued: Int64) {
    renewalIdentifier = chain.renewalIdentifier.map {
      base64url($0.authorityKey) + "." + base64url($0.serial)
    }
    (self.authority, self.account, self.profile) = (authority, account, profile)
    (self.issued, serial, issuer) = (issued, chain.serial, chain.issuer)
    validity = Validity(notBefore: chain.notBefore, notAfter: chain.notAfter)
  }
}

extension StateFolder {
  /// Writes the key and the chain to one file, so that they always match.
  func install(
    _ file: IssuedFile, _ chain: IssuedChain, _ key: SigningKey, for host: String
  ) throws(StoreFault) {
    let head = stateText([
      "authority": file.authority.json, "account": file.account.json,
      "profile": file.profile?.json, "issued": file.issued.json,
    ])
    try writeSecret("# " + head, key, chain.pem, to: certificate(host))
  }

  /// Returns the certificates in the certificates folder, keyed by host.
  package func issuedFiles() -> [String: IssuedFile] {
    var result: [String: IssuedFile] = [:]
    for name in (try? store.names(in: certificates)) ?? [] where name.hasSuffix(".pem") {
      let host = Self.host(String(name.dropLast(4)))
      result[host] = issuedFile(host)
    }
    return result
  }

  package func issuedFile(_ host: String) -> IssuedFile? {
    try? store.readSecret(certificate(host), limit: 1_048_576) { IssuedFile($0, for: host) }
  }
}
