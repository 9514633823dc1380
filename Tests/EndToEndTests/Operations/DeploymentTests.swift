import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Documentation/Deployments.md, with the ports, folders and CA of a test.
@Suite("Deployments to copy", .manyAtOnce, .needsNameServer) struct DeploymentTests {
  private static let page = "Deployments.md"
  private static let file = shopFile(components: #"[{"/":"/buy/*"}]"#)

  /// A block of the page with other texts in the place of its own.
  private static func block(
    _ language: String, _ changes: KeyValuePairs<String, String>
  ) throws -> String {
    changes.reduce(try documentedBlock(language, in: page)) { text, change in
      #expect(text.contains(change.key), "\(language) has no \(change.key)")
      return text.replacing(change.key, with: change.value)
    }
  }

  /// What a command prints first, between backticks in the text.
  private static func quote(_ beginning: String) throws -> String {
    let text = try String(contentsOfFile: repositoryFile("Documentation/" + page), encoding: .utf8)
    let quotes = text.components(separatedBy: "`").filter { $0.hasPrefix(beginning) }
    return try #require(quotes.first, "\(beginning)")
  }

  /// The commands of the page that contain a text, without `sudo`.
  private static func commands(_ part: String) throws -> [String] {
    let text = try String(contentsOfFile: repositoryFile("Documentation/" + page), encoding: .utf8)
    let blocks = text.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let found = blocks.joined().split(separator: "\n").map(String.init).filter {
      $0.contains(part)
    }
    try #require(!found.isEmpty, "\(part)")
    return found.map { $0.replacing("sudo ", with: "") }
  }

  /// Runs a command of the page in the workspace, in which `aasa` is the built program.
  private static func ran(
    _ line: String, _ workspace: Workspace, _ environment: [String: String] = [:]
  ) throws -> Finished {
    let folder = (Server.program as NSString).deletingLastPathComponent
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try run(
      "/bin/sh", ["-c", line],
      environment: environment.merging(["PATH": "\(folder):\(path)"]) { $1 },
      folder: workspace.root)
  }

  /// The association file as the page's command installs it, and what a start would say.
  private static func install(
    _ workspace: Workspace, _ environment: [String: String] = [:]
  ) throws {
    try workspace.write("site.json", file)
    try workspace.makeFolder("etc/aasa/domains")
    try workspace.makeFolder("etc/aasa/certificates")
    let lines = try [commands("install -m 644")[0], commands("--validate-only")[0]]
    for line in lines {
      let finished = try ran(
        line.replacing("/etc/aasa", with: workspace.path("etc/aasa")), workspace, environment)
      #expect(finished.exitCode == 0, "\(line)\n\(finished.text)\(finished.errors)")
    }
  }

  @Test(.needs(.nginx), .needs(.openssl)) func `one domain beside nginx`() throws {
    let workspace = try Workspace()
    // For nginx's user.
    try workspace.setMode(".", 0o755)
    let authority = try TestAuthority()
    let certificate = try authority.issue("example.com")
    try workspace.write("etc/nginx/example.com.crt", certificate.chain)
    try workspace.write("etc/nginx/example.com.key", certificate.key)
    let settings = try Self.block("json beside-nginx", ["127.0.0.1:8080": "127.0.0.1:0"])
    try workspace.write("etc/aasa/server.json", settings)
    try Self.install(workspace)
    let serve = ["serve", "--config", workspace.path("etc/aasa/server.json")] + withAdmin
    try withServer(workspace, arguments: serve, addresses: 1) { server in
      let (plain, secure) = try (RawClient.freePort(), RawClient.freePort())
      let site = try Self.block(
        "nginx",
        [
          "listen 80;": "listen 127.0.0.1:\(plain);",
          "listen 443 ssl;": "listen 127.0.0.1:\(secure) ssl;",
          "/etc/nginx": workspace.path("etc/nginx"),
          "127.0.0.1:8080": "127.0.0.1:\(server.http)",
        ])
      let made = WebServer.nginx.configuration(site, port: plain, folder: workspace.root)
      var world = try NameServer()
      world.set("example.com", to: "1.0.0.1")
      world.lead("1.0.0.1:80", to: UInt16(plain))
      world.lead("1.0.0.1:443", to: UInt16(secure))
      try withProgram(.nginx, made, port: plain, in: workspace) { errors in
        let good = try Self.quote("example.com: ")
        let line = try Self.commands("aasa check")[0] + " --cdn none"
        let checked = try Self.ran(
          line, workspace, world.environment.merging(authority.environment) { $1 })
        #expect(
          checked.exitCode == 0 && checked.text.hasPrefix(good),
          "\(checked) \(errors())")
      }
    }
  }

