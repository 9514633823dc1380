import HTTP
import Testing

@Suite struct ResponseReaderTests {
  /// The result of reading a response, in values that can be compared.
  struct Reading: Equatable, CustomStringConvertible {
    var status: UInt16?
    var body = ""
    var flaws: [ResponseFlaw] = []
    var fault: ResponseFault?
    var isComplete = false

    var description: String {
      "\(status ?? 0) \"\(body)\" \(flaws) \(fault.map(\.description) ?? "-") \(isComplete)"
    }
  }

  static func read(
    _ bytes: [UInt8], arrivals: [Int], ends: Bool, limits: ResponseLimits, isHead: Bool
  ) -> Reading {
    var reader = ResponseReader(limits: limits, isHead: isHead)
    var reading = Reading()
    do throws(ResponseFault) {
      var position = 0
      for arrival in arrivals {
        let isComplete = try reader.take(bytes.span.extracting(position..<arrival))
        position = arrival
        if isComplete { break }
      }
      if ends { try reader.end() }
    } catch {
      reading.fault = error
    }
    reading.status = reader.head?.status
    reading.body = String(decoding: reader.body, as: UTF8.self)
    // The bytes after the end depend on the size of the pieces.
    reading.flaws = reader.flaws.filter { if case .bytesBehind = $0 { false } else { true } }
    reading.isComplete = reader.isComplete
    return reading
  }

  /// The reading of a response that comes whole, byte by byte, and split at every position; nil
  /// when these differ.
  func read(
    _ text: String, ends: Bool = true, limits: ResponseLimits = ResponseLimits(),
    isHead: Bool = false
  ) -> Reading? {
    let bytes = Array(text.utf8)
    func read(_ arrivals: [Int]) -> Reading {
      var reading = Self.read(
        bytes, arrivals: arrivals, ends: ends, limits: limits, isHead: isHead)
      // It shows the bytes received by then.
      if case .notHTTP = reading.fault { reading.fault = .notHTTP(start: "") }
      return reading
    }
    let whole = read([bytes.count])
    guard read(Array(0...bytes.count)) == whole else { return nil }
    if bytes.count < 500 {
      for split in bytes.indices {
        guard read([split, bytes.count]) == whole else { return nil }
      }
    }
    return whole
  }

  struct Good: CustomTestStringConvertible, Sendable {
    var text: String
    var body = "{}"
    var status: UInt16 = 200
    var flaws: [ResponseFlaw] = []
    var why: String
    var testDescription: String { why }
  }

