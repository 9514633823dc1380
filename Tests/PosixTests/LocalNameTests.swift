import Testing

@testable import Posix

@Suite struct LocalNameTests {
  @Test(arguments: [
    ("127.0.0.1 localhost\n127.0.0.1\tshop.example.com www.example.com\n", true),
    ("10.0.0.1 WWW.EXAMPLE.COM", true),
    ("# 10.0.0.1 www.example.com", false),
    ("10.0.0.1 a.example.com # www.example.com", false),
    ("www.example.com", false),
    ("10.0.0.1 example.com xwww.example.com", false),
    ("10.0.0.1 a.example.com\r\n10.0.0.1 www.example.com\r\n", true),
    ("", false),
  ])
  func `the names of a hosts file are found`(text: String, isThere: Bool) {
    let found = addresses(of: "www.example.com", port: 443, inHostsFile: Array(text.utf8))
    #expect(found.isEmpty != isThere)
  }

  @Test func `a name in the hosts file counts, with all its addresses`() {
    let text =
      "127.0.0.1 localhost\n1.0.0.1\tA.example b.example # c.example\n::1 a.example\n#2.0.0.1 a.example\nx a.example"
    func found(_ host: String) -> [String] {
      addresses(of: host, port: 80, inHostsFile: Array(text.utf8)).map(\.host)
    }
    #expect(found("a.example") == ["1.0.0.1", "::1"] && found("b.example") == ["1.0.0.1"])
    #expect(found("c.example").isEmpty && found("example").isEmpty)
  }
}