  @Test(.needsPebble) func `a server of its own, and its backup`() throws {
    let issuance = try Issuance([])
    let workspace = issuance.workspace
    var world = issuance.world
    world.set("example.com", to: "1.0.0.1")
    let environment = world.environment.merging(["AASA_ACME_CA": issuance.pebble.roots]) { $1 }
    let settings = try Self.block(
      "json own-server",
      [
        "[::]:80": "127.0.0.1:\(issuance.http)", "[::]:443": "127.0.0.1:0",
        "letsencrypt": issuance.pebble.directory, "/var/lib/aasa": issuance.state,
      ])
    try workspace.write("etc/aasa/server.json", settings)
    try Self.install(workspace, environment)
    func here(_ line: String) -> String {
      line.replacing("/etc/aasa", with: workspace.path("etc/aasa"))
        .replacing("/var/lib/aasa", with: issuance.state)
    }
    let serve = ["serve", "--config", workspace.path("etc/aasa/server.json")] + withAdmin
    try withServer(workspace, arguments: serve, addresses: 2, environment: environment) { server in
      issuance.expectTrusted(by: server)
      let isLogged = eventually {
        (server.outputLines + server.errorLines).contains {
          $0.contains("certificate for example.com: served, until ")
        }
      }
      #expect(isLogged, "\(server.outputLines) \(server.errorLines)")
      let all = try Self.quote("1 host: ")
      let status = try Self.ran(
        here(try Self.commands("acme status")[0] + " --config /etc/aasa/server.json"), workspace,
        environment)
      #expect(
        status.exitCode == 0 && status.text.hasPrefix(all), "\(status)")
      for line in try Self.commands("-czf") {
        let finished = try Self.ran(here(line), workspace)
        #expect(finished.exitCode == 0, "\(line) \(finished)")
      }
    }
    for folder in ["etc/aasa", "state"] {
      try workspace.remove(folder)
      try workspace.makeFolder(folder)
    }
    try workspace.setMode("state", 0o700)
    for line in try Self.commands("-xpzf") {
      let finished = try Self.ran(here(line), workspace)
      #expect(finished.exitCode == 0, "\(line) \(finished)")
    }
    try withServer(workspace, arguments: serve, addresses: 2, environment: environment) { server in
      issuance.expectTrusted(by: server)
      try #expect(server.served("example.com") == Self.file)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test(.needsPebble, .needs(.haproxy), .needs(.curl))
  func `a thousand customers on two servers`() throws {
    let issuance = try Issuance([])
    let workspace = issuance.workspace
    let customers = (0..<1000).map { "links.customer\($0).example" }
    // The others have not moved their names yet.
    let moved = [customers[0], customers[500], customers[999], "big.example"]
    var world = issuance.world
    for host in moved { world.set(host, to: "1.0.0.1") }
    try workspace.write("etc/aasa/domains/links.json", Self.file)
    try workspace.write(
      "etc/aasa/domains/links.hosts", customers.dropLast().joined(separator: "\n"))
    try workspace.write("etc/aasa/domains/big.example.json", association("B"))
    let add = try Self.commands("hosts add")[0]
      .replacing("links.customer.example", with: customers[999])
    let added = try Self.ran("cd etc/aasa && \(add)", workspace)
    #expect(added.exitCode == 0, "\(added)")
    let environment = world.environment.merging(["AASA_ACME_CA": issuance.pebble.roots]) { $1 }
    let settings = try Self.block(
      "json fleet",
      [
        "[::]:80": "127.0.0.1:0", "[::]:443": "127.0.0.1:0", "10.0.0.9/32": "127.0.0.1/32",
        "10.0.0.1:12272": "127.0.0.1:0", "letsencrypt": issuance.pebble.directory,
        "/srv/aasa/acme": issuance.state,
      ])
    try workspace.write("etc/aasa/server.json", settings)
    let serve = ["serve", "--config", workspace.path("etc/aasa/server.json")] + withAdmin
    try withServer(workspace, arguments: serve, addresses: 2, environment: environment) { first in
      // Names that are not here, and those that no server answers for yet.
      first.allow(stderr: "[I0")
      try withServer(workspace, arguments: serve, addresses: 2, environment: environment) {
        second in
        second.expect(stderr: "[I009]")
        try balanced([first, second], issuance) { port in
          // It was checked before the balancer was there, and would be again a minute later.
          for host in moved {
            let renew =
              "aasa acme renew \(host) --config \(workspace.path("etc/aasa/server.json"))"
            let asked = try Self.ran(renew, workspace, environment)
            #expect(asked.exitCode == 0, "\(asked)")
          }
          for host in moved {
            let expected = host == "big.example" ? association("B") : Self.file
            let isServed = eventually(within: .seconds(90)) {
              (try? Self.ask(host, port, issuance.pebble.roots)) == expected
            }
            #expect(isServed, "\(host) \(first.errorLines.suffix(20))")
          }
        }
      }
    }
    // One that was there already is renewed.
    #expect(issuance.pebble.issued >= moved.count)
  }

  /// HAProxy as on the page, in front of two servers.
  private func balanced(
    _ servers: [Server], _ issuance: Issuance,
    _ body: (_ https: Int) throws -> Void
  ) throws {
    let https = try RawClient.freePort()
    var text = try Self.block(
      "haproxy",
      [
        "bind :80\n": "bind 127.0.0.1:\(issuance.http)\n",
        "bind :443\n": "bind 127.0.0.1:\(https)\n",
      ])
    for (address, server) in zip(["10.0.0.1", "10.0.0.2"], servers) {
      for (port, own) in [(80, server.http), (443, server.https)] {
        text = text.replacing(
          "\(address):\(port) check port 12272",
          with: "127.0.0.1:\(own) check port \(server.admin)")
      }
    }
    try withProgram(
      .haproxy, (text, ["-db", "-f"]), port: issuance.http, in: issuance.workspace
    ) { _ in try body(https) }
  }

  private static func ask(_ host: String, _ port: Int, _ roots: String) throws -> String {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    return try run(
      curl,
      [
        "--silent", "--fail", "--max-time", "5", "--noproxy", "*", "--cacert", roots,
        "--connect-to", "::127.0.0.1:\(port)",
        "https://\(host)/.well-known/apple-app-site-association",
      ]
    ).text
  }
}
