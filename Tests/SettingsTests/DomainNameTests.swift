import Bytes
import Testing

@testable import Settings

@Suite struct DomainNameTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    let isHost: Bool
    var testDescription: String { name.count > 40 ? "\(name.prefix(40))… (\(name.count))" : name }

    init(_ name: String, _ isHost: Bool) {
      self.name = name
      self.isHost = isHost
    }
  }

  static func repeated(_ letter: Character, _ count: Int) -> String {
    String(repeating: letter, count: count)
  }

  /// Labels of one letter: 2 × `labels` − 1 bytes.
  static func host(labels: Int) -> String {
    Array(repeating: "a", count: labels).joined(separator: ".")
  }

  static let hosts = [
    Row("example.com", true),
    // one label, as in a cluster or at home
    Row("localhost", true),
    Row("a", true),
    // digits, everywhere
    Row("1.2.3", true),
    Row("3com.com", true),
    // an IPv4 address has the form of a host
    Row("192.0.2.1", true),
    // an IPv6 address has not
    Row("::1", false),
    Row("[::1]", false),
    // the low line occurs in names that are used
    Row("_a.b_c.example.com", true),
    Row("a-b.example.com", true),
    Row("a--b.example.com", true),
    // the ASCII form of an international name
    Row("xn--bcher-kva.example", true),
    Row("bücher.example", false),
    // hyphens at the ends of labels
    Row("-a.example.com", false),
    Row("a-.example.com", false),
    Row("a.-b", false),
    Row("-", false),
    // empty labels
    Row("", false),
    Row(".", false),
    Row("a..b", false),
    Row(".a", false),
    Row("a.", false),
    // labels of 63 and 64
    Row(repeated("a", 63) + ".com", true),
    Row(repeated("a", 64) + ".com", false),
    // names of 253, 254 and 255 bytes
    Row(host(labels: 127), true),
    Row(host(labels: 126) + ".bb", false),
    Row(host(labels: 128), false),
    // characters of other parts of a URI
    Row("a.com:80", false),
    Row("a.com/b", false),
    Row("a b", false),
    Row("*.a.com", false),
    Row("a\0b", false),
    Row("a\nb", false),
    // it is asked in lower case
    Row("Example.com", false),
  ]

  @Test(arguments: hosts)
  func `a host is labels of letters, digits, hyphens and low lines`(_ row: Row) {
    #expect(isHostName(row.name) == row.isHost)
  }

  @Test(
    arguments: [
      ("example.com", .host("example.com")),
      // letters of any case are one name
      ("EXAMPLE.Com", .host("example.com")),
      ("_wildcard.example.com", .wildcard("example.com")),
      ("*.example.com", .wildcard("example.com")),
      ("_WildCard.Example.com", .wildcard("example.com")),
      // of a top-level domain
      ("*.com", .wildcard("com")),
      ("_default", .any),
      ("_DEFAULT", .any),
      // a host that only resembles one of them
      ("_default.example.com", .host("_default.example.com")),
      ("wildcard.example.com", .host("wildcard.example.com")),
      ("_wildcard", .host("_wildcard")),
      // a wildcard of nothing, of a wildcard, in the middle
      ("*.", nil),
      ("*", nil),
      ("_wildcard.", nil),
      ("*.*.com", nil),
      ("a.*.com", nil),
      ("*a.com", nil),
    ] as [(String, DomainName?)])
  func `an entry's name says for which hosts it is`(_ name: String, _ expected: DomainName?) {
    #expect(DomainName(entryName: name) == expected)
  }

  @Test func `a name is written as the user would write it`() {
    #expect(DomainName.host("a.test").description == "a.test")
    #expect(DomainName.wildcard("a.test").description == "*.a.test")
    #expect(DomainName.any.description == "any other host")
  }
}
