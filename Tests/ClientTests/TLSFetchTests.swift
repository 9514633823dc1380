import Client
import HTTP
import Posix
import ScriptedServer
import TLS
import TLSTestSupport
import Testing

@Suite struct TLSFetchTests {
  private let authority = Authority()

  private func fault(_ exchange: Exchange) -> [TrustFault] {
    if case .untrusted(let faults) = exchange.fault { faults } else { [] }
  }

  @Test func `a trusted server is asked by its name, and its chain is shown`() throws {
    let server = try ScriptedServer(identity: authority.identity(names: ["example.com"])) { _ in
      [.answer("{}")]
    }
    let exchange = try get(server, .https, host: "example.com", authority.context()) {
      $0.origin = SocketAddress(literal: "127.0.0.1", port: server.port)
    }
    #expect(exchange.fault == nil && exchange.response?.body == Array("{}".utf8))
    let tls = try #require(exchange.tls)
    #expect(tls.version == "TLSv1.3" && tls.agreedProtocol == "http/1.1")
    #expect(tls.verification.isTrusted)
    let chain = tls.verification.chain
    #expect(chain.map(\.subject) == ["Test Leaf", "Test Intermediate"])
    #expect(chain.map(\.issuer) == ["Test Intermediate", "Test Root"])
    #expect(chain[0].names.hosts == ["example.com"])
    #expect((89...90).contains(chain[0].daysLeft(at: Posix.Clock.wallSeconds())))
    #expect(
      exchange.times.map(\.step) == [.resolve, .connect, .handshake, .request, .response])
  }

  @Test func `nothing is sent to a server that is not trusted, unless that is wanted`() throws {
    let server = try ScriptedServer(identity: authority.identity(names: ["b.example"])) { _ in
      [.answer("{}")]
    }
    let wrong = TrustFault.wrongName(host: "127.0.0.1", names: ["b.example"])
    let exchange = try get(server, .https, authority.context())
    #expect(fault(exchange) == [wrong] && exchange.sent.isEmpty && server.requests.isEmpty)
    #expect(exchange.fault?.description == "the certificate is not for 127.0.0.1 but for b.example")
    let curious = try get(server, .https, authority.context()) { $0.goesOnUntrusted = true }
    #expect(curious.response != nil && curious.tls?.verification.faults == [wrong])
  }

  @Test func `the faults of a chain are reported as text`() throws {
    let trusted = try authority.context()
    let stranger = try authority.context(trusting: TestCertificate("Other", isAuthority: true))
    let own = TestCertificate("Own", names: ["IP:127.0.0.1"])
    let rows: [(identity: [UInt8], context: ClientContext, words: [String])] = [
      (
        authority.identity(.leafOnly), trusted,
        [
          "the server sends only \"Test Leaf\", and this machine does not trust its issuer "
            + "\"Test Intermediate\""
        ]
      ),
      (
        authority.identity(.leafOnly, issuerAddress: "http://ca.example/issuer.der"), trusted,
        [
          "the chain is incomplete: the server sends \"Test Leaf\" without the certificate of its "
            + "issuer \"Test Intermediate\""
        ]
      ),
      (
        authority.identity(), stranger,
        ["the chain ends at the authority \"Test Root\", which this machine does not trust"]
      ),
      (
        authority.identity(.withRoot), stranger,
        ["the chain ends at the authority \"Test Root\", which this machine does not trust"]
      ),
      (own.pem + own.key.pem(), stranger, ["the certificate \"Own\" is self-signed"]),
      (
        authority.identity(names: ["a.example", "*.b.example"], days: -10 ... -1), trusted,
        [
          "the certificate is not for 127.0.0.1 but for *.b.example, a.example",
          "the certificate \"Test Leaf\" expired on ",
        ]
      ),
      (
        authority.identity(days: 1...10), trusted,
        ["the certificate \"Test Leaf\" is not valid before "]
      ),
    ]
    for row in rows {
      let server = try ScriptedServer(identity: row.identity) { _ in [.answer("{}")] }
      let exchange = try get(server, .https, row.context)
      let reported = fault(exchange).map(\.description)
      #expect(
        reported.count == row.words.count, "\(reported) \(String(describing: exchange.fault))")
      for (text, words) in zip(reported, row.words) { #expect(text.hasPrefix(words)) }
      #expect(exchange.tls?.verification.chain.isEmpty == false)
      #expect(exchange.fault?.help != nil)
    }
  }

  @Test func `a self-signed certificate that is named is trusted`() throws {
    let own = TestCertificate("Own", names: ["IP:127.0.0.1"])
    let server = try ScriptedServer(identity: own.pem + own.key.pem()) { _ in [.answer("{}")] }
    let exchange = try get(server, .https, authority.context(trusting: own))
    #expect(exchange.response != nil, "\(String(describing: exchange.fault))")
  }

  @Test func `a server without TLS is reported`() throws {
    let server = try ScriptedServer { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let exchange = try get(server, .https, authority.context())
    #expect(exchange.fault == .notTLS)
    let silent = try ScriptedServer { _ in [] }
    guard case .handshake = try get(silent, .https, authority.context()).fault else {
      Issue.record("the handshake succeeded with a server that sends nothing")
      return
    }
    let stalling = try ScriptedServer { _ in [.stall] }
    let late = try get(stalling, .https, authority.context()) { $0.timeout = 1_500 }
    #expect(late.fault == .timedOut(.handshake, milliseconds: 1_500, received: 0))
  }

  @Test func `through a proxy's tunnel all is as without it`() throws {
    let server = try ScriptedServer(identity: authority.identity(names: ["example.com"])) { _ in
      [.answer("{}")]
    }
    let port = server.port
    let proxy = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(port: port)]
    }
    let request = try #require(FetchRequest(host: "example.com"))
    var options = FetchOptions()
    options.proxy = ProxyAddress("127.0.0.1:\(proxy.port)")
    let exchange = fetch(request, options, context: try authority.context())
    #expect(exchange.response?.body == Array("{}".utf8), "\(String(describing: exchange.fault))")
    #expect(exchange.tls?.verification.isTrusted == true)
    #expect(
      exchange.times.map(\.step)
        == [.resolve, .connect, .proxy, .handshake, .request, .response])
    #expect(proxy.requests == ["CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"])
  }

  @Test func `a proxy that refuses the tunnel says why`() throws {
    let proxy = try ScriptedServer { _ in
      [.text("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")]
    }
    let request = try #require(FetchRequest(host: "example.com"))
    var options = FetchOptions()
    options.proxy = ProxyAddress("http://u:p@127.0.0.1:\(proxy.port)")
    let exchange = fetch(request, options, context: try authority.context())
    #expect(
      exchange.fault
        == .proxy("the proxy answered \"HTTP/1.1 407 Proxy Authentication Required\""))
    #expect(
      proxy.requests == [
        "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n"
          + "Proxy-Authorization: Basic dTpw\r\n\r\n"
      ])
  }
}
