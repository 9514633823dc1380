import Client
import Gzip
import HTTP
import Posix
import ScriptedServer
import Testing

@Suite struct PlainFetchTests {
  @Test func `a good answer comes with all its evidence`() throws {
    let server = try ScriptedServer { _ in [.answer(fields: ["X-A: b"], "{}")] }
    let exchange = try get(server, path: "/a?b=c") {
      $0.userAgent = "AASA-Bot/1.0.0"
      $0.fields = [("X-Test", "1")]
    }
    #expect(exchange.fault == nil)
    let response = try #require(exchange.response)
    #expect(response.body == Array("{}".utf8) && response.head.status == 200)
    #expect(response.head.value(of: "x-a") == "b")
    #expect(
      exchange.sent == """
        GET /a?b=c HTTP/1.1\r
        Host: 127.0.0.1:\(server.port)\r
        User-Agent: AASA-Bot/1.0.0\r
        Accept: */*\r
        Accept-Encoding: gzip\r
        Connection: close\r
        X-Test: 1\r
        \r

        """)
    #expect(server.requests == [exchange.sent])
    #expect(exchange.address?.description == "127.0.0.1:\(server.port)")
    #expect(exchange.attempts.count == 1 && exchange.tls == nil)
    #expect(exchange.times.map(\.step) == [.resolve, .connect, .request, .response])
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `where only the public internet counts, a private address gets no connection`(
    host: String
  ) throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    let exchange = try get(server, host: host) { $0.isPublicOnly = true }
    guard case .privateAddress(let address)? = exchange.fault else {
      Issue.record("\(String(describing: exchange.fault))")
      return
    }
    #expect(address.privateKind == "a loopback address")
    #expect(exchange.attempts.isEmpty && server.requests.isEmpty)
  }

  @Test func `a redirect is never followed`() throws {
    let server = try ScriptedServer { _ in [.redirect(to: "/elsewhere")] }
    let exchange = try get(server)
    #expect(exchange.response?.head.isRedirect == true)
    #expect(exchange.head?.value(of: "location") == "/elsewhere")
    #expect(server.requests.count == 1)
  }

  @Test func `gzip is unpacked, and a bomb is not`() throws {
    let packed = GzipCompressor().compress(Array("{}".utf8).span)
    let zeros = [UInt8](repeating: 0, count: ClientLimits.decodedBytes + 1)
    let bomb = GzipCompressor().compress(zeros.span)
    let bodies: [String: [UInt8]] = [
      "/good": packed, "/bomb": bomb, "/cut": Array(packed.dropLast(4)), "/no": [0x7B, 0x7D],
    ]
    let server = try ScriptedServer { request in
      let body = bodies[path(of: request)] ?? []
      return [.answer(fields: ["Content-Encoding: gzip"], body: body)]
    }
    #expect(try get(server, path: "/good").response?.body == Array("{}".utf8))
    #expect(
      try get(server, path: "/bomb").fault
        == .content(.tooLarge(limit: ClientLimits.decodedBytes)))
    #expect(try get(server, path: "/cut").fault == .content(.truncated(decoded: 2)))
    let wrong = try get(server, path: "/no")
    #expect(wrong.fault == .content(.malformed(decoded: 0)))
    #expect(wrong.rawBody == [0x7B, 0x7D] && wrong.body == nil && wrong.head?.status == 200)
  }

  struct Garbage: CustomTestStringConvertible, Sendable {
    let steps: [ScriptedServer.Step]
    let fault: FetchFault
    let testDescription: String
  }

  static let garbage = [
    Garbage(steps: [], fault: .response(.nothing), testDescription: "closed without an answer"),
    Garbage(
      steps: [.text("SSH-2.0-x\r\n")], fault: .response(.notHTTP(start: #"SSH-2.0-x\r\n"#)),
      testDescription: "another protocol"),
    Garbage(
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}")],
      fault: .response(.bodyTruncated(received: 2, expected: 9)), testDescription: "cut off"),
    Garbage(
      steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")],
      fault: .response(.bodyTruncated(received: 2, expected: nil)),
      testDescription: "chunks cut off"),
    Garbage(
      steps: [.answer(fields: ["Content-Encoding: br"], "x")], fault: .unknownCoding("br"),
      testDescription: "a coding that was not requested"),
    Garbage(
      steps: [.bytes([UInt8](repeating: 0x41, count: 200_000))],
      fault: .response(.notHTTP(start: String(repeating: "A", count: 80) + "…")),
      testDescription: "very much of nothing"),
    Garbage(
      steps: [.text("HTTP/1.1 200 OK\r\n"), .text(String(repeating: "a: b\r\n", count: 20_000))],
      fault: .response(.headTooLarge(limit: 65_536)), testDescription: "an endless head"),
    Garbage(
      steps: [.text("HTTP/1.1 200 OK\r\n\r\n"), .bytes([UInt8](repeating: 32, count: 1_200_000))],
      fault: .response(.bodyTooLarge(limit: 1_048_576)), testDescription: "an endless body"),
  ]

  @Test(arguments: garbage) func `garbage is reported with the bytes received`(_ row: Garbage)
    throws
  {
    let server = try ScriptedServer { _ in row.steps }
    let exchange = try get(server)
    #expect(exchange.fault == row.fault && exchange.response == nil)
  }

  @Test func `time is over for a server that says nothing, and for one that drips`() throws {
    for steps in [
      [ScriptedServer.Step.stall], [.text("HTTP/1.1 200 OK\r\n\r\n{"), .stall],
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .drip([UInt8](repeating: 32, count: 100_000))],
    ] {
      let server = try ScriptedServer { _ in steps }
      let exchange = try get(server) { $0.timeout = 1_500 }
      guard case .timedOut(.response, 1_500, _) = exchange.fault else {
        Issue.record("\(exchange.fault.map(\.description) ?? "no fault")")
        continue
      }
    }
  }

  @Test func `nobody listens`() throws {
    let address = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
    let free = try Listener(address).address
    let request = try #require(FetchRequest(.http, host: "127.0.0.1", port: free.port))
    let exchange = fetch(request, context: try plainContext())
    guard case .unreachable(let attempts) = exchange.fault else {
      Issue.record("\(exchange)")
      return
    }
    #expect(attempts.map(\.address) == [free] && attempts == exchange.attempts)
    #expect(exchange.fault?.description.contains("(Connection refused)") == true)
  }

  @Test func `a name without an address is reported`() throws {
    // Reserved to have none (RFC 6761 section 6.4); a machine without a resolver says so.
    let request = try #require(FetchRequest(host: "none.invalid"))
    var options = FetchOptions()
    options.timeout = 30_000
    let exchange = fetch(request, options, context: try plainContext())
    #expect(exchange.fault?.description.hasPrefix("the name none.invalid ") == true)
  }

  @Test func `the origin that is given is asked instead of the host's own address`() throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    let request = try #require(FetchRequest(.http, host: "example.com"))
    var options = FetchOptions()
    options.origin = SocketAddress(literal: "127.0.0.1", port: server.port)
    let exchange = fetch(request, options, context: try plainContext())
    #expect(exchange.response != nil)
    #expect(server.requests.first?.contains("\r\nHost: example.com\r\n") == true)
  }

  @Test func `an invalid host or path is refused`() {
    for host in ["", "a b", "a/b", "a@b", "a:b", "[::1", "ex\u{e4}mple.com"] {
      #expect(FetchRequest(host: host) == nil, "\(host)")
    }
    for path in ["", "a", "/a b", "/\r\nA: b", "/\u{e4}"] {
      #expect(FetchRequest(host: "a", path: path) == nil, "\(path)")
    }
    #expect(FetchRequest(host: "EXAMPLE.com", path: "/a")?.url == "https://example.com/a")
    #expect(FetchRequest(host: "[::1]", port: 8443)?.url == "https://[::1]:8443/")
    #expect(FetchRequest(.http, host: "a", port: 80)?.authority == "a")
  }

  @Test func `proxies are read as variables name them`() throws {
    let proxy = try #require(ProxyAddress("http://Aladdin:open%20sesame@proxy.example:3128/"))
    #expect(proxy.host == "proxy.example" && proxy.port == 3128)
    #expect(ProxyAddress("u:p@[::1]:1")?.authorization == "Basic dTpw")
    #expect(ProxyAddress("proxy.example")?.port == 80)
    #expect(ProxyAddress("socks5://proxy.example") == nil && ProxyAddress("") == nil)
    #expect(ProxyAddress("a:0") == nil && ProxyAddress("a:b") == nil)
  }
}
