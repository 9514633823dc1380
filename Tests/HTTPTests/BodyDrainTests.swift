import HTTP
import Testing

@Suite struct BodyDrainTests {
  enum Result: Equatable {
    /// complete, and the number of bytes consumed
    case complete(Int)
    case needsMore
    case fault(RequestFault)
  }

  /// The result for content that comes whole, byte by byte, and split at every position, with
  /// the next request behind it; nil when these differ.
  func drain(
    _ framing: BodyFraming, _ text: String, limits: RequestLimits = RequestLimits()
  ) -> Result? {
    let bytes = Array(text.utf8)
    let whole = feed(framing, bytes, [bytes.count], limits)
    guard feed(framing, bytes, Array(0...bytes.count), limits) == whole else { return nil }
    if bytes.count < 500 {
      for split in bytes.indices {
        guard feed(framing, bytes, [split, bytes.count], limits) == whole else { return nil }
      }
    }
    return whole
  }

  func feed(
    _ framing: BodyFraming, _ bytes: [UInt8], _ arrivals: [Int], _ limits: RequestLimits
  ) -> Result {
    do throws(RequestFault) {
      var drain = try BodyDrain(framing, limits: limits)
      var next = 0
      for arrival in arrivals {
        let isComplete: Bool
        (next, isComplete) = try drain.consume(
          bytes.span.extracting(0..<arrival), from: next)
        if isComplete { return .complete(next) }
        guard next == arrival else { return .complete(-1) }
      }
      return .needsMore
    } catch {
      return .fault(error)
    }
  }

  @Test func `content of a known length is taken`() {
    #expect(drain(.none, "GET") == .complete(0))
    #expect(drain(.length(5), "12345GET") == .complete(5))
    #expect(drain(.length(5), "1234") == .needsMore)
    #expect(drain(.length(65536), String(repeating: "a", count: 65537)) == .complete(65536))
    #expect(drain(.length(65537), "") == .fault(.bodyTooLarge))
    #expect(drain(.length(.max), "") == .fault(.bodyTooLarge))
  }

