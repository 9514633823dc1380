import HTTP

@testable import Checking
@testable import Client
@testable import Gzip
@testable import TLS

/// A server of a ``CheckWorld``.
struct CheckServer: Sendable {
  /// Maps the head of a request to an answer.
  typealias Script = @Sendable (_ request: String) -> Answer

  enum Answer: Sendable {
    /// All bytes until the end of the connection.
    case bytes([UInt8])
    /// The same, after a time in milliseconds.
    case late(Int64, [UInt8])
    /// Nothing until the client gives up.
    case stall
    case fault(FetchFault)
  }

  /// The certificate; nil without TLS.
  var certificate: CheckCertificate?
  /// Why there is no connection for a request.
  var refusal: FetchFault?
  var concerns: [PeerConcern] = []
  var script: Script

  init(
    _ certificate: CheckCertificate = CheckCertificate(), concerns: [PeerConcern] = [],
    _ script: @escaping Script = CheckServer.good
  ) {
    self.certificate = certificate
    self.concerns = concerns
    self.script = script
  }

  /// A server whose connections end with a fault before a request.
  init(refusing fault: FetchFault) {
    refusal = fault
    script = Self.good
  }

  /// A server without TLS.
  static func plain(_ script: @escaping Script) -> Self {
    var server = CheckServer(script)
    server.certificate = nil
    return server
  }

  init(_ script: @escaping Script) { self.init(CheckCertificate(), script) }

  /// The shop's file at both paths, and nothing else.
  static let good: Script = serving(shopFile(components: #"[{"/":"/buy/*"}]"#))

  /// Serves an association file at both paths, other files by their names, and nothing else.
  static func serving(_ file: String, _ others: [String: Answer] = [:]) -> Script {
    { request in
      let path = path(of: request)
      if path.hasSuffix("site-association") { return .answer(file) }
      return others[String(path.split(separator: "/").last ?? "")] ?? .answer("404 Not Found", "no")
    }
  }

  /// Takes the steps after the connection.
  func answer(_ exchange: inout Exchange, _ options: FetchOptions) throws(FetchFault) {
    let request = exchange.request
    if let refusal { throw refusal }
    if request.scheme == .https {
      guard let certificate else { throw .notTLS }
      let verification = certificate.verification(for: request.host)
      exchange.tls = TLSFacts(
        version: "TLSv1.3", agreedProtocol: "http/1.1", verification: verification,
        concerns: concerns)
      if !verification.isTrusted, !options.goesOnUntrusted { throw .untrusted(verification.faults) }
    }
    exchange.sent =
      "GET \(request.path) HTTP/1.1\r\nHost: \(request.authority)\r\n"
      + "User-Agent: \(options.userAgent)\r\n\r\n"
    switch script(exchange.sent) {
    case .bytes(let bytes): try read(bytes, after: 1, &exchange)
    case .late(let time, let bytes): try read(bytes, after: time, &exchange)
    case .stall: throw .timedOut(.response, milliseconds: options.timeout, received: 0)
    case .fault(let fault): throw fault
    }
  }

  private func read(
    _ bytes: [UInt8], after milliseconds: Int64, _ exchange: inout Exchange
  ) throws(FetchFault) {
    var reader = ResponseReader()
    defer {
      exchange.head = reader.head
      exchange.rawBody = reader.body
      exchange.flaws = reader.flaws
    }
    do throws(ResponseFault) {
      if !bytes.isEmpty { _ = try reader.take(bytes.span) }
      if !reader.isComplete { try reader.end() }
    } catch {
      throw .response(error)
    }
    exchange.times = [(.response, milliseconds)]
    let coding = reader.head?.value(of: "content-encoding")?.lowercased() ?? "identity"
    switch coding {
    case "identity": exchange.body = reader.body
    case "gzip":
      do throws(GzipFault) {
        exchange.body = try gunzip(reader.body, limit: ClientLimits.decodedBytes)
      } catch {
        throw .content(error)
      }
    default: throw .unknownCoding(coding)
    }
  }
}

extension CheckServer.Answer {
  static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }

  /// A whole answer with its length.
  static func answer(
    _ status: String, type: String? = "application/json", fields: [String] = [], _ body: String
  ) -> Self {
    answer(status, type: type, fields: fields, body: Array(body.utf8))
  }

  /// The same with status 200.
  static func answer(
    type: String? = "application/json", fields: [String] = [], _ body: String
  ) -> Self {
    answer("200 OK", type: type, fields: fields, body: Array(body.utf8))
  }

  static func answer(
    _ status: String = "200 OK", type: String? = "application/json", fields: [String] = [],
    body: [UInt8]
  ) -> Self {
    var lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"]
    if let type { lines.append("Content-Type: \(type)") }
    lines += fields
    return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  static func redirect(to location: String, status: String = "301 Moved Permanently") -> Self {
    answer(status, type: "text/html", fields: ["Location: \(location)"], "<html>moved</html>")
  }
}

/// The path of a request's first line.
func path(of request: String) -> String {
  let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
  return words.count > 1 ? String(words[1]) : ""
}

/// A server's certificate, and how a client judges it.
struct CheckCertificate: Sendable {
  var names = ["example.com", "www.example.com"]
  /// In days from today.
  var validity: ClosedRange<Int64> = -1...365
  var issuer = "Test Intermediate"
  /// A fault besides those of names and times.
  var fault: TrustFault?
  /// Whether the intermediate is sent.
  var isWhole = true

  func verification(for host: String) -> PeerVerification {
    let now = CheckWorld.now
    let leaf = certificate(
      names[0], issuer, names, now + validity.lowerBound * 86_400,
      now + validity.upperBound * 86_400)
    let chain = [leaf] + (isWhole ? [certificate(issuer, "Test Root", [], 0, now * 2)] : [])
    var faults: [TrustFault] = []
    if !leaf.names.covers(host: host.utf8.span) {
      faults.append(.wrongName(host: host, names: leaf.names.hosts))
    }
    if leaf.notAfter < now {
      faults.append(.expired(certificate: leaf.subject, notAfter: leaf.notAfter))
    }
    if leaf.notBefore > now {
      faults.append(.notYetValid(certificate: leaf.subject, notBefore: leaf.notBefore))
    }
    return PeerVerification(chain: chain, faults: faults + (fault.map { [$0] } ?? []))
  }

  private func certificate(
    _ subject: String, _ issuer: String, _ names: [String], _ start: Int64, _ end: Int64
  ) -> PeerCertificate {
    PeerCertificate(
      subject: subject, issuer: issuer, serial: "01",
      names: CertificateNames(hosts: names.map { Array($0.utf8) }, addresses: []),
      notBefore: start, notAfter: end, isSelfSigned: subject == issuer)
  }
}
