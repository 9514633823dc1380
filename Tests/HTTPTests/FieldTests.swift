import HTTP
import Testing

@Suite struct FieldTests {
  @Test func `a field line is taken apart`() {
    let rows: [(String, String?)] = [
      ("Forwarded: b", "Forwarded: b"),
      ("fORWARDED:b", "fORWARDED: b"),
      ("Forwarded: \t b \t ", "Forwarded: b"),  // OWS (RFC 9112 section 5.1)
      ("Forwarded:", "Forwarded: "),
      ("Forwarded: \t ", "Forwarded: "),
      ("Forwarded: b \t c", "Forwarded: b \t c"),
      ("Forwarded: b: c", "Forwarded: b: c"),
      ("Forwarded: \"q,\\\"\"", "Forwarded: \"q,\\\"\""),
      ("Forwarded: é\u{80}", "Forwarded: é\u{80}"),  // obs-text (RFC 9110 section 5.5)
      // other names: any token (RFC 9110 section 5.6.2)
      ("A: b", nil),
      ("!#$%&'*+-.^_`|~09: x", nil),
      ("X-Abcdefgh-Ijklmnop-Qrstuvwxyz:", nil),
    ]
    for (line, field) in rows {
      let result = outcome(hosted(line))?.reading
      #expect(result?.fields == ["Host: a.example"] + (field.map { [$0] } ?? []), "\(line)")
      #expect(result?.fieldCount == 2, "\(line)")
    }
  }