  static let complete: [(String, String)] = [
    // RFC 9112 section 7.1
    ("0\r\n\r\n", "the last chunk alone"),
    ("5\r\n12345\r\n0\r\n\r\n", "one chunk"),
    ("1\r\na\r\na\r\n0123456789\r\n0\r\n\r\n", "two"),
    ("A\r\n0123456789\r\n0\r\n\r\n", "a capital digit"),
    ("005\r\n12345\r\n000\r\n\r\n", "leading zeros"),
    ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "line ends as data"),
    ("5;a\r\n12345\r\n0;b\r\n\r\n", "an extension (section 7.1.1)"),
    ("5;a=b;c=\"d\";e\r\n12345\r\n0\r\n\r\n", "several"),
    ("5;a=\"\\\"\\\\;\t é\"\r\n12345\r\n0\r\n\r\n", "a quoted string"),
    ("5;a=\"\"\r\n12345\r\n0\r\n\r\n", "an empty quoted string"),
    ("0\r\nA: b\r\nC:\td \r\n\r\n", "trailers (section 7.1.2)"),
    ("0\r\nContent-Length: 9\r\nHost: b\r\n\r\n", "trailers that mean nothing here"),
  ]

  @Test func `chunked content is taken`() {
    for (text, why) in Self.complete {
      #expect(drain(.chunked, text + "GET /") == .complete(text.utf8.count), "\(why)")
      #expect(drain(.chunked, String(text.dropLast())) == .needsMore, "\(why)")
    }
  }

  static let refused: [(String, RequestFault)] = [
    // sizes
    ("\r\n", .malformedChunk), ("g\r\n", .malformedChunk), (" 5\r\n", .malformedChunk),
    ("5 \r\n", .malformedChunk), ("5\t\r\n", .malformedChunk), ("+5\r\n", .malformedChunk),
    ("-5\r\n", .malformedChunk), ("0x5\r\n", .malformedChunk), ("5_\r\n", .malformedChunk),
    ("5.\r\n", .malformedChunk), (";a\r\n", .malformedChunk), ("\u{0}5\r\n", .malformedChunk),
    ("5,5\r\n", .malformedChunk), ("5h\r\n", .malformedChunk),
    // overflow
    ("10001\r\n", .bodyTooLarge), ("FFFFFFFFFFFFFFFF\r\n", .bodyTooLarge),
    ("10000000000000005\r\n", .bodyTooLarge), ("ffffffffffffffffffff5\r\n", .bodyTooLarge),
    // line ends
    ("5\n12345\r\n0\r\n\r\n", .malformedChunk), ("5\r12345", .malformedChunk),
    ("5\r\r\n", .malformedChunk), ("5\r\n12345\n0\r\n\r\n", .malformedChunk),
    ("5\r\n123450\r\n\r\n", .malformedChunk), ("5\r\n123456\r\n0\r\n\r\n", .malformedChunk),
    ("5\r\n12345\r0\r\n", .malformedChunk), ("0\n\n", .malformedChunk),
    ("0\r\n\n", .malformedTrailer), ("0\r\n\r\r", .malformedTrailer),
    // extensions: no white space, a name, a whole value
    ("5 ;a\r\n", .malformedChunk), ("5; a\r\n", .malformedChunk), ("5;a =b\r\n", .malformedChunk),
    ("5;a= b\r\n", .malformedChunk), ("5;\r\n", .malformedChunk), ("5;;a\r\n", .malformedChunk),
    ("5;=b\r\n", .malformedChunk), ("5;a=\r\n", .malformedChunk), ("5;a=b=c\r\n", .malformedChunk),
    ("5;a=\"b\r\n", .malformedChunk), ("5;a=\"b\"c\r\n", .malformedChunk),
    ("5;a=b\"c\"\r\n", .malformedChunk), ("5;a\n", .malformedChunk), ("5;\n", .malformedChunk),
    ("5;a=\"\n\"\r\n", .malformedChunk), ("5;a=\"\r\n\"\r\n", .malformedChunk),
    ("5;a=\"\\\n\"\r\n", .malformedChunk), ("5;a\u{0}\r\n", .malformedChunk),
    ("5;a\rb\r\n", .malformedChunk), ("5;é\r\n", .malformedChunk),
    ("5;a=\"\u{7F}\"", .malformedChunk),
    // trailers
    ("0\r\n A: b\r\n\r\n", .malformedTrailer), ("0\r\nA : b\r\n\r\n", .malformedTrailer),
    ("0\r\nA: b\r\n c\r\n\r\n", .malformedTrailer), ("0\r\n: b\r\n\r\n", .malformedTrailer),
    ("0\r\nA\r\n\r\n", .malformedTrailer), ("0\r\nA: b\n\r\n", .malformedTrailer),
    ("0\r\nA: b\rc", .malformedTrailer), ("0\r\nA: \u{0}\r\n\r\n", .malformedTrailer),
    ("0\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTrailer),
  ]

  @Test func `chunks outside the grammar are refused`() {
    for (text, fault) in Self.refused {
      #expect(drain(.chunked, text) == .fault(fault), "\(text)")
    }
  }

  @Test func `chunked content has a limit`() {
    let most = "8000\r\n" + String(repeating: "a", count: 32768) + "\r\n"
    #expect(drain(.chunked, most + most + "0\r\n\r\n") == .complete(2 * (32768 + 8) + 5))
    #expect(drain(.chunked, most + most + "1\r\n") == .fault(.bodyTooLarge))
    #expect(drain(.chunked, "10000\r\n") == .needsMore)
  }

  @Test func `every line has a limit`() {
    var limits = RequestLimits()
    limits.chunkLineBytes = 8
    #expect(drain(.chunked, "0;345678\r\n\r\n", limits: limits) == .complete(12))
    #expect(drain(.chunked, "0;3456789\r\n\r\n", limits: limits) == .fault(.chunkLineTooLong))
    #expect(drain(.chunked, "000000000", limits: limits) == .fault(.chunkLineTooLong))

    limits.trailerBytes = 12
    #expect(drain(.chunked, "0\r\nA: b\r\nC: d\r\n\r\n", limits: limits) == .complete(17))
    #expect(
      drain(.chunked, "0\r\nA: b\r\nC: de\r\n\r\n", limits: limits) == .fault(.trailerTooLarge))
    limits.fieldLines = 1
    #expect(drain(.chunked, "0\r\nA: b\r\n\r\n", limits: limits) == .complete(11))
    #expect(
      drain(.chunked, "0\r\nA: b\r\nC: d\r\n\r\n", limits: limits) == .fault(.trailerTooLarge))

    limits.chunks = 2
    #expect(drain(.chunked, "1\r\na\r\n0\r\n\r\n", limits: limits) == .complete(11))
    #expect(drain(.chunked, "1\r\na\r\n1\r\na\r\n0\r\n", limits: limits) == .fault(.bodyTooLarge))
  }
}
