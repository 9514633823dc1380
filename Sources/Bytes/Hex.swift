extension UInt8 {
  /// The value of a hexadecimal digit in either case; nil for any other byte.
  @inlinable @inline(__always)
  package var hexValue: UInt8? {
    if isDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }

  /// The upper-case digit of a number below 16.
  package static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x41 - 10 + value
  }

  /// The percent-encoded byte, such as `%20`, in upper case (RFC 3986 section 2.1).
  package var percentEncoded: String { "%" + hexText(uppercase: true) }

  fileprivate func hexText(uppercase: Bool) -> String {
    (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
  }
}

extension Unicode.Scalar {
  /// The UTF-8 bytes percent-encoded, such as `%C3%A9` for é.
  package var percentEncoded: String { String(self).utf8.map(\.percentEncoded).joined() }
}

extension String {
  /// The text percent-encoded, except ASCII letters, digits and `-._~/`.
  package var percentEncodedPath: String {
    utf8.map { byte in
      let isPlain = byte.isLetter || byte.isDigit || "-._~/".utf8.contains(byte)
      return isPlain ? String(Unicode.Scalar(byte)) : byte.percentEncoded
    }.joined()
  }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits for each byte, in lower case.
  package var hexText: String { map { $0.hexText(uppercase: false) }.joined() }

  /// The bytes with percent-encodings decoded (RFC 3986 section 2.1). Invalid encodings stay
  /// unchanged.
  package var percentDecoded: [UInt8] {
    let bytes = Array(self)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }
}
