import HTTP
import TestRunning
import Testing

@Suite struct MutationTests {
  /// A small generator whose numbers are the same on every machine (SplitMix64).
  struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
  }

  static let seeds = [
    hosted(), hosted("User-Agent: curl/8.5.0", "Accept: */*"),
    hosted("Accept-Encoding: gzip;q=0.5, *;q=0", "If-None-Match: W/\"a\", \"b\""),
    hosted("Content-Length: 5", "Connection: keep-alive, close", "Expect: 100-continue"),
    "\r\nPOST http://[::1]:80/a%20b?c HTTP/1.1\r\nHost: a:80\r\nTransfer-Encoding: chunked\r\n\r\n",
    "CONNECT a:443 HTTP/1.0\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
  ]

  static let fragments = [
    "\r", "\n", "\r\n", "\u{0}", " ", "\t", ":", ",", ";", "%", "\"", "\u{7F}", "/", "[", "]", "é",
    "\r\n\r\n", "\r\n ", "Content-Length: 6\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n",
    "chunked", "GET / HTTP/1.1\r\n", "0", "=",
  ].map { Array($0.utf8) }

  @Test func `no mutation is accepted with a trick in it`() {
    var generator = Generator(state: 2026)
    let seeds = Self.seeds.map { Array($0.utf8) }
    var accepted = 0
    let count = rounds(3_000, stress: 100_000)
    for _ in 0..<count {
      var bytes = seeds[generator.next(below: seeds.count)]
      for _ in 0...generator.next(below: 3) { mutate(&bytes, &generator) }
      let whole = read(bytes, arrivals: CollectionOfOne(bytes.count))
      let split = bytes.isEmpty ? 0 : generator.next(below: bytes.count)
      let inTwo = read(bytes, arrivals: [split, bytes.count])
      if whole != inTwo { Issue.record("split at \(split): \(bytes)") }
      guard case .head(let reading) = whole else { continue }
      accepted += 1
      if let trick = trick(in: bytes, reading) {
        Issue.record("\(trick): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
      select(bytes, reading.length)
    }
    // The mutations are mild enough that many heads stay valid: the test tests something.
    #expect(accepted > count / 20)
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout Generator) {
    let place = generator.next(below: bytes.count + 1)
    switch generator.next(below: 5) {
    case 0 where place < bytes.count:
      bytes[place] = UInt8(truncatingIfNeeded: generator.next(below: 256))
    case 1 where place < bytes.count:
      bytes.remove(at: place)
    case 2:
      bytes.removeSubrange(place..<min(bytes.count, place + generator.next(below: 8)))
    case 3 where place < bytes.count:
      bytes[place] ^= 1 << UInt8(truncatingIfNeeded: generator.next(below: 8))
    default:
      bytes.insert(
        contentsOf: Self.fragments[generator.next(below: Self.fragments.count)], at: place)
    }
  }

  /// Anything that an accepted head must not have, found by a slow and simple reader.
  private func trick(in bytes: [UInt8], _ reading: Reading) -> String? {
    var head = Array(bytes[..<reading.length])
    if head.starts(with: [13, 10]) { head.removeFirst(2) }
    for (index, byte) in head.enumerated() {
      switch byte {
      case 13 where index + 1 == head.count || head[index + 1] != 10: return "bare CR"
      case 10 where index == 0 || head[index - 1] != 13: return "bare LF"
      case 0...8, 11, 12, 14...31, 127: return "control character"
      default: break
      }
    }
    var lines = lines(of: head)
    guard lines.count >= 3, lines.removeLast() == "", lines.removeLast() == "" else { return "end" }
    if lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).count != 3 {
      return "request line"
    }
    if lines.contains(where: \.isEmpty) { return "empty line" }
    var count: [String: Int] = [:]
    for line in lines {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return "no colon" }
      let name = line[..<colon].lowercased()
      if name.isEmpty || name.contains(" ") || name.contains("\t") { return "white space" }
      count[name, default: 0] += 1
    }
    let hosts = count["host", default: 0]
    if hosts > 1 || hosts == 0 && reading.minorVersion > 0 { return "hosts" }
    let lengths = count["content-length", default: 0]
    if lengths > 1 || lengths == 1 && count["transfer-encoding"] != nil { return "framing" }
    return nil
  }

  /// Runs the readers of an accepted head, only to see that nothing traps.
  private func select(_ bytes: [UInt8], _ length: Int) {
    var head = RequestHead()
    guard
      (try? head.read(bytes.span, from: 0, limits: RequestLimits())) == length
    else {
      Issue.record("the second reading differs")
      return
    }
    _ = acceptEncoding(head, bytes.span, gzipAvailable: true)
    let tag = Array("\"b\"".utf8)
    _ = Preconditions.evaluate(
      head, bytes.span, entityTag: tag.span, lastModified: 0, now: 1_700_000_000)
    _ = pathEquals(bytes.span, head.target.path, Array("/a b".utf8))
  }

  @Test func `no mutated chunks are taken beyond their end`() {
    var generator = Generator(state: 9112)
    let seed = Array("5;a=\"b\"\r\n12345\r\n1\r\nx\r\n0\r\nA: b\r\n\r\n".utf8)
    for _ in 0..<rounds(3_000, stress: 100_000) {
      var bytes = seed
      for _ in 0...generator.next(below: 2) { mutate(&bytes, &generator) }
      let tests = BodyDrainTests()
      let whole = tests.feed(.chunked, bytes, [bytes.count], RequestLimits())
      let single = tests.feed(.chunked, bytes, Array(0...bytes.count), RequestLimits())
      if whole != single { Issue.record("\(bytes)") }
      if case .complete(let end) = whole, !bytes[..<end].suffix(4).elementsEqual([13, 10, 13, 10]) {
        Issue.record("\(bytes)")
      }
    }
  }
}

/// The lines of a text, cut at CRLF as bytes: CR LF is one character to `String`.
private func lines(of bytes: [UInt8]) -> [String] {
  var result: [[UInt8]] = [[]]
  var previous: UInt8 = 0
  for byte in bytes {
    if byte == 10 && previous == 13 {
      result[result.count - 1].removeLast()
      result.append([])
    } else {
      result[result.count - 1].append(byte)
    }
    previous = byte
  }
  return result.map { String(decoding: $0, as: UTF8.self) }
}