  static let refused: [Refusal] = [
    // Known positions of white space and line ends (RFC 9112 sections 2.2 and 5)
    Refusal(hosted("A : b"), .whitespaceBeforeColon, "space before the colon"),
    Refusal(hosted("A\t: b"), .whitespaceBeforeColon, "tab before the colon"),
    Refusal(request("Host : a"), .whitespaceBeforeColon, "space before the colon of Host"),
    Refusal(hosted("Content-Length : 5"), .whitespaceBeforeColon, "and of Content-Length"),
    Refusal(hosted("Transfer-Encoding : chunked"), .whitespaceBeforeColon, "and of codings"),
    Refusal(hosted("A b: c"), .whitespaceBeforeColon, "space in the name"),
    Refusal(hosted(" A: b"), .foldedLine, "obs-fold"),
    Refusal(hosted("\tA: b"), .foldedLine, "obs-fold by tab"),
    Refusal(hosted(" "), .foldedLine, "obs-fold of nothing"),
    Refusal(hosted("Transfer-Encoding: chunked", " , gzip"), .foldedLine, "a folded coding"),
    Refusal(
      hosted("Transfer-Encoding:", " chunked"), .malformedTransferEncoding, "no coding, folded"),
    Refusal("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedLine, "white space after request line"),
    // Names
    Refusal(hosted(": b"), .malformedFieldName, "no name"),
    Refusal(hosted("A"), .malformedFieldName, "no colon"),
    Refusal(hosted("A;B: c"), .malformedFieldName, "no token"),
    Refusal(hosted("A/B: c"), .malformedFieldName, "a slash in the name"),
    Refusal(hosted("(A): c"), .malformedFieldName, "parentheses"),
    Refusal(hosted("\"A\": c"), .malformedFieldName, "quotes"),
    Refusal(hosted("é: c"), .malformedFieldName, "obs-text in a name"),
    Refusal(hosted("Contént-Length: 5"), .malformedFieldName, "obs-text in a known name"),
    Refusal(hosted("GET / HTTP/1.1"), .whitespaceBeforeColon, "a second request line"),
    // Controls
    Refusal(hosted("A: b\u{0}"), .controlCharacter, "NUL in a value"),
    Refusal(hosted("A\u{0}: b"), .controlCharacter, "NUL in a name"),
    Refusal(hosted("A: \u{7F}"), .controlCharacter, "DEL in a value"),
    Refusal(hosted("A: \u{B}b"), .controlCharacter, "vertical tab"),
    Refusal(hosted("A: \u{C}b"), .controlCharacter, "form feed"),
    Refusal(hosted("A: \u{1B}[0m"), .controlCharacter, "escape"),
    Refusal(hosted("\u{0}"), .controlCharacter, "NUL first"),
    Refusal(hosted("\u{7F}"), .controlCharacter, "DEL first"),
    // Line ends
    Refusal(hosted("A: b\nC: d"), .lineFeedWithoutCarriageReturn, "LF between fields"),
    Refusal(hosted("A: b\rC: d"), .carriageReturnWithoutLineFeed, "CR between fields"),
    Refusal(hosted("A: b\r"), .carriageReturnWithoutLineFeed, "CR CR LF"),
    Refusal(hosted("A: b\n"), .lineFeedWithoutCarriageReturn, "LF CR LF"),
    Refusal("GET / HTTP/1.1\r\nHost: a\r\n\n", .lineFeedWithoutCarriageReturn, "LF for the last"),
    Refusal("GET / HTTP/1.1\r\nHost: a\r\n\r\r\n", .carriageReturnWithoutLineFeed, "CR CR LF last"),
    Refusal("GET / HTTP/1.1\nHost: a\n\n", .lineFeedWithoutCarriageReturn, "LF everywhere"),
    Refusal(
      "GET / HTTP/1.1\r\nHost: a\r\nA: b\n\r\n", .lineFeedWithoutCarriageReturn, "one LF among CRLF"
    ),
  ]

  @Test(arguments: refused)
  func `a field line outside the grammar is refused`(_ row: Refusal) {
    let result = outcome(row.text)
    #expect(result?.fault == row.fault)
  }

  @Test func `every byte is judged in every place`() {
    let token = Set("!#$%&'*+-.^_`|~".utf8).union(UInt8(ascii: "0")...UInt8(ascii: "9"))
      .union(UInt8(ascii: "a")...UInt8(ascii: "z")).union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    let path = Set("-._~!$&'()*+,;=:@/".utf8).union(token.filter { $0 >= 0x30 && $0 < 0x5B })
      .union(UInt8(ascii: "a")...UInt8(ascii: "z"))
    // Among seven places, so that words and single bytes both meet it.
    for byte in UInt8.min...UInt8.max {
      for padding in 0...6 {
        let pad = Array(repeating: UInt8(ascii: "x"), count: padding)
        let line = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
        let name = line + pad + [byte] + pad + Array(": v\r\n\r\n".utf8)
        let colonFirst = byte == UInt8(ascii: ":") && padding > 0
        #expect((plain(name).reading != nil) == (token.contains(byte) || colonFirst), "\(byte)")
        let value = line + Array("N: v".utf8) + pad + [byte] + pad + Array("v\r\n\r\n".utf8)
        #expect(
          (plain(value).reading != nil) == (byte == 9 || byte >= 32 && byte != 127), "\(byte)")
        let target =
          Array("GET /".utf8) + pad + [byte] + pad + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let question = byte == UInt8(ascii: "?")
        let spaceLast = byte == 32 && padding == 0
        #expect(
          (plain(target).reading != nil) == (path.contains(byte) || question)
            || spaceLast, "\(byte) in a target")
      }
    }
  }

  private func plain(_ bytes: [UInt8]) -> Outcome {
    read(bytes, arrivals: CollectionOfOne(bytes.count))
  }

  @Test func `every known name is recognised in any case`() throws {
    let names: [FieldName: String] = [
      .host: "Host", .expect: "Expect", .ifMatch: "If-Match", .forwarded: "Forwarded",
      .connection: "Connection",
      .userAgent: "User-Agent", .ifNoneMatch: "If-None-Match", .contentLength: "Content-Length",
      .acceptEncoding: "Accept-Encoding", .xForwardedFor: "X-Forwarded-For",
      .xForwardedHost: "X-Forwarded-Host", .transferEncoding: "Transfer-Encoding",
      .ifModifiedSince: "If-Modified-Since", .xForwardedProto: "X-Forwarded-Proto",
      .ifUnmodifiedSince: "If-Unmodified-Since",
    ]
    #expect(names.count == FieldName.allCases.count - 1)
    for (name, spelling) in names {
      for form in [spelling, spelling.lowercased(), spelling.uppercased()] {
        #expect(try recognise(form) == name, "\(form)")
      }
      // One letter changed, dropped or added is another name.
      for index in spelling.indices {
        var other = spelling
        other.replaceSubrange(index...index, with: "z")
        #expect(try recognise(other) == .other, "\(other)")
        other.remove(at: index)
        #expect(try recognise(other) == .other, "\(other)")
      }
      #expect(try recognise(spelling + "s") == .other)
      #expect(try recognise("x" + spelling) == .other)
      #expect(
        try recognise(spelling.replacing("-", with: "_") + "")
          == (spelling.contains("-") ? .other : name))
    }
  }

  /// The name as it is recognized, in a request that is valid whatever the name means.
  private func recognise(_ name: String) throws(RequestFault) -> FieldName? {
    let value =
      switch name.lowercased() {
      case "content-length": "0"
      case "transfer-encoding": "chunked"
      case "expect": "100-continue"
      default: "a"
      }
    let other = name.lowercased() == "host" ? "A: b" : "Host: a"
    let bytes = Array(request("\(name): \(value)", other).utf8)
    var head = RequestHead()
    _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
    let names = head.names
    let first = head.knownFields.first
    guard let first, first.nameStart == 16 else { return .other }
    return names.contains(first.name) ? first.name : nil
  }

  @Test func `a head is used again and remembers nothing`() throws {
    var head = RequestHead()
    let first = Array(
      "POST http://b:1/x?y HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n"
        .utf8)
    _ = try head.read(first.span, from: 0, limits: RequestLimits())
    let before = (head.expectsContinue, head.body, head.allowsReuse)
    #expect(before == (true, .length(3), false))
    let second = Array("GET /z HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8)
    _ = try head.read(second.span, from: 0, limits: RequestLimits())
    let after = (head.expectsContinue, head.body, head.allowsReuse)
    #expect(after == (false, .none, true))
    let host = (head.host.isEmpty, head.hostPort, head.target.query)
    #expect(host == (true, nil, nil))
    let counts = (head.fieldCount, head.knownFields.count)
    #expect(counts == (1, 1))
    let hasLength = head.names.contains(.contentLength)
    #expect(!hasLength)
    let line = try #require(head.knownFields.first)
    #expect(line.name == .connection && text(second, line.valueRange) == "keep-alive")
  }
}
