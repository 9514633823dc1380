import Checking
import Testing

@Suite struct DomainListTests {
  @Test func `a list has hosts, remarks, and perhaps a byte order mark`() {
    let text = "\u{FEFF}a.test, the shop\r\n# closed\n\n  b.test # new\n"
    let found = domains(in: Array(text.utf8), named: "list")
    #expect(found.map(\.text) == ["a.test", "b.test"])
    #expect(found.map(\.place) == ["list:1", "list:4"])
  }
}
