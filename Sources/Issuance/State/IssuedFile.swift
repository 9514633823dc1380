internal import JSON
internal import Posix
internal import TLS

/// What is known of an issued certificate, from its file.
package struct IssuedFile: Sendable, Equatable {
  /// The URL of the directory that it was asked at.
  package let authority: String
  /// When it was issued by our clock, in seconds since 1970.
  package let issued: Int64
  package internal(set) var validity: Validity
  package let serial: String
  package let issuer: String
  /// The account that asked for it.
  package let account: String
  /// What was asked for; nil when the CA chose.
  package let profile: String?
  /// What names it when its renewal window is asked for (RFC 9773 section 4.1).
  package internal(set) var renewalIdentifier: String?

  /// Nil when there is no certificate for the host in the bytes, or they do not say where it is from.
  init?(_ bytes: [UInt8], for host: String) {
    guard let head = stateObject(bytes), let chain = IssuedChain(pem: bytes),
      let authority = head.text("authority"), chain.names.covers(host: Array(host.utf8).span)
    else { return nil }
    self.init(
      chain, authority: authority, account: head.text("account") ?? "",
      profile: head.text("profile"), issued: head.time("issued") ?? chain.notBefore)
  }

  init(
    _ chain: IssuedChain, authority: String, account: String, profile: String?, issued: Int64
  ) {
    renewalIdentifier = chain.renewalIdentifier.map {
      base64url($0.authorityKey) + "." + base64url($0.serial)
    }
    (self.authority, self.account, self.profile) = (authority, account, profile)
    (self.issued, serial, issuer) = (issued, chain.serial, chain.issuer)
    validity = Validity(notBefore: chain.notBefore, notAfter: chain.notAfter)
  }
}

extension StateFolder {
  /// Writes key and chain as one file, so that they never get out of step.
  func install(
    _ file: IssuedFile, _ chain: IssuedChain, _ key: SigningKey, for host: String
  ) throws(SystemError) {
    let head = stateText([
      ("authority", .text(file.authority)), ("account", .text(file.account)),
      ("profile", file.profile.map(Tree.text)), ("issued", .number(file.issued)),
    ])
    try writeSecret("# " + head, key, chain.pem, to: certificate(host))
  }

  /// What is in the folder of certificates, by host.
  package func issuedFiles() -> [String: IssuedFile] {
    var result: [String: IssuedFile] = [:]
    for name in (try? listDirectory(certificates)) ?? []
    where name.hasSuffix(".pem") && !name.hasPrefix(".") {
      let host = Self.host(name.dropLast(4))
      result[host] = issuedFile(host)
    }
    return result
  }

  package func issuedFile(_ host: String) -> IssuedFile? {
    guard var bytes = try? readFile(certificate(host), limit: 1_048_576) else { return nil }
    defer { cleanse(&bytes) }
    return IssuedFile(bytes, for: host)
  }
}
