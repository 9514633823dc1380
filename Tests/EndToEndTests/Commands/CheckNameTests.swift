import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` with names and addresses of a test: faults before a server is reached, and in the
/// vicinity of a domain, each with the whole report.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckNameTests {
  private let authority = Result { try TestAuthority() }
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  /// The file, and none of Android's.
  private static func goodAnswer(to request: String) -> [ScriptedServer.Step] {
    path(of: request).hasSuffix("assetlinks.json")
      ? [.answer("404 Not Found", "no")] : [.answer(good)]
  }

  private func server(
    _ names: String..., script: @escaping ScriptedServer.Script = { goodAnswer(to: $0) }
  ) throws -> ScriptedServer {
    let authority = try authority.get()
    let identity = try authority.issue(
      names.first ?? "example.com", names.count > 1 ? names[1] : "www.example.com")
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  /// A report with the parts that differ from run to run made equal.
  private func check(
    _ world: NameServer, _ arguments: [String] = ["example.com"], exitCode: Int32 = 1,
    variables: [String: String] = [:], at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let finished = try run(
      Server.program,
      ["check", "--ca", authority.get().rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment.merging(variables) { $1 },
      folder: workspace.get().root
    ).says(exit: exitCode, errors: .nothing, at: location)
    return finished.text.replacing(/until \d{4}-\d\d-\d\d/, with: "until DAY")
      .replacing(/for \d+ more days/, with: "for N more days")
      .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
  }

  @Test func `a proxy that makes no tunnel, and one that does`() throws {
    var world = try NameServer()
    world.set("example.com", to: "10.1.2.3")
    world.set("127.0.0.1", to: "127.0.0.1")
    let refusing = try ScriptedServer { _ in
      [.text("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")]
    }
    let refused = try check(world, exitCode: 4, variables: ["HTTPS_PROXY": refusing.url])
    try expectKept(refused, as: "F007")
    let origin = try server()
    let port = origin.port
    let proxy = try ScriptedServer { request in
      request.hasPrefix("CONNECT example.com:443 ")
        ? [.text("HTTP/1.1 200 OK\r\n\r\n"), .relay(port: port)]
        : [.text("HTTP/1.1 502 No\r\n\r\n")]
    }
    // Its own address says nothing of the domain's.
    let good = try check(world, exitCode: 0, variables: ["HTTPS_PROXY": proxy.url])
    #expect(good.contains("fine: through the proxy at 127.0.0.1:PORT, TLSv1.3"), "\(good)")
  }

  @Test func `handshakes and certificates that fail`() throws {
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    // The alert handshake_failure (RFC 8446 section 6.2).
    let alerting = try ScriptedServer { _ in [.bytes([21, 3, 3, 0, 2, 2, 40])] }
    world.lead("1.0.0.1:443", to: alerting.port)
    try expectKept(check(world), as: "F011")

    let identity = try authority.get().issue("example.com", usage: "clientAuth")
    let odd = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      Self.goodAnswer(to: $0)
    }
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: odd.port)
    try expectKept(check(world), as: "F018")
  }

  @Test func `the system's roots are loaded once, for all domains and a signed file`() throws {
    let workspace = try workspace.get()
    let authority = try authority.get()
    let signer = try authority.issue("example.com")
    try workspace.write("site.json", Self.good)
    try workspace.write("site.crt", signer.chain)
    try workspace.write("site.key", signer.key)
    let signing = try workspace.aasa(
      "sign", "site.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed")
    try #require(signing.exitCode == 0, "\(signing.errors)")
    let signed = Array(try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed"))))
    let origin = try server { request in
      path(of: request).hasSuffix("site-association")
        ? [.answer(type: "application/pkcs7-mime", body: signed)]
        : [.answer("404 Not Found", "no")]
    }
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.set("www.example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: origin.port)
    // A pipe that is written once: a second load would wait forever.
    guard mkfifo(workspace.path("roots"), 0o600) == 0 else { throw Failure("no pipe") }
    let writer = try ChildProcess(
      "/bin/sh", ["-c", #"exec cat "$0" > roots"#, authority.rootFile], folder: workspace.root)
    let finished = try run(
      Server.program,
      ["check", "example.com", "www.example.com", "--cdn", "none", "--timeout", "30s"],
      environment: world.environment.merging(["SSL_CERT_FILE": workspace.path("roots")]) { $1 },
      folder: workspace.root)
    try #expect(writer.waitForExit() == 0)
    finished.says(.start("2 checked: 2 are right\n"), exit: 0)
  }

  @Test func `reports come in the order of the domains, whichever is ready first`() throws {
    // The first answers only when all others have been asked.
    let others = 7
    let quick = try server { _ in [.answer(Self.good)] }
    let slow = try server("slow.example.com", "slow.example.org") { _ in
      _ = eventually { quick.requests.count >= others }
      return [.answer(Self.good)]
    }
    var world = try NameServer()
    world.set("slow.example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: slow.port)
    var names = ["slow.example.com"]
    for number in 1...others {
      let name = "n\(number).example.com"
      names.append(name)
      world.set(name, to: "1.0.0.2")
    }
    world.lead("1.0.0.2:443", to: quick.port)
    // Their certificate is another's, but the test is about the order.
    let arguments = names + ["--parallel", "8"]
    let text = try check(world, arguments)
    let verdicts = text.split(separator: "\n").filter { line in
      names.contains { line.hasPrefix($0 + ": ") }
    }
    // Faults come first.
    let order = Array(names.dropFirst()) + names.prefix(1)
    #expect(verdicts.map { String($0.prefix { $0 != ":" }) } == order, "\(text)")
    let json = try check(world, arguments + ["--json"])
    let found = json.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\{"domain":"([^"]*)"/)?.1
    }
    #expect(found.map(String.init) == names)
  }
}
