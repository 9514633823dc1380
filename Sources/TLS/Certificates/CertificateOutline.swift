/// The fields of a certificate that serving it needs (RFC 5280 section 4.1), parsed without
/// OpenSSL.
struct CertificateOutline {
  let der: [UInt8]
  /// The range of the encoded name, to be compared with those of other certificates.
  let issuer: Range<Int>
  let subject: Range<Int>
  /// Seconds since 1970.
  let notBefore: Int64
  let notAfter: Int64
  let publicKey: PublicKeyOutline
  let names: CertificateNames

  /// Throws if `der` is not one certificate in the forms that RFC 5280 prescribes.
  init(_ der: [UInt8]) throws(DER.Fault) {
    self.der = der
    let bytes = der.span
    var outermost = DER(0..<bytes.count)
    var certificate = try outermost.enter(DER.Tag.sequence, bytes)
    try outermost.finish()
    var body = try certificate.enter(DER.Tag.sequence, bytes)
    // The signature is verified by clients only.
    _ = try certificate.next(DER.Tag.sequence, bytes)
    _ = try certificate.nextBits(bytes)
    try certificate.finish()

    _ = try body.nextIfPresent(DER.Tag.explicit(0), bytes)  // version
    _ = try body.next(DER.Tag.integer, bytes)  // serialNumber
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

  /// Whether the issuer's name is the subject's.
  var isSelfIssued: Bool { isIssued(by: self) }

  /// Whether the other's subject is the issuer named here, in exactly the same bytes.
  func isIssued(by other: CertificateOutline) -> Bool {
    let (bytes, others) = (der.span, other.der.span)
    return equal(bytes.extracting(issuer), others.extracting(other.subject))
  }
}

/// id-ce-subjectAltName, 2.5.29.17
private let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]

/// The names in `Extensions ::= SEQUENCE OF SEQUENCE { extnID, critical DEFAULT FALSE, extnValue }`.
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

/// Seconds since 1970 of a `UTCTime` or `GeneralizedTime` in the forms of RFC 5280 section 4.1.2.5:
/// `YYMMDDHHMMSSZ`, `YYYYMMDDHHMMSSZ`.
private func time(_ element: DER.Element, _ bytes: Span<UInt8>) throws(DER.Fault) -> Int64 {
  let text = element.content
  var position = text.lowerBound
  func number(_ range: ClosedRange<Int64>) throws(DER.Fault) -> Int64 {
    guard position + 2 <= text.upperBound else { throw DER.Fault() }
    let (tens, ones) = (Int64(bytes[position]) - 0x30, Int64(bytes[position + 1]) - 0x30)
    position += 2
    guard (0...9).contains(tens), (0...9).contains(ones), range.contains(10 * tens + ones) else {
      throw DER.Fault()
    }
    return 10 * tens + ones
  }
  var year: Int64
  switch element.tag {
  case DER.Tag.utcTime:
    year = try number(0...99)
    year += year >= 50 ? 1900 : 2000
  case DER.Tag.generalizedTime: year = try number(0...99) * 100 + number(0...99)
  default: throw DER.Fault()
  }
  let month = try number(1...12)
  let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let length: Int64 = month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  let day = try number(1...length)
  let (hour, minute, second) = (try number(0...23), try number(0...59), try number(0...59))
  guard position + 1 == text.upperBound, bytes[position] == UInt8(ascii: "Z") else {
    throw DER.Fault()
  }
  // Years are counted from March, as in `day(_:)`.
  let shifted = (month + 9) % 12
  let marchYear = month <= 2 ? year - 1 : year
  let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
  let yearOfEra = marchYear - era * 400
  let days =
    era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100
    + (153 * shifted + 2) / 5 + day - 1 - 719_468
  return days * 86_400 + hour * 3600 + minute * 60 + second
}
