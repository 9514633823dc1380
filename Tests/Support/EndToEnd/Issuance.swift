import Foundation
import Testing

/// A server that gets its certificates by itself, and a CA.
struct Issuance {
  let workspace: Workspace
  let pebble: Pebble
  /// Where the CA and preflight ask for HTTP-01.
  let http: Int
  /// Of this machine, in a URL.
  let loopback: String
  var world: NameServer

  /// - Parameter hosts: that lead to the server.
  init(_ hosts: [String], _ options: Pebble.Options = .init()) throws {
    workspace = try Workspace()
    http = try RawClient.freePort()
    var options = options
    options.httpPort = http
    pebble = try Pebble(options)
    world = try NameServer()
    let address = options.isIPv6 ? "2a00::1" : "1.0.0.1"
    loopback = options.isIPv6 ? "[::1]" : "127.0.0.1"
    world.lead("\(address):80", to: UInt16(http))
    for host in hosts {
      world.set(host, to: address)
      try workspace.write("domains/\(host).json", association("A"))
    }
  }

  /// Sets the clock of servers that are started from now on, and of those that run with it.
  ///
  /// - Parameter speed: how many times as fast it runs from now on.
  mutating func setClock(ahead seconds: Int, speed: (times: Int, since: Int)? = nil) throws {
    let pace = speed.map { " \($0.times) \($0.since)" } ?? ""
    try workspace.write("clock", "\(seconds)\(pace)\n")
    world.clock = workspace.path("clock")
  }

  var state: String { workspace.path("state") }

  /// The flags of `aasa acme`.
  var account: [String] {
    ["--acme", pebble.directory, "--acme-ca", pebble.roots, "--acme-state", state]
  }

  /// - Parameter directory: of the CA; nil for Pebble's own.
  func flags(_ directory: String? = nil) -> [String] {
    [
      "--http", "\(loopback):\(http)", "--acme", directory ?? pebble.directory, "--acme-ca",
      pebble.roots, "--acme-state", state,
    ]
  }

  @discardableResult
  func serve<Result>(
    _ more: [String] = [], directory: String? = nil, _ body: (Server) throws -> Result
  ) throws -> Result {
    try withServer(
      workspace, https: true, flags(directory) + more, environment: world.environment, body)
  }

  /// Starts it without waiting for anything, to be killed.
  func start(
    _ command: String = "serve", _ directory: String? = nil, more: [String] = []
  ) throws -> ChildProcess {
    try workspace.write("server.json", "{}")
    return try ChildProcess(
      Server.program,
      [
        command, "--config", workspace.path("server.json"), "--domains", workspace.domains,
        "--certificates", workspace.certificates, "--https", "127.0.0.1:0", "--threads", "1",
      ] + flags(directory) + more, environment: world.environment)
  }

  func file(_ host: String) -> String { workspace.path("state/certificates/\(host).pem") }

  /// Waits until a client that trusts the CA accepts what is served for a host.
  func expectTrusted(
    _ host: String = "example.com", by server: Server,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      eventually { server.isTrusted(host, roots: pebble.roots) },
      "\(host) \(steps) \(server.errorLines)", sourceLocation: location)
  }

  /// What the journal has, as `host step`.
  var steps: [String] {
    let text = (try? workspace.text("state/acme/journal")) ?? ""
    return text.split(separator: "\n").compactMap { line in
      guard
        let entry = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let host = entry["host"] as? String, let step = entry["step"] as? String
      else { return nil }
      return "\(host) \(step)"
    }
  }
}

extension Server {
  /// Whether a client that trusts only these roots accepts what is served for a host.
  func isTrusted(_ host: String, roots: String) -> Bool {
    let url = "https://\(host)/.well-known/apple-app-site-association"
    return (try? curl(url, "--cacert", roots).exitCode) == 0
  }

  /// Waits until the state folder, or a file in it, that went is written again.
  func expectWrittenAgain(at location: SourceLocation = #_sourceLocation) {
    expect(stderr: "[I017]", "written again", at: location)
    // It may have been writing when the folder went, and look again then.
    for code in ["[I007]", "[I017]"] { allow(stderr: code) }
  }
}

extension Trait where Self == ConditionTrait {
  static var needsPebble: Self { .needs(.pebble) }

  static var needsNewPebble: Self {
    .enabled(if: Pebble.isNew, "pebble is not installed, or older than 2.10")
  }
}
