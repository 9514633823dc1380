import Foundation
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// Two servers behind the documented lines of a load balancer, from nothing to the end of both.
@Suite("issuance: the life of a fleet", .manyAtOnce, .needsPebble, .needsNameServer, .needs(.curl))
struct FleetLifeTests {
  private static let isThere =
    "nginx's stream module, of the package libnginx-mod-stream, is not installed"

  @Test(.needs(.haproxy)) func `two servers behind HAProxy`() throws { try live(behind: .haproxy) }

  @Test(.needs(.nginx), .enabled(if: Fleet.streamModule != nil, Comment(rawValue: isThere)))
  func `two servers behind nginx`() throws { try live(behind: .nginx) }

  private func live(behind balancer: Tool) throws {
    let hosts = ["a.example.com", "b.example.com", "c.example.com"]
    let fleet = try Fleet(hosts, and: ["new.example.com"])
    defer { fleet.end() }
    try fleet.run(balancer) { errors in
      // From nothing to the first certificates. The names were checked before the balancer was there.
      #expect(eventually { fleet.client.get() == 200 })
      for host in hosts {
        #expect(try fleet.renew(host).exitCode == 0)
        fleet.expectTrusted(host)
      }
      // A rolling restart under load.
      var load = FleetLoad(fleet.client)
      #expect(eventually { fleet.places.indices.allSatisfy(fleet.hasTraffic) })
      for index in fleet.places.indices {
        try fleet.restart(index, behind: balancer)
        #expect(eventually { fleet.hasTraffic(index) }, "\(errors())")
      }
      var found = load.end()
      #expect(Array(found.keys) == [200] && found[200] ?? 0 > 100, "\(found)")
      // The one that gets the certificates is killed. Each client may lose what was under way, and what
      // it sends while the process ends.
      let issuer = try #require(eventually { fleet.places.indices.first(where: fleet.issues) })
      load = FleetLoad(fleet.client)
      #expect(eventually { load.count > 20 })
      fleet.servers[issuer].signal(SIGKILL)
      _ = try fleet.servers[issuer].waitForExit()
      let count = load.count
      #expect(eventually { fleet.issues(1 - issuer) && load.count > count + 20 })
      found = load.end()
      let lost = found.filter { $0.key != 200 }.values.reduce(0, +)
      #expect(lost <= 2 * FleetLoad.clients, "\(found)")
      try fleet.write("new.example.com")
      fleet.expectTrusted("new.example.com")
      // A new one in the place of the lost one serves what the others kept.
      try fleet.issuance.workspace.write("domains/a.example.com.json", "{")
      #expect(eventually { fleet.hasKept("a.example.com") })
      try fleet.start(issuer)
      #expect(eventually { fleet.client.get() == 200 && fleet.hasTraffic(issuer) }, "\(errors())")
      fleet.servers[1 - issuer].signal(SIGKILL)
      for host in hosts + ["new.example.com"] { fleet.expectTrusted(host) }
    }
    // The renewals that were asked for too.
    #expect((4...7).contains(fleet.issuance.pebble.issued), "\(fleet.issuance.pebble.issued)")
  }

  @Test(.stress, .needs(.haproxy))
  func `certificates of a minute are renewed without a gap, over a restart and a kill`() throws {
    let hosts = (0..<10).map { "h\($0).example.com" }
    let fleet = try Fleet(hosts, life: 60)
    defer { fleet.end() }
    try fleet.run(.haproxy) { _ in
      #expect(eventually { fleet.client.get(hosts[0]) == 200 })
      for host in hosts { #expect(try fleet.renew(host).exitCode == 0) }
      for host in hosts { fleet.expectTrusted(host) }
      let end = ContinuousClock.now + .seconds(150)
      let load = FleetLoad(fleet.client, hosts)
      try fleet.restart(0, behind: .haproxy)
      #expect(eventually { fleet.hasTraffic(0) })
      let issuer = try #require(eventually { fleet.places.indices.first(where: fleet.issues) })
      fleet.servers[issuer].signal(SIGKILL)
      _ = try fleet.servers[issuer].waitForExit()
      #expect(eventually { fleet.issues(1 - issuer) })
      try fleet.start(issuer)
      #expect(eventually(within: .seconds(200)) { ContinuousClock.now > end })
      let found = load.end()
      let lost = found.filter { $0.key != 200 }.values.reduce(0, +)
      #expect(lost <= 2 * FleetLoad.clients && found[200] ?? 0 > 1_000, "\(found)")
    }
    // Each certificate at least twice after the first one.
    #expect(fleet.issuance.pebble.issued >= 30, "\(fleet.issuance.pebble.issued)")
  }
}

/// Two servers that share their folders, and a CA.
private final class Fleet {
  let issuance: Issuance
  let places: [(http: Int, https: Int, admin: Int)]
  private(set) var servers: [ChildProcess] = []
  let client: FleetClient

