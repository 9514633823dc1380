import Foundation
import Synchronization
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
      let missing = "there is no certificate that HTTPS could use"
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
      try server.aasa("status").text.says("is ready, up for", "  not for HTTPS yet: \(missing)")
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

  /// HAProxy with the documented lines for one port.
  private func haproxy(_ servers: [(http: Int, admin: Int)], port: Int) throws -> String {
    var recipe = try documentedBlock("haproxy", in: "Deployments.md")
    for (address, server) in zip(["10.0.0.1", "10.0.0.2"], servers) {
      recipe = recipe.replacing(
        "\(address):80 check port 12272",
        with: "127.0.0.1:\(server.http) check port \(server.admin)")
    }
    return """
      defaults
          mode tcp
          timeout connect 30s
          timeout client 30s
          timeout server 30s
      frontend http
          bind 127.0.0.1:\(port)
          default_backend aasa-http
      backend aasa-http
      \(recipe.components(separatedBy: "\nbackend aasa-http")[1])

      """
  }

  @Test(.needs(.haproxy)) func `a rolling restart under load loses no request`() throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    let places = try (0..<2).map { _ in
      (http: try RawClient.freePort(), admin: try RawClient.freePort())
    }
    func start(_ place: (http: Int, admin: Int)) throws -> ChildProcess {
      try ChildProcess(
        Server.program,
        [
          "serve", "--domains", workspace.domains, "--http", "127.0.0.1:\(place.http)", "--https",
          "none", "--admin", "127.0.0.1:\(place.admin)", "--proxy-protocol", "on",
          "--trusted-proxies", "127.0.0.1/32", "--drain-delay", "3s", "--threads", "1",
        ])
    }
    /// Whether a server has answered requests since its start.
    func hasTraffic(_ place: (http: Int, admin: Int)) -> Bool {
      guard let client = try? RawClient(port: place.admin),
        (try? client.send(request("GET", "/status?format=text", host: "localhost"))) != nil,
        let text = try? client.receive().text
      else { return false }
      return text.contains("devices ") && !text.contains("devices never")
    }
    var servers = try places.map(start)
    defer { for server in servers { server.signal(SIGKILL) } }
    let port = try RawClient.freePort()
    try withProgram(
      .haproxy, (try haproxy(places, port: port), ["-db", "-f"]), port: port, in: workspace
    ) { errors in
      let outcomes = Mutex<[Int: Int]>([:])
      let isOver = Atomic(false)
      let running = Atomic(2)
      #expect(eventually { get(port) == 200 })
      for _ in 0..<2 {
        Thread {
          while !isOver.load(ordering: .acquiring) {
            let status = get(port) ?? 0
            outcomes.withLock { $0[status, default: 0] += 1 }
          }
          running.wrappingSubtract(1, ordering: .releasing)
        }.start()
      }
      #expect(eventually { places.allSatisfy(hasTraffic) })
      for index in places.indices {
        servers[index].signal(SIGTERM)
        try #expect(servers[index].waitForExit() == 0)
        servers[index] = try start(places[index])
        #expect(eventually { hasTraffic(places[index]) }, "\(errors())")
      }
      isOver.store(true, ordering: .releasing)
      #expect(eventually { running.load(ordering: .acquiring) == 0 })
      let found = outcomes.withLock { $0 }
      #expect(Array(found.keys) == [200] && found[200] ?? 0 > 100, "\(found)")
    }
  }

  /// The status of a request on a connection of its own; nil without an answer.
  private func get(_ port: Int) -> Int? {
    guard let client = try? RawClient(port: port),
      (try? client.send(
        request(
          host: "example.com",
          fields: [
            "User-Agent: swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0",
            "Connection: close",
          ]))) != nil
    else { return nil }
    return try? client.receive().status
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

  @Test(.needsPebble, .needs(.python3))
  func `two servers with an account each recognize each other, and order nothing`() throws {
    let hosts = (0..<10).map { "h\($0).example.com" }
    let issuance = try Issuance([])
    var world = issuance.world
    for host in hosts {
      try issuance.workspace.write("domains/\(host).json", association("A"))
      world.set(host, to: "1.0.0.1")
    }
    try withServer(
      issuance.workspace, https: true,
      flags(issuance, state: "a") + ["--acme-challenges", "http-01"]
        + ["--acme-challenges", "tls-alpn-01"], environment: [:]
    ) { first in
      first.allow(stderr: "[I0")
      try withServer(
        issuance.workspace, https: true, flags(issuance, state: "b"), environment: world.environment
      ) { second in
        let balancer = try balance(issuance, over: [first, second])
        defer { balancer.signal(SIGKILL) }
        second.allow(stderr: "[I001]")
        second.allow(stderr: "[I019]")
        for host in hosts {
          let run = try issuance.workspace.aasa(
            ["acme", "renew", host, "--acme-state"]
              + [issuance.workspace.path("b"), "--acme", issuance.pebble.directory])
          #expect(run.exitCode == 0, "\(run)")
        }
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
          line.contains("leads to another aasa too: 1.0.0.1 answers with the account ")
            && line.contains(
              "--acme-answer \(thumbprint), or give both one folder with --acme-state")
        }
        #expect(names, "\(second.errorLines)")
      }
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
  }
}
