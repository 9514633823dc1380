import Foundation
import ScriptedServer

@testable import EndToEnd

/// A world in which `example.com` is what a scenario says: its own resolver, authority, servers, and
/// a CDN with Apple's headers. Nothing leaves the machine.
struct Lab {
  var world: NameServer
  /// Of `aasa check`.
  var arguments = ["example.com"]
  var environment: [String: String] = [:]
  let workspace: Workspace
  var servers: [ScriptedServer] = []
  private var children: [ChildProcess] = []
  private var addresses: [String] = []

  init() throws {
    world = try NameServer()
    workspace = try Workspace()
    try workspace.write("root.pem", LabIdentity.root)
  }

  // MARK: The domain

  /// An address of example.com that answers both paths the same.
  mutating func origin(
    at address: String = "1.0.0.1", showing identity: LabIdentity = .good,
    _ answer: ScriptedServer.Step = .answer(Self.good)
  ) throws {
    try origin(at: address, showing: identity) { _ in [answer] }
  }

  mutating func origin(
    at address: String = "1.0.0.1", showing identity: LabIdentity = .good,
    script: @escaping ScriptedServer.Script
  ) throws {
    let server = try ScriptedServer(identity: identity.pem) { request in
      path(of: request).hasSuffix("assetlinks.json")
        ? [.answer("404 Not Found", "no")] : script(request)
    }
    servers.append(server)
    lead(address, to: server.port)
  }

  /// Serves one answer in `.well-known`, and another at the root.
  mutating func origin(wellKnown: ScriptedServer.Step, root: ScriptedServer.Step) throws {
    try origin { path(of: $0) == associationPaths[0] ? [wellKnown] : [root] }
  }

  /// Serves one answer to requests that contain a word, and another to the rest.
  mutating func origin(
    to word: String, _ step: ScriptedServer.Step,
    others: ScriptedServer.Step = .answer(Self.good)
  ) throws {
    try origin { $0.contains(word) ? [step] : [others] }
  }

  /// A server without TLS on the port of HTTPS.
  mutating func plainOrigin(_ answer: ScriptedServer.Step) throws {
    let server = try ScriptedServer { _ in [answer] }
    servers.append(server)
    lead("1.0.0.1", to: server.port)
  }

  /// An address to which a port of this machine answers; 0: there is no route, 1: it is closed.
  mutating func lead(_ address: String, to port: UInt16) {
    addresses.append(address)
    if port != 1 { world.lead("\(address):443", to: port) }
  }

  /// Another host, such as www.example.com.
  mutating func host(_ name: String, at address: String, _ answer: ScriptedServer.Step) throws {
    let server = try ScriptedServer(identity: LabIdentity.good.pem) { _ in [answer] }
    servers.append(server)
    world.set(name, to: address)
    world.lead("\(address):443", to: server.port)
  }

  /// Starts OpenSSL's own server, for features that ours does not have.
  mutating func openSSL(_ options: String..., showing identity: LabIdentity = .good) throws {
    guard let openssl = Tool.openssl.path else { throw Failure("openssl is not installed") }
    let file =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
      + "Content-Length: \(Self.good.utf8.count)\r\n\r\n\(Self.good)"
    for path in associationPaths { try workspace.write(String(path.dropFirst()), file) }
    try workspace.write("server.pem", identity.pem)
    try workspace.write("chain.pem", LabIdentity.issuer.certificate)
    let port = try RawClient.freePort()
    let child = try ChildProcess(
      openssl,
      [
        "s_server", "-HTTP", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key",
        "server.pem", "-cert_chain", "chain.pem",
      ] + options, folder: workspace.root)
    children.append(child)
    let isListening = eventually {
      String(decoding: child.now.output, as: UTF8.self).contains("ACCEPT")
    }
    guard isListening
    else { throw Failure("s_server: \(String(decoding: child.now.errors, as: UTF8.self))") }
    lead("1.0.0.1", to: UInt16(port))
  }

  // MARK: Apple's CDN

  mutating func cdn(_ answer: ScriptedServer.Step) throws {
    let server = try ScriptedServer { _ in [answer] }
    servers.append(server)
    arguments += ["--cdn", server.url + "/a/v1"]
  }

  // MARK: The check

  /// Runs `aasa check`: exit code, and what a person reads.
  mutating func check() throws -> (exitCode: Int32, text: String) {
    if !addresses.isEmpty {
      world.set("example.com", to: addresses.joined(separator: ","))
    }
    let hasTimeout = arguments.contains("--timeout")
    let finished = try run(
      Server.program,
      ["check", "--ca", "root.pem"] + (hasTimeout ? [] : ["--timeout", "30s"]) + arguments,
      environment: world.environment.merging(environment) { $1 }, folder: workspace.root)
    for child in children { child.signal(SIGKILL) }
    return (finished.exitCode, finished.text.isEmpty ? finished.errors : finished.text)
  }
}
