import Foundation
import Synchronization
import Testing

/// A CA of a test's own: Pebble, of the makers of Let's Encrypt, with a name server in which every
/// name is 127.0.0.1.
final class Pebble {
  struct Options {
    /// The port at which it asks for HTTP-01; the server's.
    var httpPort = 0
    /// The same for TLS-ALPN-01.
    var tlsPort = 1
    /// Of 100 nonces so many are refused.
    var refusedNonces = 0
    /// Nil for none needed.
    var binding: (identifier: String, key: String)?
    var alternateRoots = 0
    /// Seconds that certificates last.
    var life = 7_776_000
    /// All names lead to ::1 and nowhere else.
    var isIPv6 = false
    /// More names of its own listener.
    var names: [String] = []
  }

  let workspace: Workspace
  let port: Int
  private let management: Int
  private let names: Int
  private let process: ChildProcess
  private let nameServer: ChildProcess
  /// The file with all roots that a client must trust: of its own listener, and of what it issues.
  var roots: String { workspace.path("roots.pem") }
  var directory: String { "https://127.0.0.1:\(port)/dir" }

  init(_ options: Options) throws {
    guard let program = Tool.pebble.path, let servant = Tool.challtestsrv.path else {
      throw Failure("pebble is not installed")
    }
    workspace = try Workspace()
    port = try RawClient.freePort()
    management = try RawClient.freePort()
    names = try RawClient.freePort()
    let dns = try RawClient.freePort()
    // So long that clocks which are weeks off accept it.
    let root = try makeCertificate(names: [], subject: "listener", validity: -200...200)
    let own = try makeCertificate(
      names: ["localhost", "127.0.0.1"] + options.names, validity: -200...200, issuer: root)
    try workspace.write("ca.pem", root.certificate)
    try workspace.write("pebble.crt", own.certificate)
    try workspace.write("pebble.key", own.key)
    try workspace.write("pebble.json", Self.configuration(options, port, management))
    let isOld = !Self.isNew
    nameServer = try ChildProcess(
      servant,
      [
        isOld ? "-dns01" : "-dnsserver", "127.0.0.1:\(dns)", "-http01", "", "-https01", "",
        "-tlsalpn01", "", "-management", "127.0.0.1:\(names)", "-defaultIPv4",
        options.isIPv6 ? "" : "127.0.0.1", "-defaultIPv6", options.isIPv6 ? "::1" : "",
      ] + (isOld ? [] : ["-doh", ""]))
    process = try ChildProcess(
      program, ["-config", workspace.path("pebble.json"), "-dnsserver", "127.0.0.1:\(dns)"],
      environment: [
        "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_AUTHZREUSE": "0",
        "PEBBLE_WFE_NONCEREJECT": "\(options.refusedNonces)",
        "PEBBLE_ALTERNATE_ROOTS": "\(options.alternateRoots)",
      ], folder: workspace.root)
    guard eventually({ (try? writeRoots()) == true }) else {
      throw Failure(
        "pebble does not answer: \(String(decoding: process.now.output, as: UTF8.self))")
    }
  }

  deinit {
    process.signal(SIGKILL)
    nameServer.signal(SIGKILL)
  }

  private static func configuration(_ options: Options, _ port: Int, _ management: Int) -> String {
    let binding = options.binding.map {
      #","externalAccountBindingRequired":true,"externalAccountMACKeys":{"\#($0.identifier)":"\#($0.key)"}"#
    }
    return #"""
      {"pebble":{"listenAddress":"127.0.0.1:\#(port)",
      "managementListenAddress":"127.0.0.1:\#(management)","certificate":"pebble.crt",
      "privateKey":"pebble.key","httpPort":\#(options.httpPort),"tlsPort":\#(options.tlsPort),"ocspResponderURL":"",
      "domainBlocklist":["blocked.example"],"retryAfter":{"authz":1,"order":1},
      "keyAlgorithm":"ecdsa","certificateValidityPeriod":\#(options.life),"profiles":{"default":{"description":"d","validityPeriod":\#(options.life)}}
      \#(binding ?? "")}}
      """#
  }

  private func writeRoots() throws -> Bool {
    var text = try workspace.text("ca.pem")
    for index in 0..<4 {
      let root = try ask("roots/\(index)")
      if root.contains("BEGIN CERTIFICATE") { text += root }
    }
    guard text.components(separatedBy: "BEGIN CERTIFICATE").count > 2 else { return false }
    try workspace.write("roots.pem", text)
    return true
  }

  /// Lets a name lead nowhere, as the CA sees it.
  func mislead(_ host: String) throws {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    let body = #"{"host":"\#(host)","addresses":["127.0.0.9"]}"#
    try run(curl, ["--silent", "--data", body, "http://127.0.0.1:\(names)/add-a"])
  }

  /// Sets a TXT record, as the CA sees it.
  func setText(of name: String, to value: String) throws {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    let body = #"{"host":"\#(name).","value":"\#(value)"}"#
    try run(curl, ["--silent", "--data", body, "http://127.0.0.1:\(names)/set-txt"])
  }

  /// Asks the management listener.
  func ask(_ path: String) throws -> String {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    return try run(
      curl,
      [
        "--silent", "--cacert", workspace.path("ca.pem"), "--max-time", "30",
        "https://127.0.0.1:\(management)/\(path)",
      ]
    ).text
  }

  /// Sets when a certificate is to be renewed, in the words of RFC 9773.
  func setWindow(of certificate: String, from start: Date, to end: Date) throws {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    let times = [start, end].map { $0.formatted(.iso8601) }
    let answer = #"{"suggestedWindow":{"start":"\#(times[0])","end":"\#(times[1])"}}"#
    let body = try JSONSerialization.data(
      withJSONObject: ["certificate": certificate, "ariResponse": answer])
    let done = try run(
      curl,
      [
        "--silent", "--fail", "--cacert", workspace.path("ca.pem"), "--data-binary", "@-",
        "https://127.0.0.1:\(management)/set-renewal-info/",
      ], input: String(decoding: body, as: UTF8.self))
    guard done.exitCode == 0 else { throw Failure("no window is set: \(done)") }
  }

  /// Whether it is a version with renewal information (RFC 9773) and certificates of any life.
  static let isNew: Bool = {
    guard let servant = Tool.challtestsrv.path, let help = try? run(servant, ["-help"]) else {
      return false
    }
    return help.errors.contains("-dnsserver")
  }()

  /// Its log.
  var lines: [String] {
    String(decoding: process.now.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// How many requests it had: to anything, or to what its paths contain.
  func requests(_ part: String = "") -> Int {
    lines.count { line in
      (part.isEmpty || line.contains(part)) && (line.contains("POST /") || line.contains("GET /"))
    }
  }

  /// How many certificates it has issued.
  var issued: Int { lines.count { $0.contains("Issued certificate serial") } }
}
