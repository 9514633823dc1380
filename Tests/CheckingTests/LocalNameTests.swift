import Testing

@testable import Checking

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
    #expect(LocalNames.text(Array(text.utf8), contains: "www.example.com") == isThere)
  }
}
