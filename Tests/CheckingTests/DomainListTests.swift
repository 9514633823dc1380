import Testing

@testable import Checking

@Suite struct DomainListTests {
  @Test func `a list has hosts, remarks, and perhaps a byte order mark`() {
    let text = "\u{FEFF}a.test, the shop\r\n# closed\n\n  b.test # new\n"
    let found = domains(in: Array(text.utf8), named: "list")
    #expect(found.map(\.text) == ["a.test", "b.test"])
    #expect(found.map(\.place) == ["list:1", "list:4"])
  }

  @Test func `several hosts may share a line, and a remark is none of them`() {
    let text = "a.test,b.test, c.test\nd.test,2026-01-01,4.5,Shop Inc.\ne.test. IN A 1.0.0.1\n"
    let found = domains(in: Array(text.utf8), named: "list")
    #expect(found.map(\.text) == ["a.test", "b.test", "c.test", "d.test", "e.test."])
    let wide: [UInt8] =
      [0xFF, 0xFE] + "a.test\r\nb.test".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(domains(in: wide, named: "list").map(\.text) == ["a.test", "b.test"])
  }
}
