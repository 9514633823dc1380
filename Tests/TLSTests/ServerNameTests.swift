import TLSTestSupport
import Testing

@testable import TLS

@Suite struct ServerNameTests {
  /// A ServerNameList of entries (type, name).
  private static func list(_ entries: [(UInt8, [UInt8])]) -> [UInt8] {
    let body = entries.flatMap { type, name in
      [type, UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name
    }
    return [UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
  }

  private static let host = Array("Example.COM".utf8)
  private static let atLimit = [UInt8](repeating: 0x61, count: TLSLimits.serverNameBytes)

  @Test(
    arguments: [
      // RFC 6066 section 3: one host name, compared without case.
      (list([(0, host)]), .name(Array("example.com".utf8))),
      // Another type of name before, after, alone: passed over.
      (list([(1, [9, 9]), (0, host)]), .name(Array("example.com".utf8))),
      (list([(0, host), (7, [9])]), .name(Array("example.com".utf8))),
      (list([(1, [9, 9])]), .noName),
      // An address is not a host name; a name that only resembles one is.
      (list([(0, Array("127.0.0.1".utf8))]), .noName),
      (list([(0, Array("::1".utf8))]), .noName),
      (list([(0, Array("1.2.3.example".utf8))]), .name(Array("1.2.3.example".utf8))),
      // A trailing dot is not a part of the name, and not of its length.
      (list([(0, Array("Example.com.".utf8))]), .name(Array("example.com".utf8))),
      (list([(0, atLimit + [0x2E])]), .name(atLimit)),
      (list([(0, Array("127.0.0.1.".utf8))]), .noName),
      (list([(0, Array(".".utf8))]), .malformed),
      (list([(0, Array("example.com..".utf8))]), .malformed),
      // Two host names.
      (list([(0, host), (0, host)]), .malformed),
      // The longest name, and one byte more.
      (list([(0, atLimit)]), .name(atLimit)),
      (list([(0, atLimit + [0x61])]), .malformed),
      // Empty: the extension, the list, the name.
      ([], .malformed),
      ([0, 0], .malformed),
      (list([(0, [])]), .malformed),
      // The list's length is not the extension's.
      (list([(0, host)]) + [0], .malformed),
      ([0, 1] + list([(0, host)]).dropFirst(2), .malformed),
      ([0xFF, 0xFF] + list([(0, host)]).dropFirst(2), .malformed),
      // Bytes no host name has: NUL, space, LF, DEL, beyond ASCII.
      (list([(0, Array("a\0b".utf8))]), .malformed),
      (list([(0, Array("a b".utf8))]), .malformed),
      (list([(0, Array("a\nb".utf8))]), .malformed),
      (list([(0, [0x61, 0x7F])]), .malformed),
      (list([(0, Array("ä.example".utf8))]), .malformed),
    ] as [([UInt8], ServerNameExtension.Outcome)])
  func `the extension is read as RFC 6066 has it`(
    bytes: [UInt8], outcome: ServerNameExtension.Outcome
  ) {
    let found = ServerNameExtension.parse(bytes.span)
    #expect(found == outcome)
  }

  @Test func `every truncation is malformed`() {
    let whole = Self.list([(3, [1, 2, 3]), (0, Self.host)])
    for count in 0..<whole.count {
      let part = Array(whole[..<count])
      let outcome = ServerNameExtension.parse(part.span)
      #expect(outcome == .malformed, "\(count) bytes")
    }
  }

  @Test func `every truncation with a corrected list length is malformed or ends between names`() {
    let whole = Self.list([(3, [1, 2, 3]), (0, Self.host)])
    for count in 2..<whole.count {
      let bytes = [0, UInt8(count - 2)] + whole[2..<count]
      let outcome = ServerNameExtension.parse(bytes.span)
      #expect(outcome == (count == 8 ? .noName : .malformed), "\(count) bytes")
    }
  }

  @Test func `no byte in any place does more than be refused`() {
    let whole = Self.list([(3, [1, 2, 3]), (0, Self.host)])
    for position in whole.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[position] = byte
        // The test is that it returns: an index out of bounds would trap.
        _ = ServerNameExtension.parse(bytes.span)
      }
    }
  }
}
