internal import Bytes
internal import COpenSSL
internal import Diagnostics

/// A chain as a CA issued it, to be checked before it is served.
package struct IssuedChain: Sendable {
  /// The server's own certificate first.
  private let certificates: [X509]
  package let notBefore: Int64
  package let notAfter: Int64
  /// Of the server's own certificate, in hexadecimal digits.
  package let serial: String
  package let names: CertificateNames
  /// Who issued it, in words.
  package let issuer: String

  /// Reads PEM text, in which there may be a private key too; nil when there is no certificate in it,
  /// or one that cannot be read.
  package init?(pem: [UInt8]) {
    let source = SourceText(path: "", bytes: pem)
    guard let found = try? TLS.certificates(in: source), found.count <= Limits.chainCertificates,
      let leaf = found.first, let validity = leaf.validity
    else { return nil }
    certificates = found
    (notBefore, notAfter) = validity
    serial = leaf.serial
    names = leaf.names
    issuer = leaf.issuer
  }

  /// The certificates alone as PEM text, whatever else the CA wrote around them.
  package var pem: [UInt8] {
    certificates.flatMap { PEM.text("CERTIFICATE", $0.der.span) }
  }

  /// The DER encoding of the server's own certificate.
  package var leaf: [UInt8] { certificates[0].der }

  /// Why it cannot be served for these names with this key; nil when it can.
  ///
  /// - Parameters:
  ///   - trust: where the chain must end; nil when that does not matter, as with a CA for tests.
  ///   - now: seconds since 1970.
  package func fault(
    names wanted: [String], key: SigningKey, trust: TrustStore?, now: Int64
  ) -> String? {
    guard certificates[0].matches(key.key) else { return "it is for another key" }
    for name in wanted where !names.covers(host: Array(name.utf8).span) {
      return "it does not have the name \(name)"
    }
    if names.hosts.count + names.addresses.count != wanted.count {
      return "it has other names than were asked for"
    }
    // An hour, because CAs date certificates back and clocks differ.
    if notBefore > now + 3600 { return "it is not valid yet" }
    if notAfter <= now { return "it has expired" }
    guard let trust else { return nil }
    let verification = verify(
      certificates, host: wanted.first ?? "", trust: trust, now: max(now, notBefore))
    return verification.faults.first?.description
  }

  /// What names the certificate when its renewal window is asked for (RFC 9773 section 4.1): the
  /// issuer's key identifier and the content of the serial number; nil without the former.
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

extension X509 {
  /// The serial number in hexadecimal digits.
  var serial: String { (serialContent ?? []).hexText }

  /// The content octets of the serial number's encoding: a leading zero is a part of it.
  var serialContent: [UInt8]? {
    let number = unsafe X509_get0_serialNumber(handle.pointer)
    let count = unsafe i2d_ASN1_INTEGER(number, nil)
    guard count > 2 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var position = buffer.baseAddress
      _ = unsafe i2d_ASN1_INTEGER(number, &position)
    }
    // Identifier and length are one octet each: no serial number has more than 20 octets.
    return Array(bytes.dropFirst(2))
  }
}
