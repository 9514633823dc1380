internal import Bytes
internal import COpenSSL
internal import Diagnostics

/// A chain as issued by a CA, before it has been checked.
package struct IssuedChain: Sendable {
  /// The chain, with the server's own certificate first.
  private let certificates: [X509]
  package let notBefore: Int64
  package let notAfter: Int64
  /// The serial number of the server's own certificate, in hexadecimal digits.
  package let serial: String
  package let names: CertificateNames
  /// The issuer's common name, or the whole issuer name if it has no common name.
  package let issuer: String

  /// Reads PEM text, which may also contain a private key; nil if the text has no certificate or an
  /// unreadable certificate.
  package init?(pem: [UInt8]) {
    let source = SourceText(path: "", bytes: pem)
    guard let found = try? TLS.certificates(in: source) else { return nil }
    self.init(found)
  }

  private init?(_ found: [X509]) {
    guard found.count <= TLSLimits.chainCertificates, let leaf = found.first,
      let validity = leaf.validity
    else { return nil }
    certificates = found
    (notBefore, notAfter) = validity
    serial = leaf.serial
    names = leaf.names
    issuer = leaf.issuer
  }

  /// Returns the chain and the key of a served certificate, so that the caller can write a lost
  /// file again. Returns nil if OpenSSL cannot read the chain or the key.
  package static func served(_ certificate: Certificate) -> (chain: IssuedChain, key: SigningKey)? {
    guard let usable = certificate.decoded(),
      let chain = IssuedChain([usable.leaf] + usable.intermediates)
    else { return nil }
    return (chain, SigningKey(usable.key))
  }

  /// The certificates as PEM text, without any other text that the CA sent.
  package var pem: [UInt8] { PEM.text(certificates: certificates.map(\.der)) }

  /// The DER encoding of the server's own certificate.
  package var leaf: [UInt8] { certificates[0].der }

  /// Returns why the chain cannot be served for these names with this key; nil if the chain can be
  /// served.
  ///
  /// - Parameters:
  ///   - trust: The roots at which the chain must end; nil to accept any root, such as a test CA's
  ///     root.
  ///   - now: The current time, in seconds since 1970.
  package func fault(
    names wanted: [String], key: SigningKey, trust: TrustStore?, now: Int64
  ) -> String? {
    guard certificates[0].matches(key.key) else { return "the certificate is for a different key" }
    for name in wanted where !names.covers(host: Array(name.utf8).span) {
      return "the certificate does not have the name \(name)"
    }
    if names.hosts.count + names.addresses.count != wanted.count {
      return "the certificate has names that were not requested"
    }
    // Accept a chain whose validity period begins within an hour, because the clocks of the CA and
    // of this machine may differ.
    if notBefore > now + 3600 { return "the certificate is not valid yet" }
    if notAfter <= now { return "it has expired" }
    guard let trust else { return nil }
    let verification = verify(
      certificates, host: wanted.first ?? "", trust: trust, now: max(now, notBefore))
    return verification.faults.first?.description
  }

  /// The issuer's key identifier and the serial number. Together they identify the certificate in
  /// requests for renewal information (RFC 9773 section 4.1). Nil if the certificate does not
  /// contain the issuer's key identifier.
  package var renewalIdentifier: (authorityKey: [UInt8], serial: [UInt8])? {
    let leaf = certificates[0]
    guard let identifier = unsafe X509_get0_authority_key_id(leaf.handle.pointer) else {
      return nil
    }
    let count = unsafe Int(ASN1_STRING_length(identifier))
    let key = unsafe Array(
      UnsafeBufferPointer(start: ASN1_STRING_get0_data(identifier), count: count))
    guard let outline = leaf.serialContent else { return nil }
    return (key, outline)
  }
}

extension Certificate {
  /// The serial number of the server's own certificate, in hexadecimal digits; nil if OpenSSL
  /// cannot read the certificate.
  package var serial: String? {
    // Avoid OpenSSL, which is slow to decode a certificate, because callers read this property
    // often while they wait for a new certificate.
    guard let outline = try? CertificateOutline(leaf) else { return X509(der: leaf)?.serial }
    return leaf[outline.serial].hexText
  }
}

extension X509 {
  /// The serial number in hexadecimal digits.
  var serial: String { (serialContent ?? []).hexText }

  /// The content octets of the encoded serial number. The first octet may be a zero that only marks
  /// the number as positive.
  var serialContent: [UInt8]? {
    let number = unsafe X509_get0_serialNumber(handle.pointer)
    guard let bytes = unsafe encoding({ unsafe i2d_ASN1_INTEGER(number, $0) }), bytes.count > 2
    else { return nil }
    // Skip the tag and the length. The length takes one octet, because a serial number has at most
    // 20 octets.
    return Array(bytes.dropFirst(2))
  }
}
