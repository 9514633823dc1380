import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Two servers behind a load balancer that asks whether they are ready.
@Suite("issuance: a fleet", .manyAtOnce, .needsNameServer)
struct FleetTests {
  /// No CA answers here, so no certificate comes.
  private static let nowhere = ["--acme", "https://127.0.0.1:1/dir", "--acme-state"]

  @Test func `before the first certificate a server is ready for HTTP only`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    let world = try NameServer()
    try withServer(
      workspace, https: true, withAdmin + Self.nowhere + [workspace.path("state")],
      environment: world.environment
    ) { server in
      server.allow(stderr: "[I0")
      let missing = "there is no usable certificate for HTTPS"
      try #expect(
        server.becomes {
          let answer = try server.askAdmin("/readyz")
          return answer.status == 200
            && answer.text == "ready, but not for HTTPS yet: \(missing)\n"
        })
      try #expect(server.askAdmin("/readyz?listener=http").text == "ready\n")
      let secure = try server.askAdmin("/readyz?listener=https")
      #expect(secure.status == 503 && secure.text == "not ready: \(missing)\n")
      try #expect(server.askAdmin("/readyz?listener=ftp").status == 400)
      try server.aasa("status").text.says(
        "is ready, up for", "  not ready for HTTPS yet: \(missing)")
    }
  }

  /// Another host's has run out, or the only one's own, which nobody renews here.
  @Test(.needs(.openssl), arguments: [("example.com", 503), ("other.example", 200)])
  func `after all certificates have run out it is so while hosts wait for theirs`(
    host: String, status: Int
  ) throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.install(try makeCertificate(names: [host], validity: -90 ... -10), as: "old")
    let world = try NameServer()
    try withServer(
      workspace, https: true, withAdmin + Self.nowhere + [workspace.path("state")],
      environment: world.environment
    ) { server in
      for code in ["[I0", "[T"] { server.allow(stderr: code) }
      let answer = try server.askAdmin("/readyz")
      #expect(answer.status == status && answer.text.contains("is not valid now"), "\(answer)")
      try #expect(server.askAdmin("/readyz?listener=http").status == 200)
      try #expect(server.askAdmin("/readyz?listener=https").status == 503)
    }
  }

  @Test func `a listener that is off is not ready`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace, withAdmin) { server in
      let answer = try server.askAdmin("/readyz?listener=https")
      #expect(answer.status == 503 && answer.text == "not ready: HTTPS is off\n")
      try #expect(server.askAdmin("/readyz").status == 200)
    }
  }

  @Test func `a server that starts beside another serves the last good version that it keeps`()
    throws
  {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    let flags = withAdmin + ["--state", workspace.path("state")]
    try withServer(workspace, flags) { first in
      try workspace.write("domains/example.com.json", "{")
      first.expect(stderr: "example.com.json", "error")
      let kept = workspace.path("state/kept/domains/example.com.json")
      #expect(eventually { FileManager.default.fileExists(atPath: kept) })
      try withServer(workspace, flags) { second in
        second.expect(stderr: "[H043]")
        second.expect(stderr: "example.com.json", "error")
        for server in [first, second] { try server.expectServed("example.com", association("A")) }
        try #expect(second.askAdmin("/readyz").status == 200)
      }
    }
  }

  private func balance(_ issuance: Issuance, over servers: [Server]) throws -> ChildProcess {
    let python = try #require(Tool.python3.path)
    let ports = servers.map { "\($0.http):\($0.admin)" }
    let balancer = try ChildProcess(
      python, [repositoryFile("Tests/Tools/roundrobin.py"), "\(issuance.http)"] + ports)
    #expect(eventually { (try? RawClient(port: issuance.http)) != nil })
    return balancer
  }

  /// The flags of one server of a fleet, which has a port of its own behind the balancer.
  private func flags(_ issuance: Issuance, state: String) -> [String] {
    withAdmin + issuance.flags().dropFirst(2).dropLast() + [issuance.workspace.path(state)]
  }

  @Test(.needsPebble, .needs(.python3))
  func `two servers with one folder get the first certificates through the balancer`() throws {
    let hosts = (0..<20).map { "h\($0).example.com" }
    let issuance = try Issuance(hosts)
    try withServer(
      issuance.workspace, https: true, flags(issuance, state: "state"),
      environment: issuance.world.environment
    ) { first in
      // A name that no server answers for yet is checked again.
      first.allow(stderr: "[I001]")
      try withServer(
        issuance.workspace, https: true, flags(issuance, state: "state"),
        environment: issuance.world.environment
      ) { second in
        second.expect(stderr: "[I009]")
        let balancer = try balance(issuance, over: [first, second])
        defer { balancer.signal(SIGKILL) }
        for host in hosts {
          #expect(
            eventually(within: .seconds(180)) { issuance.steps.contains("\(host) served") },
            "\(host) \(first.errorLines)")
        }
        for server in [first, second] { issuance.expectTrusted(hosts[7], by: server) }
        try #expect(second.becomes { try second.askAdmin("/readyz?listener=https").status == 200 })
      }
    }
    #expect(issuance.pebble.issued == 20)
  }

  /// Adds hosts once the balancer passes requests on.
  private func add(_ hosts: [String], to issuance: Issuance) throws {
    let client = FleetClient(http: issuance.http, https: 0, roots: issuance.pebble.roots)
    #expect(eventually { client.get("example.com") == 200 })
    for host in hosts { try issuance.workspace.write("domains/\(host).json", association("A")) }
  }

  @Test(.needsPebble, .needs(.python3))
  func `two servers with an account each recognize each other, and order nothing`() throws {
    let hosts = (0..<10).map { "h\($0).example.com" }
    let issuance = try Issuance([])
    var world = issuance.world
    // Without an address.
    try issuance.workspace.write("domains/example.com.json", association("A"))
    for host in hosts { world.set(host, to: "1.0.0.1") }
    // Port 443 leads to the second alone, which could prove the names there.
    let secure = try RawClient.freePort()
    world.lead("1.0.0.1:443", to: UInt16(secure))
    try withServer(
      issuance.workspace, https: true,
      flags(issuance, state: "a") + ["--acme-challenges", "http-01"]
        + ["--acme-challenges", "tls-alpn-01"], environment: [:]
    ) { first in
      first.allow(stderr: "[I0")
      // Its account is made soon after the start. Before that nothing tells it from other servers.
      let challenge = "/.well-known/acme-challenge/" + String(repeating: "a", count: 22)
      try #expect(eventually { try first.get(challenge)["Aasa-Account"] != nil })
      try withServer(
        issuance.workspace, https: true,
        flags(issuance, state: "b") + ["--https", "127.0.0.1:\(secure)"]
          + ["--acme-challenges", "http-01", "--acme-challenges", "tls-alpn-01"],
        environment: world.environment
      ) { second in
        let balancer = try balance(issuance, over: [first, second])
        defer { balancer.signal(SIGKILL) }
        second.allow(stderr: "[I001]")
        second.allow(stderr: "[I019]")
        try add(hosts, to: issuance)
        let isSeen = eventually {
          hosts.allSatisfy { host in
            second.errorLines.contains { $0.contains("[I019]") && $0.contains(host) }
          }
        }
        #expect(isSeen, "\(second.errorLines)")
        let key = try issuance.workspace.aasa(
          "acme", "account", "--acme-state", issuance.workspace.path("b"), "--acme",
          issuance.pebble.directory)
        let thumbprint = key.text.split(separator: "\n")[0].dropFirst("thumbprint ".count)
        let names = second.errorLines.contains { line in
          line.contains("also leads to another aasa server: 1.0.0.1, with the account ")
            && line.contains(
              "--acme-answer \(thumbprint), or give both servers the same --acme-state folder")
        }
        #expect(names, "\(second.errorLines)")
      }
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
  }
}
