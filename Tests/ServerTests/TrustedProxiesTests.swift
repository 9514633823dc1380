import Bytes
import HTTP
import Posix
import Testing

@testable import Server

@Suite struct TrustedProxiesTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let fields: [String]
    let client: String
    /// "malformed" for one that is refused.
    let host: String?
    let isHTTPS: Bool

    init(
      _ testDescription: String, _ fields: [String], client: String = "10.0.0.1",
      host: String? = nil, isHTTPS: Bool = false
    ) {
      self.testDescription = testDescription
      self.fields = fields
      self.client = client
      self.host = host
      self.isHTTPS = isHTTPS
    }
  }

  private static let longest = String(repeating: "a.", count: 126) + "a"

  static let rows = [
    Row("nothing", []),
    Row("one address", ["X-Forwarded-For: 192.0.2.7"], client: "192.0.2.7"),
    Row("with a port", ["X-Forwarded-For: 192.0.2.7:1234"], client: "192.0.2.7"),
    Row("IPv6", ["X-Forwarded-For: 2001:db8::9"], client: "2001:db8::9"),
    Row("IPv6 with a port", ["X-Forwarded-For: [2001:db8::9]:80"], client: "2001:db8::9"),
    // a client may have invented the beginning
    Row("the last counts", ["X-Forwarded-For: 1.1.1.1, 192.0.2.7"], client: "192.0.2.7"),
    Row(
      "the last that is not a proxy's", ["X-Forwarded-For: 1.1.1.1, 192.0.2.7, 10.0.0.9, 10.1.1.1"],
      client: "192.0.2.7"),
    Row(
      "over several fields", ["X-Forwarded-For: 192.0.2.7", "X-Forwarded-For: 10.0.0.9"],
      client: "192.0.2.7"),
    Row("only proxies: the first", ["X-Forwarded-For: 10.0.0.8, 10.0.0.9"], client: "10.0.0.8"),
    Row("anything but an address ends it", ["X-Forwarded-For: 192.0.2.7, unknown"]),
    Row("and so does garbage", ["X-Forwarded-For: 192.0.2.7, \"<script>\", 10.0.0.9"]),
    Row("an empty one", ["X-Forwarded-For: ,"]),
    Row("a host", ["X-Forwarded-Host: b.test"], host: "b.test"),
    Row("a host with a port", ["X-Forwarded-Host: B.test.:8443"], host: "B.test"),
    Row("the nearest proxy's host", ["X-Forwarded-Host: evil.test, b.test"], host: "b.test"),
    Row("no host", ["X-Forwarded-Host: "]),
    Row("a space in the host", ["X-Forwarded-Host: b test"], host: "malformed"),
    Row("a path in the host", ["X-Forwarded-Host: b.test/x"], host: "malformed"),
    Row("user information", ["X-Forwarded-Host: b.test, u@b.test"], host: "malformed"),
    Row("a wrong port", ["X-Forwarded-Host: b.test:65536"], host: "malformed"),
    Row("the longest host", ["X-Forwarded-Host: \(longest)"], host: longest),
    Row("a longer host", ["X-Forwarded-Host: \(longest)a"], host: "malformed"),
    Row(
      "one before the last is ignored", ["X-Forwarded-Host: u@b.test, b.test"], host: "b.test"
    ),
    Row("Forwarded with a wrong host", ["Forwarded: host=\"b test\""], host: "malformed"),
    Row("Forwarded with an empty host", ["Forwarded: host=\"\""], host: "malformed"),
    Row("https", ["X-Forwarded-Proto: HTTPS"], isHTTPS: true),
    Row("http", ["X-Forwarded-Proto: http"]),
    Row(
      "Forwarded", ["Forwarded: for=192.0.2.7;host=b.test;proto=https"], client: "192.0.2.7",
      host: "b.test", isHTTPS: true),
    Row(
      "Forwarded with quotation marks",
      [#"Forwarded: For="[2001:db8::9]:4711" ; Host="b.test:80""#],
      client: "2001:db8::9", host: "b.test"),
    Row(
      "the element of the last that is not a proxy's",
      [
        "Forwarded: for=1.1.1.1;host=evil.test, for=192.0.2.7;host=b.test",
        "Forwarded: for=10.0.0.9",
      ],
      client: "192.0.2.7", host: "b.test"),
    Row("an unknown client", ["Forwarded: for=unknown;host=b.test"], host: "b.test"),
    Row("a made-up name", ["Forwarded: for=_hidden, for=_SEVKISEK"]),
    Row(
      "other parameters", ["Forwarded: by=10.0.0.2;for=192.0.2.7;x=\"a,b;c\""],
      client: "192.0.2.7"),
    Row(
      "a malformed element counts as one without an address",
      ["Forwarded: for=192.0.2.7, for==;"]),
    // A client wrote what comes first; the proxy's own element is the last.
    Row(
      "after a malformed line", ["Forwarded: x", "Forwarded: for=192.0.2.7;host=b.test"],
      client: "192.0.2.7", host: "b.test"),
    Row("after a malformed element", ["Forwarded: x y, for=192.0.2.7"], client: "192.0.2.7"),
    Row(
      "after a quoted pair", [#"Forwarded: secret="a\"b", for=192.0.2.7"#], client: "192.0.2.7"),
    Row(
      "after a quotation without end", [#"Forwarded: x="a, for=192.0.2.7"#], client: "192.0.2.7"),
    Row(
      "after a quotation that the proxy's ends",
      [#"Forwarded: x=", for="[2001:db8::9]";proto=https"#], client: "2001:db8::9", isHTTPS: true),
    Row(
      "a backslash at the end", [#"Forwarded: x="a\"#, "Forwarded: for=192.0.2.7"],
      client: "192.0.2.7"),
    Row("empty elements", ["Forwarded: ,, for=192.0.2.7, ,"], client: "192.0.2.7"),
    Row("only a semicolon", ["Forwarded: for=192.0.2.7, ;"]),
    Row(
      "a comma in quotation marks", [#"Forwarded: x="for=1.1.1.1, for=2.2.2.2";for=192.0.2.7"#],
      client: "192.0.2.7"),
    Row("no end of a quotation", [#"Forwarded: for="192.0.2.7"#]),
    Row(
      "X-Forwarded before Forwarded",
      ["Forwarded: for=1.1.1.1;host=evil.test", "X-Forwarded-For: 192.0.2.7"],
      client: "192.0.2.7"),
  ]

  @Test(arguments: rows)
  func `the fields of a trusted proxy are understood`(_ row: Row) throws {
    let network = try #require(Network("10.0.0.0/8"))
    let proxies = TrustedProxies([network])
    let fields = row.fields.map { $0 + "\r\n" }.joined()
    let bytes = Array("GET / HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n".utf8)
    var head = RequestHead()
    _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
    let found: ForwardedRequest
    do throws(RequestFault) {
      found = try proxies.forwarded(head, bytes.span, peer: Self.address("10.0.0.1"))
    } catch {
      #expect(row.host == "malformed" && error.status == .badRequest)
      return
    }
    #expect(found.client == Self.address(row.client))
    #expect(found.host.map { String(decoding: bytes[$0], as: UTF8.self) } == row.host)
    #expect(found.isHTTPS == row.isHTTPS)
  }

  private static func address(_ text: String) -> IPAddress? {
    let bytes = Array(text.utf8)
    return IPAddress(bytes.span)?.unmapped
  }
}