  static let streamModule = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"]
    .map { $0 + "/ngx_stream_module.so" }.first { access($0, R_OK) == 0 }

  init(_ hosts: [String], and later: [String] = [], life: Int = 7_776_000) throws {
    var options = Pebble.Options()
    options.life = life
    var issuance = try Issuance(hosts, options)
    for host in later { issuance.world.set(host, to: "1.0.0.1") }
    self.issuance = issuance
    client = FleetClient(
      http: issuance.http, https: try RawClient.freePort(), roots: issuance.pebble.roots)
    places = try (0..<2).map { _ in
      try (RawClient.freePort(), RawClient.freePort(), RawClient.freePort())
    }
    for index in places.indices { try start(index) }
  }

  func end() { for server in servers { server.signal(SIGKILL) } }

  func write(_ host: String) throws {
    try issuance.workspace.write("domains/\(host).json", association("A"))
  }

  func start(_ index: Int) throws {
    let place = places[index]
    let server = try ChildProcess(
      Server.program,
      [
        "serve", "--domains", issuance.workspace.domains, "--http", "127.0.0.1:\(place.http)",
        "--https", "127.0.0.1:\(place.https)", "--admin", "127.0.0.1:\(place.admin)",
        "--proxy-protocol", "on", "--trusted-proxies", "127.0.0.1/32", "--drain-delay", "3s",
        "--threads", "1", "--state", issuance.workspace.path("versions"),
      ] + issuance.account, environment: issuance.world.environment)
    if index < servers.count { servers[index] = server } else { servers.append(server) }
  }

  /// The documented lines for two servers.
  ///
  /// - Parameter stopped: The server that is marked as down.
  private func lines(_ balancer: Tool, without stopped: Int? = nil) throws -> String {
    let language = balancer == .nginx ? "nginx stream" : "haproxy"
    var text = try documentedBlock(language, in: "Deployments.md")
    for (address, place) in zip(["10.0.0.1", "10.0.0.2"], places) {
      for (port, own) in [(80, place.http), (443, place.https)] {
        text =
          text.replacing(
            "\(address):\(port) check port 12272",
            with: "127.0.0.1:\(own) check port \(place.admin)"
          )
          .replacing("\(address):\(port);", with: "127.0.0.1:\(own);")
        if stopped.map({ places[$0] == place }) == true {
          text = text.replacing("127.0.0.1:\(own);", with: "127.0.0.1:\(own) down;")
        }
      }
    }
    for (port, own) in [(80, issuance.http), (443, client.https)] {
      text =
        text.replacing("bind :\(port)\n", with: "bind 127.0.0.1:\(own)\n")
        .replacing("listen \(port);", with: "listen 127.0.0.1:\(own);")
    }
    if balancer != .nginx { return text }
    return """
      load_module \(Self.streamModule ?? "none");
      daemon off; pid nginx.pid; error_log stderr crit; worker_processes 1;
      events {}
      \(text)
      """
  }

  private var nginx: [String] { ["-p", issuance.workspace.root + "/", "-e", "stderr", "-c"] }

  func run(_ balancer: Tool, _ body: (_ errors: () -> String) throws -> Void) throws {
    let made = (try lines(balancer), balancer == .nginx ? nginx : ["-db", "-f"])
    try withProgram(balancer, made, port: issuance.http, in: issuance.workspace, body)
  }

