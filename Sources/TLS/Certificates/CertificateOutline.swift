internal import Bytes

/// The fields of a certificate that are needed to serve it (RFC 5280 section 4.1), parsed without
/// OpenSSL.
struct CertificateOutline {
  let der: [UInt8]
  /// The range of the serial number's content in `der`. The content may begin with a zero octet
  /// that only marks the number as positive.
  let serial: Range<Int>
  /// The range of the encoded issuer name, to compare with the names of other certificates.
  let issuer: Range<Int>
  let subject: Range<Int>
  /// The first and the last second of the validity period, in seconds since 1970.
  let notBefore: Int64
  let notAfter: Int64
  let publicKey: PublicKeyOutline
  let names: CertificateNames

  /// Throws unless `der` is exactly one certificate in the forms that RFC 5280 prescribes.
  init(_ der: [UInt8]) throws(DER.Fault) {
    self.der = der
    let bytes = der.span
    var outermost = DER(0..<bytes.count)
    var certificate = try outermost.enter(DER.Tag.sequence, bytes)
    try outermost.finish()
    var body = try certificate.enter(DER.Tag.sequence, bytes)
    // Skip the signature, which only clients verify.
    _ = try certificate.next(DER.Tag.sequence, bytes)
    _ = try certificate.nextBits(bytes)
    try certificate.finish()

    _ = try body.nextIfPresent(DER.Tag.explicit(0), bytes)  // version
    serial = try body.next(DER.Tag.integer, bytes)
    _ = try body.next(DER.Tag.sequence, bytes)  // signature
    issuer = try body.next(DER.Tag.sequence, bytes)
    var validity = try body.enter(DER.Tag.sequence, bytes)
    notBefore = try time(validity.next(bytes), bytes)
    notAfter = try time(validity.next(bytes), bytes)
    try validity.finish()
    subject = try body.next(DER.Tag.sequence, bytes)
    publicKey = try PublicKeyOutline(body.next(DER.Tag.sequence, bytes), bytes)
    _ = try body.nextIfPresent(DER.Tag.implicit(1), bytes)  // issuerUniqueID
    _ = try body.nextIfPresent(DER.Tag.implicit(2), bytes)  // subjectUniqueID
    if let extensions = try body.nextIfPresent(DER.Tag.explicit(3), bytes) {
      names = try subjectAlternativeNames(extensions, bytes)
    } else {
      names = CertificateNames(hosts: [], addresses: [])
    }
    try body.finish()
  }

  /// Whether the names of issuer and subject are the same.
  var isSelfIssued: Bool { isIssued(by: self) }

  /// Returns whether this certificate's issuer is, byte for byte, the other certificate's subject.
  func isIssued(by other: CertificateOutline) -> Bool {
    let (bytes, others) = (der.span, other.der.span)
    return equal(bytes.extracting(issuer), others.extracting(other.subject))
  }
}

/// id-ce-subjectAltName, 2.5.29.17
private let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]

/// Reads the names in `Extensions ::= SEQUENCE OF SEQUENCE { extnID, critical DEFAULT FALSE,
/// extnValue }`.
private func subjectAlternativeNames(
  _ range: Range<Int>, _ bytes: Span<UInt8>
) throws(DER.Fault) -> CertificateNames {
  var outer = DER(range)
  var extensions = try outer.enter(DER.Tag.sequence, bytes)
  try outer.finish()
  var hosts: [[UInt8]] = []
  var addresses: [[UInt8]] = []
  var isFound = false
  while !extensions.isAtEnd {
    var entry = try extensions.enter(DER.Tag.sequence, bytes)
    let identifier = try entry.next(DER.Tag.objectIdentifier, bytes)
    _ = try entry.nextIfPresent(DER.Tag.boolean, bytes)
    let value = try entry.next(DER.Tag.octetString, bytes)
    try entry.finish()
    guard equal(bytes.extracting(identifier), subjectAlternativeName.span) else { continue }
    // "A certificate MUST NOT include more than one instance of a particular extension."
    guard !isFound else { throw DER.Fault() }
    isFound = true
    var content = DER(value)
    var names = try content.enter(DER.Tag.sequence, bytes)
    try content.finish()
    while !names.isAtEnd {
      let name = try names.next(bytes)
      switch name.tag {
      case DER.Tag.implicit(2): hosts.append(name.content.map { bytes[$0] })
      case DER.Tag.implicit(7): addresses.append(name.content.map { bytes[$0] })
      default: break  // mail addresses, URIs and so on
      }
    }
  }
  return CertificateNames(hosts: hosts, addresses: addresses)
}

/// Reads a `UTCTime` or `GeneralizedTime` in the forms of RFC 5280 section 4.1.2.5, `YYMMDDHHMMSSZ`
/// and `YYYYMMDDHHMMSSZ`. Returns seconds since 1970.
private func time(_ element: DER.Element, _ bytes: Span<UInt8>) throws(DER.Fault) -> Int64 {
  let text = element.content
  var position = text.lowerBound
  func number() throws(DER.Fault) -> Int {
    guard position + 2 <= text.upperBound, bytes[position].isDigit, bytes[position + 1].isDigit
    else { throw DER.Fault() }
    defer { position += 2 }
    return Int(bytes[position] - 0x30) * 10 + Int(bytes[position + 1] - 0x30)
  }
  var year: Int
  switch element.tag {
  case DER.Tag.utcTime:
    year = try number()
    year += year >= 50 ? 1900 : 2000
  case DER.Tag.generalizedTime: year = try number() * 100 + number()
  default: throw DER.Fault()
  }
  var time = CivilTime(year: year, month: try number(), day: try number())
  (time.hour, time.minute, time.second) = (try number(), try number(), try number())
  // Certificates cannot contain leap seconds.
  guard time.isValid, time.second < 60, position + 1 == text.upperBound,
    bytes[position] == UInt8(ascii: "Z")
  else { throw DER.Fault() }
  return time.seconds
}
