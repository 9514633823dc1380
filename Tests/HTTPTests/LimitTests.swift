import HTTP
import Testing

@Suite struct LimitTests {
  private func line(target count: Int) -> String {
    "GET /" + String(repeating: "a", count: count - 1)
  }

  @Test func `the target has a limit`() {
    // RFC 9112 section 3: 414
    for leading in ["", "\r\n"] {
      let most = outcome(leading + line(target: 8192) + " HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(most?.reading?.path.utf8.count == 8192)
      let more = outcome(leading + line(target: 8193) + " HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(more?.fault == .targetTooLong)
      // Unfinished: at the byte that is one too many, not before.
      #expect(outcome(leading + line(target: 8192)) == .needsMore)
      #expect(outcome(leading + line(target: 8193))?.fault == .targetTooLong)
    }
    var limits = RequestLimits()
    limits.targetBytes = 5
    for method in ["GET", "OPTIONS", "M"] {
      #expect(outcome("\(method) /1234", limits: limits) == .needsMore)
      #expect(outcome("\(method) /12345", limits: limits)?.fault == .targetTooLong)
      let end = " HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(outcome("\(method) /1234" + end, limits: limits)?.reading?.path == "/1234")
    }
  }

  @Test func `the method has a limit`() {
    // RFC 9112 section 3: 501
    let most = String(repeating: "A", count: 32)
    #expect(outcome(most) == .needsMore)
    #expect(outcome(most + "A")?.fault == .methodTooLong)
    #expect(outcome(most + " / HTTP/1.1\r\nHost: a\r\n\r\n")?.reading?.method == .unknown)
    #expect(outcome("\r\n" + most + " ") == .needsMore)
    #expect(outcome("\r\n" + most + "A ")?.fault == .methodTooLong)
  }

  @Test func `the head has a limit`() {
    // RFC 6585 section 5: 431
    let start = hosted().dropLast() + "A: "  // CRLF is one character
    let most = start + String(repeating: "b", count: 16384 - start.utf8.count - 4)
    #expect(outcome(most + "\r\n\r\n")?.reading?.length == 16384)
    #expect(outcome(most + "b\r\n\r\n")?.fault == .headTooLarge)
    #expect(outcome(most + "\r\n\r") == .needsMore)
    #expect(outcome(most + "bbbb")?.fault == .headTooLarge)
    #expect(outcome(most + "bbb") == .needsMore)
    // A version that never ends is refused at the byte that spoils it.
    let version = "GET / " + String(repeating: "H", count: 16384)
    #expect(outcome(version)?.fault == .malformedVersion)
    // Bytes after a head on the connection do not count.
    let next = Array((most + "\r\n\r\n").utf8) + Array(repeating: UInt8(ascii: "x"), count: 9)
    #expect(read(next, arrivals: [next.count]).reading?.length == 16384)
  }

  @Test func `the field lines have a limit`() {
    let most = Array(repeating: "A: b\r\n", count: 99).joined()
    #expect(outcome(request("Host: a\r\n\(most)A: b"))?.fault == .tooManyFields)
    let accepted = outcome("GET / HTTP/1.1\r\nHost: a\r\n\(most)\r\n")?.reading
    #expect(accepted?.fieldCount == 100)
    // Of known names, fewer.
    let known = Array(repeating: "Forwarded: b\r\n", count: 63).joined()
    #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\n\(known)\r\n")?.reading?.fields.count == 64)
    #expect(outcome(request("Host: a\r\n\(known)Forwarded: b"))?.fault == .tooManyFields)
  }

  @Test func `the defaults are those of the README`() {
    let limits = RequestLimits()
    #expect(limits.headBytes == 16384)
    #expect(limits.targetBytes == 8192)
    #expect(limits.fieldLines == 100)
    #expect(limits.bodyBytes == 65536)
  }

  @Test func `nothing takes longer when it comes byte by byte`() {
    // Each byte is read once: a head of the largest size in single bytes is quick.
    let most = Array(hosted("A: " + String(repeating: "b", count: 16000)).utf8)
    #expect(read(most, arrivals: 0...most.count).reading != nil)
  }
}