  static let good = [
    Good(text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", why: "a length"),
    Good(text: "HTTP/1.0 200 OK\r\n\r\n{}", why: "until close"),
    Good(text: "HTTP/1.1 200\r\ncontent-length:2\r\n\r\n{}", why: "no reason, no white space"),
    Good(text: "HTTP/1.1 200 \r\nContent-Length: \t2 \r\n\r\n{}", why: "much white space"),
    Good(
      text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", why: "interim responses"),
    Good(text: "HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\n", body: "", status: 204, why: "204"),
    Good(text: "HTTP/1.1 304 No\r\nContent-Length: 2\r\n\r\n", body: "", status: 304, why: "304"),
    Good(text: "HTTP/1.1 999 \u{e9}\r\n\r\n", body: "", status: 999, why: "a private status"),
    Good(
      text:
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1;a=b\r\n{\r\n01\r\n}\r\n0\r\n\r\n",
      why: "chunks"),
    Good(
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n",
      why: "a trailer"),
    // flaws
    Good(
      text: "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}", flaws: [.bareLineFeed], why: "LF alone"),
    Good(
      text: "HTTP/1.1 200 OK\r\nnonsense\r\n: a\r\na b: c\r\n\r\n{}",
      flaws: [.malformedField("nonsense"), .malformedField(": a"), .malformedField("a b: c")],
      why: "lines that are not fields"),
    Good(
      text: "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}",
      flaws: [.spaceBeforeColon("content-length")], why: "space before the colon"),
    Good(
      text: "HTTP/1.1 200 OK\r\nServer: a\r\n\tb\r\n\r\n{}", flaws: [.foldedField("server")],
      why: "a folded field"),
    Good(
      text: "HTTP/1.1 200 OK\r\nServer: a\u{1B}[31m\r\n\r\n{}", flaws: [.controlInField("server")],
      why: "an escape sequence"),
    Good(
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n"
        + "2\r\n{}\r\n0\r\n\r\n", flaws: [.bothFramings], why: "two framings"),
    Good(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      flaws: [.repeatedContentLength], why: "a length twice"),
    Good(
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n 2 \r\n{}\n0\r\nA\r\n\r\n",
      flaws: [.spaceInChunkSize(" 2 "), .bareLineFeed, .malformedTrailer("A")],
      why: "sloppy chunks"),
  ]

  @Test(arguments: good) func `an understandable response is understood`(_ row: Good) {
    let expected = Reading(
      status: row.status, body: row.body, flaws: row.flaws, fault: nil, isComplete: true)
    #expect(read(row.text) == expected)
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    var text: String
    var fault: ResponseFault
    var why: String
    var testDescription: String { why }
  }

  static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let bad = [
    Bad(text: "", fault: .nothing, why: "nothing at all"),
    Bad(text: "<html>", fault: .notHTTP(start: ""), why: "a page without a head"),
    Bad(text: "\r\nHTTP/1.1 200 OK\r\n\r\n", fault: .notHTTP(start: ""), why: "an empty line"),
    Bad(text: "SSH-2.0-OpenSSH\r\n", fault: .notHTTP(start: ""), why: "another protocol"),
    Bad(text: "\u{15}\u{3}\u{1}", fault: .notHTTP(start: ""), why: "a TLS alert"),
    Bad(text: "HTTP/1.1 200", fault: .headTruncated(start: "HTTP/1.1 200"), why: "half a line"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nA: b\r\n",
      fault: .headTruncated(start: "HTTP/1.1 200 OK\\r\\nA: b\\r\\n"), why: "half a head"),
    Bad(text: "HTTP/2 200\r\n\r\n", fault: .malformedStatusLine("HTTP/2 200"), why: "HTTP/2"),
    Bad(text: "HTTP/1.1 20\r\n\r\n", fault: .malformedStatusLine("HTTP/1.1 20"), why: "two digits"),
    Bad(
      text: "HTTP/1.1 2000 OK\r\n\r\n", fault: .malformedStatusLine("HTTP/1.1 2000 OK"),
      why: "four digits"),
    Bad(
      text: "HTTP/1.1 099 OK\r\n\r\n", fault: .malformedStatusLine("HTTP/1.1 099 OK"), why: "099"),
    Bad(
      text: "HTTP/1.1  200 OK\r\n\r\n", fault: .malformedStatusLine("HTTP/1.1  200 OK"),
      why: "two spaces"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", fault: .malformedContentLength("-1"),
      why: "a negative length"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 1 2\r\n\r\n", fault: .malformedContentLength("1 2"),
      why: "a space within a length"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", fault: .malformedContentLength(""),
      why: "no length"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      fault: .malformedContentLength("2, 3"), why: "two lengths"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
      fault: .bodyTooLarge(limit: 1_048_576), why: "a length that overflows"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n",
      fault: .bodyTooLarge(limit: 1_048_576), why: "a length beyond the limit"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      fault: .unknownTransferCoding("gzip, chunked"), why: "a transfer coding"),
    Bad(
      text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}",
      fault: .bodyTruncated(received: 2, expected: 3), why: "content that ends early"),
    Bad(
      text: chunked + "2\r\n{}\r\n", fault: .bodyTruncated(received: 2, expected: nil),
      why: "chunks that end early"),
    Bad(
      text: chunked + "4\r\n{}", fault: .bodyTruncated(received: 2, expected: nil),
      why: "a chunk that ends early"),
    Bad(text: chunked + "{}\r\n", fault: .malformedChunk("{}"), why: "no chunks"),
    Bad(text: chunked + "\r\n", fault: .malformedChunk(""), why: "no size"),
    Bad(text: chunked + "1 2\r\n", fault: .malformedChunk("1 2"), why: "two sizes"),
    Bad(text: chunked + "1\r\n{}\r\n", fault: .malformedChunk("}"), why: "a size too small"),
    Bad(
      text: chunked + "fffffffffffffffffff\r\n", fault: .bodyTooLarge(limit: 1_048_576),
      why: "a size that overflows"),
  ]

  @Test(arguments: bad) func `an incomprehensible response is shown`(_ row: Bad) {
    let reading = read(row.text)
    #expect(reading?.fault == row.fault && reading?.isComplete == false)
  }

  @Test func `garbage shows as much of it as is there`() throws {
    let bytes = Array("\u{16}\u{3}<html>\u{1B}".utf8) + [0xFF]
    let reading = Self.read(
      bytes, arrivals: [bytes.count], ends: true, limits: ResponseLimits(), isHead: false)
    #expect(reading.fault == .notHTTP(start: #"\x16\x03<html>\x1b\xff"#))
  }

  @Test func `every limit accepts exactly its value and nothing more`() {
    var limits = ResponseLimits()
    let head = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    limits.headBytes = head.utf8.count
    #expect(read(head, limits: limits)?.fault == nil)
    limits.headBytes -= 1
    #expect(read(head, limits: limits)?.fault == .headTooLarge(limit: head.utf8.count - 1))

    limits = ResponseLimits()
    limits.bodyBytes = 2
    #expect(read(head + "{}", limits: limits)?.body == "{}")
    #expect(read(head + "{}\n", limits: limits)?.fault == .bodyTooLarge(limit: 2))
    #expect(read(Self.chunked + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", limits: limits)?.body == "{}")
    #expect(
      read(Self.chunked + "2\r\n{}\r\n1\r\n", limits: limits)?.fault == .bodyTooLarge(limit: 2))

    limits.fieldLines = 1
    #expect(read(head, limits: limits)?.fault == nil)
    let two = "HTTP/1.1 200 OK\r\nA: b\r\nA: b\r\n\r\n"
    #expect(read(two, limits: limits)?.fault == .tooManyFields(limit: 1))

    limits.chunkLineBytes = 4
    #expect(read(Self.chunked + "2;a\r\n{}\r\n0\r\n\r\n", limits: limits)?.isComplete == true)
    #expect(read(Self.chunked + "2;ab\r\n", limits: limits)?.fault == .malformedChunk("2;ab\\r"))
    limits.chunks = 2
    #expect(read(Self.chunked + "2\r\n{}\r\n0\r\n\r\n", limits: limits)?.isComplete == true)
    limits.chunks = 1
    #expect(
      read(Self.chunked + "2\r\n{}\r\n0\r\n\r\n", limits: limits)?.fault
        == .tooManyChunks(limit: 1))
    limits.interimResponses = 1
    let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    #expect(read(interim + head, limits: limits)?.isComplete == true)
    #expect(
      read(interim + interim + head, limits: limits)?.fault == .tooManyInterimResponses(limit: 1))
  }

  @Test func `an answer to HEAD has no content, whatever it says`() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
    #expect(read(head, ends: false, isHead: true)?.isComplete == true)
  }

  @Test func `bytes after the end are noted`() throws {
    let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1".utf8)
    var reader = ResponseReader()
    let isComplete = try reader.take(bytes.span)
    #expect(isComplete && reader.body == Array("{}".utf8))
    #expect(reader.flaws == [.bytesBehind("HTTP/1.1")])
  }

  @Test func `fields are kept in order with their values`() throws {
    let text =
      "HTTP/1.1 301 Moved\r\nLocation: /a\r\nSet-Cookie: x\u{7}\r\nset-cookie: y\r\n"
      + "Content-Type: Text/HTML ; charset=utf-8\r\nContent-Length: 0\r\n\r\n"
    var reader = ResponseReader()
    let bytes = Array(text.utf8)
    _ = try reader.take(bytes.span)
    let head = try #require(reader.head)
    #expect(head.isRedirect && head.reason == "Moved" && head.minorVersion == 1)
    #expect(head.statusLine == "HTTP/1.1 301 Moved")
    #expect(head.value(of: "location") == "/a" && head.value(of: "etag") == nil)
    #expect(head.value(of: "set-cookie") == "x\\x07, y")
    #expect(head.mediaType == "text/html" && head.bytes == bytes)
    #expect(head.fields.map(\.name).prefix(3) == ["location", "set-cookie", "set-cookie"])
  }

  @Test func `text is made visible`() {
    #expect(visibleText(Array("é→\u{1F600}".utf8)) == "é→\u{1F600}")
    #expect(visibleText([0x61, 0, 0x1B, 0x0D, 0x0A, 0x09, 0x7F]) == #"a\x00\x1b\r\n\t\x7f"#)
    // A byte order mark, a text direction override, half a character.
    #expect(visibleText(Array("\u{FEFF}".utf8)) == #"\xef\xbb\xbf"#)
    #expect(visibleText(Array("\u{202E}".utf8)) == #"\xe2\x80\xae"#)
    #expect(visibleText([0xE2, 0x82]) == #"\xe2\x82"#)
    #expect(visibleText(Array("abc".utf8), limit: 3) == "abc")
    #expect(visibleText(Array("abcd".utf8), limit: 3) == "abc…")
  }
}
