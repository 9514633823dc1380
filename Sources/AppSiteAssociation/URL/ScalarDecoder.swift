/// Turns bytes into Unicode scalars, byte by byte. Bytes that are no UTF-8 (RFC 3629 section 4)
/// become numbers beyond Unicode: `0x110000` and the byte.
struct ScalarDecoder {
  /// What has come of a sequence: its bytes and how many more it needs.
  private var pending: [4 of UInt8] = [0, 0, 0, 0]
  private var count = 0
  private var missing = 0
  private var value: UInt32 = 0

  mutating func take(_ byte: UInt8, into scalars: inout [UInt32]) {
    if missing > 0 {
      if byte & 0xC0 == 0x80, isAllowed(byte) {
        pending[count] = byte
        count += 1
        missing -= 1
        value = value << 6 | UInt32(byte & 0x3F)
        if missing == 0 {
          scalars.append(value)
          count = 0
        }
        return
      }
      finish(into: &scalars)
    }
    switch byte {
    case 0x00...0x7F: scalars.append(UInt32(byte))
    case 0xC2...0xDF: begin(byte, missing: 1, bits: 0x1F)
    case 0xE0...0xEF: begin(byte, missing: 2, bits: 0x0F)
    case 0xF0...0xF4: begin(byte, missing: 3, bits: 0x07)
    default: scalars.append(Self.beyondUnicode | UInt32(byte))
    }
  }

  /// Gives up an unfinished sequence.
  mutating func finish(into scalars: inout [UInt32]) {
    for index in 0..<count { scalars.append(Self.beyondUnicode | UInt32(pending[index])) }
    count = 0
    missing = 0
  }

  static let beyondUnicode: UInt32 = 0x110000

  private mutating func begin(_ byte: UInt8, missing: Int, bits: UInt8) {
    pending[0] = byte
    count = 1
    self.missing = missing
    value = UInt32(byte & bits)
  }

  /// The second byte excludes overlong forms, surrogates and what is beyond U+10FFFF.
  private func isAllowed(_ byte: UInt8) -> Bool {
    guard count == 1 else { return true }
    return switch pending[0] {
    case 0xE0: byte >= 0xA0
    case 0xED: byte < 0xA0
    case 0xF0: byte >= 0x90
    case 0xF4: byte < 0x90
    default: true
    }
  }
}
