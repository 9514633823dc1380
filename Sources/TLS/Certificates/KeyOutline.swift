/// The public key of a certificate (RFC 5280 section 4.1.2.7), for the kinds that servers use.
enum PublicKeyOutline: Equatable {
  /// A point on one of the curves for signatures in TLS 1.3 (RFC 8446 section 4.2.3).
  case elliptic(Curve, point: Range<Int>)
  case rsa(modulus: Range<Int>, exponent: Range<Int>)
  case other

  /// - Parameter range: The content of a `SubjectPublicKeyInfo`.
  init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(DER.Fault) {
    var information = DER(range)
    let algorithm = try KeyAlgorithm(information.next(DER.Tag.sequence, bytes), bytes)
    let key = try information.nextBits(bytes)
    try information.finish()
    switch algorithm {
    case .elliptic(let curve?): self = .elliptic(curve, point: key)
    case .elliptic(nil), .other: self = .other
    case .rsa:
      var outermost = DER(key)
      var numbers = try outermost.enter(DER.Tag.sequence, bytes)
      try outermost.finish()
      self = .rsa(modulus: try numbers.nextNumber(bytes), exponent: try numbers.nextNumber(bytes))
      try numbers.finish()
    }
  }

  /// The number of bits of an RSA modulus.
  static func bits(_ modulus: Range<Int>, _ bytes: Span<UInt8>) -> Int {
    modulus.isEmpty
      ? 0 : modulus.count * 8 - bytes[modulus.lowerBound].leadingZeroBitCount
  }
}

/// A curve for signatures in TLS 1.3. The raw value is OpenSSL's name for the curve.
enum Curve: String, CaseIterable {
  case p256 = "prime256v1"
  case p384 = "secp384r1"
  case p521 = "secp521r1"

  /// The content of the curve's object identifier (RFC 5480 section 2.1.1.1).
  fileprivate var identifier: [UInt8] {
    switch self {
    case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
    }
  }

  fileprivate static func named(_ identifier: Range<Int>, _ bytes: Span<UInt8>) -> Curve? {
    for curve in allCases
    where equal(bytes.extracting(identifier), curve.identifier.span) {
      return curve
    }
    return nil
  }
}

/// `AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }`
private enum KeyAlgorithm {
  /// Nil if the curve is not in `Curve`, or if explicit parameters describe the curve.
  case elliptic(Curve?)
  case rsa
  case other

  init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(DER.Fault) {
    var content = DER(range)
    let identifier = bytes.extracting(try content.next(DER.Tag.objectIdentifier, bytes))
    if equal(identifier, Self.ellipticKey.span) {
      let curve = try content.nextIfPresent(DER.Tag.objectIdentifier, bytes)
      self = .elliptic(curve.flatMap { Curve.named($0, bytes) })
    } else {
      self = equal(identifier, Self.rsaKey.span) ? .rsa : .other
    }
  }

  /// id-ecPublicKey, 1.2.840.10045.2.1
  private static let ellipticKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  /// rsaEncryption, 1.2.840.113549.1.1.1
  private static let rsaKey: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
}

/// The byte ranges of the numbers in a private key, including the numbers of its public key.
enum KeyOutline: Equatable {
  case elliptic(Curve, number: Range<Int>, point: Range<Int>)
  /// The eight numbers in the order of PKCS #1: the modulus, the public and the private exponent,
  /// two primes, two exponents and the coefficient.
  case rsa([Range<Int>])

  /// Reads a key in the form of PKCS #8 (RFC 5958), SEC 1 (RFC 5915) or PKCS #1 (RFC 8017 appendix
  /// A.1.2). Throws if the form is different, the kind of the key is not supported, or the key does
  /// not include its public key.
  init(_ bytes: Span<UInt8>) throws(DER.Fault) {
    var outermost = DER(0..<bytes.count)
    let whole = try outermost.next(DER.Tag.sequence, bytes)
    try outermost.finish()
    var content = DER(whole)
    _ = try content.next(DER.Tag.integer, bytes)  // version
    switch content.nextTag(bytes) {
    case DER.Tag.sequence:
      let algorithm = try KeyAlgorithm(content.next(DER.Tag.sequence, bytes), bytes)
      var key = DER(try content.next(DER.Tag.octetString, bytes))
      let inner = try key.next(DER.Tag.sequence, bytes)
      try key.finish()
      switch algorithm {
      case .elliptic(let curve?): self = try Self.elliptic(inner, on: curve, bytes)
      case .rsa: self = try Self.rsa(inner, bytes)
      case .elliptic(nil), .other: throw DER.Fault()
      }
    case DER.Tag.octetString: self = try Self.elliptic(whole, on: nil, bytes)
    default: self = try Self.rsa(whole, bytes)
    }
  }

  /// `ECPrivateKey ::= SEQUENCE { version (1), privateKey, [0] parameters OPTIONAL, [1] publicKey
  /// OPTIONAL }`
  private static func elliptic(
    _ range: Range<Int>, on outer: Curve?, _ bytes: Span<UInt8>
  ) throws(DER.Fault) -> KeyOutline {
    var content = DER(range)
    _ = try content.nextNumber(bytes)
    let number = try content.next(DER.Tag.octetString, bytes)
    var curve = outer
    if let parameters = try content.nextIfPresent(DER.Tag.explicit(0), bytes) {
      var inner = DER(parameters)
      let named = Curve.named(try inner.next(DER.Tag.objectIdentifier, bytes), bytes)
      guard outer == nil || outer == named else { throw DER.Fault() }
      curve = named
    }
    var tail = try content.enter(DER.Tag.explicit(1), bytes)
    let point = try tail.nextBits(bytes)
    try tail.finish()
    try content.finish()
    guard let curve, !number.isEmpty else { throw DER.Fault() }
    return .elliptic(curve, number: number, point: point)
  }

  private static func rsa(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(DER.Fault) -> KeyOutline {
    var content = DER(range)
    let version = try content.nextNumber(bytes)
    // Only version 0 has exactly two primes.
    guard version.count == 1, bytes[version.lowerBound] == 0 else { throw DER.Fault() }
    var numbers: [Range<Int>] = []
    for _ in 0..<8 { numbers.append(try content.nextNumber(bytes)) }
    try content.finish()
    return .rsa(numbers)
  }

  /// Returns the kind of the key if `certificate` contains the matching public key and clients
  /// accept the key's size; otherwise nil.
  ///
  /// - Parameter bytes: The encoded private key that this outline describes.
  func kind(for certificate: CertificateOutline, _ bytes: Span<UInt8>) -> Certificate.Kind? {
    let other = certificate.der.span
    switch (self, certificate.publicKey) {
    case (.elliptic(let curve, _, let point), .elliptic(let otherCurve, let otherPoint)):
      return curve == otherCurve && equal(bytes.extracting(point), other.extracting(otherPoint))
        ? .ecdsa : nil
    case (.rsa(let numbers), .rsa(let modulus, let exponent)):
      return PublicKeyOutline.bits(modulus, other) >= TLSLimits.rsaKeyBits
        && equal(bytes.extracting(numbers[0]), other.extracting(modulus))
        && equal(bytes.extracting(numbers[1]), other.extracting(exponent)) ? .rsa : nil
    default: return nil
    }
  }
}
