import Foundation
internal import ScriptedServer

/// The world of a command that asks a domain: an authority, names with addresses, and a server behind
/// each address. Nothing leaves the machine.
struct CheckSite {
  let workspace: Workspace
  let authority: TestAuthority
  var network: NameServer
  /// Environment variables of the program.
  var variables: [String: String] = [:]
  /// In the order in which they were made; they answer as long as the world is there.
  private(set) var servers: [ScriptedServer] = []

  /// What `example.com` serves; with nil there is no such name.
  init(_ script: ScriptedServer.Script? = CheckSite.serving()) throws {
    workspace = try Workspace()
    authority = try TestAuthority()
    network = try NameServer()
    if let script { try serve(script: script) }
  }

  /// The association file of the shop.
  static let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
  /// The first line of a report that finds nothing wrong.
  static let served = "example.com: the association file is served as Apple asks"

  /// Serves an association file at both paths, a list of statements, and nothing else; with nil,
  /// that is not found either.
  static func serving(_ file: String? = file, links: String? = nil) -> ScriptedServer.Script {
    { request in
      let path = path(of: request)
      let body =
        path.hasSuffix("assetlinks.json")
        ? links : path.hasSuffix("site-association") ? file : nil
      return [body.map { .answer($0) } ?? .answer("404 Not Found", "no")]
    }
  }

  /// Puts a server behind an address of a name.
  ///
  /// - Parameter identity: Its certificate, if it is not one for the name.
  @discardableResult
  mutating func serve(
    _ name: String = "example.com", at address: String = "1.0.0.1",
    showing identity: TestCertificate? = nil,
    script: @escaping ScriptedServer.Script = CheckSite.serving()
  ) throws -> ScriptedServer {
    let identity = try identity ?? authority.issue(name, "www." + name)
    let server = try ScriptedServer(identity: identity.pem, script: script)
    network.set(name, to: address)
    network.lead("\(address):443", to: server.port)
    servers.append(server)
    return server
  }

  /// Puts a server without TLS on a port of this machine.
  mutating func plain(_ script: @escaping ScriptedServer.Script) throws -> ScriptedServer {
    let server = try ScriptedServer(script: script)
    servers.append(server)
    return server
  }

  /// What tells a program that `example.com` is at the port of the first server.
  var resolving: [String] { ["--resolve", "example.com:443:127.0.0.1:\(servers[0].port)"] }
  var origin: [String] { ["--origin", "127.0.0.1:\(servers[0].port)"] }

  func check(_ arguments: String..., input: String? = nil) throws -> Finished {
    try check(arguments, input: input)
  }

  func check(_ arguments: [String], input: String? = nil) throws -> Finished {
    try aasa(["check"] + arguments, input: input)
  }

  /// Runs a command that trusts the authority, and may wait for a busy machine.
  func aasa(_ arguments: [String], input: String? = nil) throws -> Finished {
    let timeout = arguments.contains("--timeout") ? [] : ["--timeout", "30s"]
    return try run(
      Server.program, arguments + ["--ca", authority.rootFile] + timeout,
      environment: network.environment.merging(variables) { $1 }, folder: workspace.root,
      input: input)
  }
}

extension Finished {
  /// The report, with the parts that differ from run to run made equal.
  var report: String {
    text.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
      .replacing(/(until|on|before) \d{4}-\d\d-\d\d/) { "\($0.output.1) DAY" }
      .replacing(/in \d+ days/, with: "in N days")
      .replacing(/for \d+ more days?/, with: "for N more days")
  }
}
