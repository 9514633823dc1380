import Testing

@testable import TLS

@Suite struct FirstRecordTests {
  private static func header(_ length: Int, type: UInt8 = 22, version: [UInt8] = [3, 1]) -> [UInt8]
  {
    [type] + version + [UInt8(length >> 8), UInt8(length & 0xFF)]
  }

  static let rows: [(bytes: [UInt8], found: FirstRecord, what: String)] = [
    ([], .incomplete, "nothing"),
    (header(512), .handshake(length: 517), "a header"),
    (header(512) + [1, 2, 3], .handshake(length: 517), "and a part of the record"),
    (header(512, version: [3, 0]), .handshake(length: 517), "the version of SSL 3"),
    (header(512, version: [3, 3]), .handshake(length: 517), "the version of TLS 1.2"),
    (header(1), .handshake(length: 6), "the shortest record"),
    (header(0), .garbage, "an empty one"),
    (header(16_384), .handshake(length: 16_389), "the longest"),
    (header(16_385), .garbage, "a longer one"),
    (header(65_535), .garbage, "the longest that can be written"),
    (header(512, version: [2, 0]), .garbage, "the version of SSL 2"),
    (header(512, version: [4, 0]), .garbage, "a version of the future"),
    ([22, 2], .garbage, "a wrong version, at once"),
    (header(2, type: 21), .garbage, "an alert"),
    (header(512, type: 23), .garbage, "application data"),
    ([0x80, 0x2E, 1, 0, 2], .garbage, "a ClientHello of SSL 2"),
    ([0], .garbage, "NUL"), ([0x20], .garbage, "a space"), ([0xFF], .garbage, "no ASCII"),
    (Array("(".utf8), .garbage, "a byte of no token"),
    // As the PROXY protocol's version 2 begins; it is expected or not, and read before.
    ([13, 10, 13, 10, 0], .plainHTTP, "an empty line"),
    (Array("G".utf8), .plainHTTP, "the first letter of a method"),
    (Array("GET / HTTP/1.1\r\n".utf8), .plainHTTP, "a request"),
    (Array("m-search * HTTP/1.1\r\n".utf8), .plainHTTP, "a method that is not a known one"),
    (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), .plainHTTP, "other text"),
  ]

  @Test(arguments: rows)
  func `the first bytes are classified`(_ row: (bytes: [UInt8], found: FirstRecord, what: String)) {
    let found = FirstRecord(row.bytes.span)
    #expect(found == row.found, "\(row.what)")
    // A decision is final, and is made by the end of the header.
    for count in row.bytes.indices {
      let part = FirstRecord(row.bytes.span.extracting(first: count))
      #expect(part == .incomplete || part == row.found, "\(row.what), \(count) bytes")
    }
  }

  @Test func `each beginning is decided by the end of a header at the latest`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second, 0, 1, 0]
        #expect(FirstRecord(bytes.span) != .incomplete)
        let start = [first]
        #expect((FirstRecord(start.span) == .incomplete) == (first == 22))
      }
    }
  }

  @Test func `a client's hello begins with such a header`() throws {
    let hello = try HostileClientTests().hello
    #expect(FirstRecord(hello.span) == .handshake(length: hello.count))
  }
}