  /// Restarts a server as documented: nginx, which checks nothing, is reloaded without it before.
  func restart(_ index: Int, behind balancer: Tool) throws {
    if balancer == .nginx { try reload(without: index) }
    servers[index].signal(SIGTERM)
    try #expect(servers[index].waitForExit() == 0)
    try start(index)
    guard balancer == .nginx else { return }
    #expect(eventually { admin(index, "/readyz").hasPrefix("ready") })
    try reload(without: nil)
  }

  private func reload(without stopped: Int?) throws {
    let path = try #require(Tool.nginx.path)
    try issuance.workspace.write("program.conf", lines(.nginx, without: stopped))
    let file = issuance.workspace.path("program.conf")
    #expect(try EndToEnd.run(path, nginx + [file, "-s", "reload"]).exitCode == 0)
  }

  /// Asks for a certificate again now.
  func renew(_ host: String) throws -> Finished {
    try issuance.workspace.aasa(["acme", "renew", host] + issuance.account)
  }

  // MARK: What it serves

  func expectTrusted(_ host: String, at location: SourceLocation = #_sourceLocation) {
    let isServed = eventually(within: .seconds(120)) { client.isTrusted(host) }
    let errors = servers.map { String(decoding: $0.now.errors, as: UTF8.self) }
    #expect(isServed, "\(host) \(issuance.steps) \(errors)", sourceLocation: location)
  }

  private func admin(_ index: Int, _ target: String) -> String {
    guard let client = try? RawClient(port: places[index].admin),
      (try? client.send(request("GET", target, host: "localhost"))) != nil
    else { return "" }
    return (try? client.receive().text) ?? ""
  }

  /// Whether a server has answered clients since its start.
  func hasTraffic(_ index: Int) -> Bool {
    admin(index, "/metrics").split(separator: "\n").contains {
      $0.hasPrefix(#"aasa_http_requests_total{status="200""#) && !$0.hasSuffix(" 0")
    }
  }

  func issues(_ index: Int) -> Bool { admin(index, "/metrics").contains("aasa_acme_is_issuer 1") }

  func hasKept(_ host: String) -> Bool {
    issuance.workspace.exists("versions/kept/domains/\(host).json")
  }
}

/// A client that knows the balancer only.
struct FleetClient: Sendable {
  let http: Int
  let https: Int
  let roots: String

  /// The status of a request; nil without an answer.
  func get(_ host: String = "a.example.com") -> Int? {
    guard let client = try? RawClient(port: http),
      (try? client.send(request(host: host, fields: ["Connection: close"]))) != nil
    else { return nil }
    return try? client.receive().status
  }

  /// Whether a client that trusts only the CA gets the file.
  func isTrusted(_ host: String) -> Bool {
    let arguments = [
      "--silent", "--fail", "--max-time", "10", "--noproxy", "*", "--cacert", roots,
      "--connect-to", "::127.0.0.1:\(https)", "https://\(host)\(associationPaths[0])",
    ]
    guard let curl = Tool.curl.path, let found = try? run(curl, arguments) else { return false }
    return found.exitCode == 0 && found.text == association("A")
  }
}

/// Clients without a pause until they are ended: two over HTTP, one over HTTPS.
private final class FleetLoad: Sendable {
  static let clients = 3
  private let outcomes = Mutex<[Int: Int]>([:])
  private let isOver = Atomic(false)
  private let running = Atomic(FleetLoad.clients)

  init(_ client: FleetClient, _ hosts: [String] = ["a.example.com"]) {
    for number in 0..<Self.clients {
      Thread { [self] in
        var count = 0
        while !isOver.load(ordering: .acquiring) {
          let host = hosts[count % hosts.count]
          count += 1
          let status = number > 0 ? client.get(host) ?? 0 : client.isTrusted(host) ? 200 : 0
          outcomes.withLock { $0[status, default: 0] += 1 }
        }
        running.wrappingSubtract(1, ordering: .releasing)
      }.start()
    }
  }

  var count: Int { outcomes.withLock { $0.values.reduce(0, +) } }

  /// The requests by status; 0 without an answer.
  func end() -> [Int: Int] {
    isOver.store(true, ordering: .releasing)
    #expect(eventually { running.load(ordering: .acquiring) == 0 })
    return outcomes.withLock { $0 }
  }
}
