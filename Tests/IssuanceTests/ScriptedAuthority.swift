import Bytes
import Client
import Diagnostics
import JSON
import Posix
import ScriptedServer
import Settings
import Synchronization
import TLS
import TLSTestSupport

@testable import Issuance

/// A CA that answers as a test says, for what Pebble cannot do. Otherwise each step succeeds: it
/// checks no signature and no name.
final class ScriptedAuthority {
  /// - Parameter base: The URL of the CA without a path.
  typealias Script =
    @Sendable (_ path: String, _ payload: String, _ base: String) -> [ScriptedServer.Step]?

  let folder: StateFolder
  let work: AuthorityWork
  let authority: Authority
  private let server: ScriptedServer
  private let told: Told

  private final class Told: Sendable {
    let codes = Mutex<[String]>([])
  }

  /// The codes of the reports.
  var codes: [String] { told.codes.withLock(\.self) }

  /// The paths of the requests so far, without those that come before each step.
  var paths: [String] {
    server.requests.map(path(of:)).filter { !["/dir", "/nonce", "/account"].contains($0) }
  }

  /// - Parameters:
  ///   - name: The CA's name in settings.
  ///   - directory: More members of the directory.
  ///   - root: The issuer of its own certificate, which clients trust.
  ///   - answer: The answers that differ; nil for one of a CA without faults.
  init(
    name: String = "x", directory: String = "",
    root: TestCertificate = TestCertificate("root", isAuthority: true),
    profile: String? = nil, binding: ExternalAccount? = nil,
    _ answer: @escaping Script = { _, _, _ in nil }
  ) throws {
    let own = TestCertificate("ca", names: ["IP:127.0.0.1"], issuer: root)
    server = try ScriptedServer(identity: own.pem + own.key.pem()) { request in
      let (place, base) = (path(of: request), Self.base(of: request))
      return answer(place, Self.payload(of: request), base)
        ?? [Self.good(place, base: base, directory)]
    }
    authority = Authority(name: name, url: server.url + "/dir", binding: binding)
    folder = StateFolder(try temporaryFolder())
    try folder.make()
    let trust = try TrustStore.roots(in: SourceText(path: "", bytes: root.pem))
    let context = try ClientContext(trust: trust)
    let told = Told()
    self.told = told
    var environment = Issuer.Environment { [] }
    environment.report = { diagnostic in told.codes.withLock { $0.append(diagnostic.code) } }
    var options = Issuer.Options(authorities: [authority], folder: folder)
    options.profile = profile
    let client = AuthorityClient(authority, key: try SigningKey.generate(), context: context)
    work = AuthorityWork(
      client, options, environment, Challenges(kinds: options.challenges, shown: nil), trust)
  }

  /// An order of which the CA knows, or not yet.
  func order(isKnown: Bool = true, replaces: String? = nil) -> OpenOrder {
    var order = OpenOrder(authority: authority.url, challenge: .http, begun: 77)
    order.url = isKnown ? server.url + "/order/1" : nil
    order.replaces = replaces
    return order
  }

  func advance(_ order: OpenOrder, answers: Bool = true) -> Reply {
    work.perform(.advance(order, answers: answers), for: "a.example")
  }

  // MARK: Answers

  /// The fields of each answer. The server closes each connection after one.
  private static let always = ["Replay-Nonce: n", "Connection: close"]

  static func problem(_ status: String, _ type: String, _ detail: String = "no") -> [ScriptedServer
    .Step]
  {
    [
      .answer(
        status, fields: always,
        #"{"type":"urn:ietf:params:acme:error:\#(type)","detail":"\#(detail)"}"#)
    ]
  }

  static func answer(_ text: String, _ fields: [String] = []) -> [ScriptedServer.Step] {
    [.answer(fields: always + fields, text)]
  }

  static func order(_ status: String, base: String) -> String {
    #"{"status":"\#(status)","finalize":"\#(base)/finalize","certificate":"\#(base)/certificate","#
      + #""authorizations":["\#(base)/authorization/1","\#(base)/authorization/2"]}"#
  }

  private static func good(
    _ path: String, base: String, _ directory: String
  ) -> ScriptedServer.Step {
    let text: String
    switch path {
    case "/dir":
      text =
        #"{"newNonce":"\#(base)/nonce","newAccount":"\#(base)/account","newOrder":"\#(base)/order","#
        + #""keyChange":"\#(base)/key","renewalInfo":"\#(base)/renewal"\#(directory)}"#
    case "/order", "/order/1": text = order("pending", base: base)
    case "/authorization/1":
      text =
        #"{"status":"pending","challenges":[{"type":"http-01","url":"\#(base)/challenge","#
        + #""token":"abc","status":"pending"}]}"#
    case "/challenge": text = #"{"status":"processing"}"#
    default: text = "{}"
    }
    let location = ["/order": "/order/1", "/account": "/account/1"][path].map { base + $0 }
    return .answer(
      fields: always + (location.map { ["Location: \($0)"] } ?? []), text)
  }

  private static func base(of request: String) -> String {
    let host = request.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }
    return "https://" + (host?.dropFirst(6) ?? "")
  }

  /// What a request asks, as JSON.
  private static func payload(of request: String) -> String {
    guard let start = request.firstIndex(of: "{"),
      let text = try? Document(
        parsing: SourceText(path: "", bytes: Array(request[start...].utf8))
      ).root.member("payload")?.string
    else { return "" }
    return String(decoding: decodedBase64url(text) ?? [], as: UTF8.self)
  }
}
