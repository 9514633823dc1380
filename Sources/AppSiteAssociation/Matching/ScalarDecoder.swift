/// Converts bytes to Unicode scalars, byte by byte. Each byte that is not UTF-8 (RFC 3629 section
/// 4) becomes a number beyond Unicode: `0x110000` plus the byte.
struct ScalarDecoder {
  /// The bytes of the current sequence; `missing` counts the bytes still to come.
  private var sequence: [UInt8] = []
  private var missing = 0
  /// The range of the next byte.
  private var next: ClosedRange<UInt8> = 0x80...0xBF
  private var value: UInt32 = 0

  mutating func take(_ byte: UInt8, into scalars: inout [UInt32]) {
    if missing > 0 {
      if next.contains(byte) {
        sequence.append(byte)
        missing -= 1
        next = 0x80...0xBF
        value = value << 6 | UInt32(byte & 0x3F)
        if missing == 0 {
          scalars.append(value)
          sequence.removeAll(keepingCapacity: true)
        }
        return
      }
      finish(into: &scalars)
    }
    if let form = Self.form(ofLead: byte) {
      sequence.append(byte)
      (missing, next) = (form.missing, form.second)
      value = UInt32(byte) & (0x3F >> UInt32(missing))
    } else {
      scalars.append(byte < 0x80 ? UInt32(byte) : Self.beyondUnicode | UInt32(byte))
    }
  }

  /// Abandons an unfinished sequence.
  mutating func finish(into scalars: inout [UInt32]) {
    for byte in sequence { scalars.append(Self.beyondUnicode | UInt32(byte)) }
    sequence.removeAll(keepingCapacity: true)
    missing = 0
  }

  static let beyondUnicode: UInt32 = 0x110000

  /// Returns how many bytes follow the first byte of a sequence, and the valid second bytes, which
  /// exclude overlong forms, surrogates and values beyond U+10FFFF. Nil if no sequence begins with
  /// the byte.
  static func form(ofLead byte: UInt8) -> (missing: Int, second: ClosedRange<UInt8>)? {
    switch byte {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    default: nil
    }
  }
}
