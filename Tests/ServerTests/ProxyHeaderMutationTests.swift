import Posix
import Testing

@testable import Server

/// Headers of the PROXY protocol with anything wrong with them: they are read to their end, waited for,
/// or refused, and what follows them changes nothing.
@Suite struct ProxyHeaderMutationTests {
  private static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]

  static let headers: [[UInt8]] = [
    Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n".utf8),
    Array("PROXY TCP6 2001:db8::1 ::ffff:192.0.2.1 56324 443\r\n".utf8),
    Array("PROXY UNKNOWN\r\n".utf8),
    Array("PROXY UNKNOWN whatever follows\r\n".utf8),
    signature + [0x21, 0x11, 0, 12, 192, 0, 2, 1, 198, 51, 100, 1, 1, 2, 3, 4],
    signature + [0x21, 0x11, 0, 15, 192, 0, 2, 1, 198, 51, 100, 1, 1, 2, 3, 4, 4, 0, 0],
    signature + [0x21, 0x21, 0, 36] + Array(repeating: 7, count: 36),
    signature + [0x20, 0, 0, 0],
    signature + [0x21, 0, 0, 3, 1, 2, 3],
  ]

  private func read(_ bytes: [UInt8]) -> ProxyHeader { ProxyHeader(bytes.span) }

  @Test func `a header ends where it ends, whatever follows, and each beginning is waited for`() {
    for header in Self.headers {
      let whole = read(header)
      guard case .complete(header.count, _) = whole else {
        Issue.record("\(header): \(whole)")
        continue
      }
      #expect(read(header + Array("GET / HTTP/1.1\r\n".utf8)) == whole)
      #expect(read(header + header) == whole)
      for count in 1..<header.count {
        #expect(read(Array(header[..<count])) == .incomplete, "\(header), \(count) bytes")
      }
    }
  }

  @Test func `no byte in any place, and no length, makes it read beyond the input`() {
    for header in Self.headers {
      for place in header.indices {
        for byte in UInt8.min...UInt8.max {
          var other = header
          other[place] = byte
          switch read(other) {
          case .complete(let length, _): #expect(length <= other.count)
          case .incomplete: #expect(other.count < ProxyHeader.longestBinary)
          case .malformed: break
          }
        }
      }
    }
  }

  @Test func `a header that grows without end is refused in time`() {
    let line = Array("PROXY UNKNOWN ".utf8) + Array(repeating: 0x20, count: 200)
    #expect(read(line) == .malformed)
    #expect(read(line + [0x0D, 0x0A]) == .malformed)
    #expect(read(Self.signature + [0x21, 0x11, 0xFF, 0xFF]) == .malformed)
  }
}
