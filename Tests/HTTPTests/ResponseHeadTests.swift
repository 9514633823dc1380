import HTTP
import Testing

@Suite struct ResponseHeadTests {
  @Test func `a head is rendered without its end`() throws {
    var head = ResponseHead(status: .ok)
    try head.add("Content-Type", "application/json")
    try head.add("X", "")
    try head.add("ETag", "\"a\tb\"")
    let text = String(decoding: head.bytes, as: UTF8.self)
    #expect(
      text == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX: \r\nETag: \"a\tb\"\r\n")
  }

  @Test func `a field cannot split the response`() {
    for value in ["a\r\nb: c", "a\nb", "a\rb", "a\u{0}", "\u{7F}", "\u{1B}", " a", "a ", "\ta"] {
      var head = ResponseHead(status: .ok)
      let before = head.bytes
      #expect(throws: FieldFault.malformedValue, "\(value)") { try head.add("A", value) }
      #expect(head.bytes == before)
    }
    for name in ["", " ", "A ", "A:", "A\r\n", "é", "A B"] {
      var head = ResponseHead(status: .ok)
      #expect(throws: FieldFault.malformedName, "\(name)") { try head.add(name, "b") }
    }
  }

  @Test func `every status has a reason`() {
    for status in Status.allCases {
      let line = String(decoding: ResponseHead(status: status).bytes, as: UTF8.self)
      #expect(line == "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n")
      #expect(!status.reasonPhrase.isEmpty)
    }
  }
}
