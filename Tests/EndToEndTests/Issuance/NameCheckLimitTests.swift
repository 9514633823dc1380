import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// What the check of a name may cost: eight addresses, and ten seconds for all of it.
@Suite("issuance: what the check of a name costs", .manyAtOnce, .needsNameServer)
struct NameCheckLimitTests {
  private let workspace: Workspace
  private var world: NameServer

  init() throws {
    workspace = try Workspace()
    world = try NameServer()
    let identity = try makeCertificate(names: ["ca.example"])
    try workspace.write("state/acme/account.pem", identity.key, mode: 0o600)
    try workspace.write("ca.pem", identity.certificate)
  }

  /// The addresses of a name, all of which lead to one server.
  private mutating func lead(_ count: Int, to port: UInt16) {
    let addresses = (1...count).map { "1.0.0.\($0)" }
    world.set("example.com", to: addresses.joined(separator: ","))
    for address in addresses { world.lead("\(address):80", to: port) }
  }

  /// Checks the name as the server does before it orders, for a private CA, which is not asked.
  private func check() throws -> (done: Finished, time: Duration) {
    let start = ContinuousClock.now
    let done = try run(
      Server.program,
      [
        "acme", "try", "example.com", "--acme", "https://127.0.0.1:1/dir", "--acme-ca",
        workspace.path("ca.pem"), "--acme-state", workspace.path("state"),
      ], environment: world.environment)
    return (done, start.duration(to: .now))
  }

  @Test mutating func `of twenty addresses eight are asked`() throws {
    let other = try ScriptedServer { _ in [.answer("404 Not Found", "")] }
    lead(20, to: other.port)
    try check().done.says(exit: 1, errors: "does not lead to this server: 1.0.0.")
    #expect(other.requests.count == 8)
  }

  /// One after the other, the first would use up the time, and the last would not be asked.
  @Test mutating func `eight addresses that stall are asked at the same time`() throws {
    let silent = try ScriptedServer { _ in [.stall] }
    lead(8, to: silent.port)
    let (done, time) = try check()
    done.says(exit: 1, errors: "does not lead to this server: 1.0.0.")
    #expect(silent.requests.count == 8 && time < .seconds(20), "\(time)")
  }

  @Test mutating func `name servers that are silent for CAA end the check at its deadline`() throws
  {
    // That no way leads there from here is no fault.
    lead(1, to: 0)
    world.setAuthorities(of: "com", to: "hangs")
    let (done, time) = try check()
    done.says(exit: 1, errors: "CAA records of com cannot be read")
    #expect(time < .seconds(20), "\(time)")
  }

  @Test mutating func `name servers that are silent for addresses end the check too`() throws {
    world.set("example.com", to: "hangs")
    let (done, time) = try check()
    done.says(exit: 1, errors: "example.com")
    #expect(time < .seconds(20), "\(time)")
  }

  /// Each of the ten that may be followed would take three seconds.
  @Test mutating func `redirects that come slowly share the deadline of one name`() throws {
    let padding = String(repeating: "x", count: 500)
    let redirect = ScriptedServer.Step.answer(
      "302 Found", fields: ["Location: /again", "X-Padding: \(padding)"], "")
    guard case .bytes(let bytes) = redirect else { return #expect(Bool(false)) }
    let slow = try ScriptedServer { _ in [.drip(bytes)] }
    lead(1, to: slow.port)
    let (done, time) = try check()
    #expect(
      done.exitCode == 1 && !done.errors.contains("redirects the request too often"), "\(done)")
    #expect((1...5).contains(slow.requests.count), "\(slow.requests.count)")
    #expect(time < .seconds(20), "\(time)")
  }
}
