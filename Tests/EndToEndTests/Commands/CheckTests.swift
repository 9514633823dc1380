import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` and the network: names, addresses, proxies, TLS, and several domains at once.
/// What its reports say is tested in CheckingTests.
@Suite(.manyAtOnce, .needsNameServer) struct CheckTests {
  private static let served = "the association file is served as Apple asks"

  @Test func `aasa serve is all right`() throws {
    let site = try CheckSite(nil)
    try site.workspace.write("domains/example.com.json", CheckSite.file)
    try site.workspace.install(site.authority.issue("example.com"), as: "example.com")
    try withServer(site.workspace, https: true) { server in
      // A root of the tests is not one of the system's.
      server.allow(stderr: "is not in the file and is not a root")
      let arguments = ["example.com", "--origin", "127.0.0.1:\(server.https)"]
      let text = try site.check(arguments).says(exit: 0, errors: .nothing).report
      #expect(
        text == """
          example.com: the association file is served as Apple asks; Apple's CDN was not asked (an \
          address for the host was given)
          skipped: port 80, www, assetlinks.json, passkeys

          fine:
            address      127.0.0.1:PORT
            TLS          TLSv1.3
            certificate  issued by "Test Intermediate", valid for N more days
            answer       status 200, 97 bytes of application/json
            both paths   the same file
            clients      the same file for Apple's robot, devices and browsers
            caching      public, max-age=3600

          """)
      let json = try site.check(arguments + ["--json"])
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect(object?["good"] as? Bool == true && object?["tls"] as? String == "TLSv1.3")
      #expect((object?["exchanges"] as? [Any])?.count == 4)
      #expect((object?["findings"] as? [Any])?.isEmpty == true)
    }
  }

  // MARK: Names and addresses

  @Test func `failures before there is an answer`() throws {
    var site = try CheckSite(nil)
    let plain = try site.plain { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    try site.check("example.com", "--origin", "127.0.0.1:\(plain.port)").says(
      "the server does not speak TLS on this port [F010]", exit: 1, errors: .nothing)
    // The system's own resolver; where none answers, nothing is known of the name.
    let unknown = try site.workspace.aasa(
      "check", "none.invalid", "--timeout", "30s", "--cdn", "none")
    #expect(
      unknown.exitCode == 1 && unknown.text.contains("[F001]")
        || unknown.exitCode == 4 && unknown.text.contains("[F008]"), "\(unknown.text)")
  }

  @Test func `a name that leads to nothing is named, end to end`() throws {
    var site = try CheckSite(nil)
    site.network.setAlias(of: "example.com", to: "shop.hosting.example")
    try site.check("example.com").says(
      "example.com is an alias (CNAME) of shop.hosting.example, which has no address", exit: 1)
  }

  @Test func `without IPv6 the IPv4 addresses decide, end to end`() throws {
    var site = try CheckSite(nil)
    site.network.set("example.com", to: "1.0.0.1", "2606:4700::1")
    site.network.lead("2606:4700::1:443", to: 0)
    try site.serve()
    try site.check("example.com").says(
      .start(CheckSite.served + "; Apple's CDN was not asked\n"),
      "the IPv6 addresses were not checked: this machine has no IPv6 route", exit: 0,
      errors: .nothing)
  }

  @Test func `what could not be found out is an error in JUnit's words`() throws {
    var site = try CheckSite(nil)
    site.network.set("example.com", to: "2606:4700::1")
    site.network.lead("2606:4700::1:443", to: 0)
    try site.check("example.com", "--format", "junit").says(
      #"tests="1" failures="0" errors="1""#, #"<error type="F008""#, .lacks("<failure"), exit: 4)
  }

  // MARK: Proxies

  @Test func `a proxy that makes no tunnel, and one that does`() throws {
    var site = try CheckSite(nil)
    let port = try site.serve(at: "10.1.2.3").port
    site.network.set("127.0.0.1", to: "127.0.0.1")
    site.variables["HTTPS_PROXY"] =
      try site.plain { _ in
        [.text("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")]
      }.url
    try expectKept(site.check("example.com").says(exit: 4, errors: .nothing).report, as: "F007")
    site.variables["HTTPS_PROXY"] =
      try site.plain { request in
        request.hasPrefix("CONNECT example.com:443 ")
          ? [.text("HTTP/1.1 200 OK\r\n\r\n"), .relay(port: port)]
          : [.text("HTTP/1.1 502 No\r\n\r\n")]
      }.url
    // Its own address says nothing of the domain's.
    try site.check("example.com").says(exit: 0, errors: .nothing).report.says(
      "fine:\n  proxy        127.0.0.1:PORT\n  TLS          TLSv1.3\n")
  }

  @Test func `a proxy of another kind is not ignored in silence`() throws {
    var site = try CheckSite()
    site.variables["HTTPS_PROXY"] = "socks5://127.0.0.1:1080"
    try site.check("example.com").says(
      .start(CheckSite.served), exit: 0,
      errors: "HTTPS_PROXY=socks5://127.0.0.1:1080 is ignored")
  }

  // MARK: Connections

  @Test func `a server that says nothing in time`() throws {
    let server = try ScriptedServer { _ in [.stall] }
    let clock = ContinuousClock()
    let start = clock.now
    let run = try Workspace().aasa("check", server.url, "--timeout", "1500ms").says(
      .start(
        "127.0.0.1: universal links will not work: timed out while the answer was received, after "
          + "1500 ms [F020]\n"), exit: 1, errors: .nothing)
    // One time for the first answer, and one for all others, beside each other.
    #expect(start.duration(to: clock.now) < .seconds(10), "\(run.text)")
    try expectKept(
      run.report.replacing(/warning: the file was fetched by plain HTTP[\s\S]*?\n\n/, with: ""),
      as: "F020")
  }

  @Test func `handshakes and certificates that fail`() throws {
    var site = try CheckSite(nil)
    let authority = site.authority
    var alone = try authority.issue("example.com")
    alone.intermediates = []
    let rows: [(code: String, identity: TestCertificate)] = [
      ("F013", try authority.issue("example.com", validity: -9 ... -2)),
      ("F014", try authority.issue("example.com", validity: 2...9)),
      ("F015", try makeCertificate(names: ["example.com"])), ("F016", alone),
      ("F017", try TestAuthority().issue("example.com")),
      ("F019", try authority.issue("example.com", validity: -9...9)),
    ]
    for (code, identity) in rows {
      let server = try site.serve(showing: identity)
      let run = try site.check("example.com", "--origin", "127.0.0.1:\(server.port)")
        .says("[\(code)]", exit: code == "F019" ? 0 : 1, errors: .nothing)
      try expectKept(run.report, as: code)
    }
    let wrong = try site.serve(
      showing: authority.issue("www.example.com"))
    try site.check("example.com", "--origin", "127.0.0.1:\(wrong.port)").says(
      "the certificate is not for example.com but for www.example.com [F012]", exit: 1)

    var odd = try CheckSite(nil)
    try odd.serve(
      showing: odd.authority.issue("example.com", usage: "clientAuth"))
    try expectKept(odd.check("example.com").says(exit: 1).report, as: "F018")
    var alerting = try CheckSite(nil)
    // The alert handshake_failure (RFC 8446 section 6.2).
    let port = try alerting.plain { _ in [.bytes([21, 3, 3, 0, 2, 2, 40])] }.port
    alerting.network.set("example.com", to: "1.0.0.1")
    alerting.network.lead("1.0.0.1:443", to: port)
    try expectKept(alerting.check("example.com").says(exit: 1).report, as: "F011")
  }

  // MARK: Several domains

  @Test func `several domains have a report each, and wrong usage none`() throws {
    let workspace = try Workspace()
    let server = try ScriptedServer(script: CheckSite.serving())
    let other = try ScriptedServer(script: CheckSite.serving())
    // The same one twice is one.
    let run = try workspace.aasa("check", server.url, other.url, server.url + "/").says(exit: 0)
    #expect(run.text.components(separatedBy: Self.served).count == 3)
    for arguments in [
      [], ["ftp://a.example"], ["a.example/b"], ["a..b"], ["127.0.0.1", "--resolve", "x"],
      ["127.0.0.1", "--resolve", "a.example:443:nowhere"], ["127.0.0.1", "--parallel", "0"],
      ["127.0.0.1", "--format", "html"], ["127.0.0.1", "--json", "--format", "junit"],
    ] {
      try workspace.aasa(["check"] + arguments).says(.nothing, exit: 2, errors: .something)
    }
  }

  @Test func `the system's roots are loaded once, for all domains and a signed file`() throws {
    var site = try CheckSite(nil)
    let workspace = site.workspace
    let signer = try site.authority.issue("example.com")
    try workspace.write("site.json", CheckSite.file)
    try workspace.write("site.crt", signer.chain)
    try workspace.write("site.key", signer.key)
    try workspace.aasa(
      "sign", "site.json", "--certificate", "site.crt", "--key", "site.key", "-o", "signed"
    ).says(exit: 0)
    let signed = Array(try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed"))))
    try site.serve { request in
      path(of: request).hasSuffix("site-association")
        ? [.answer(type: "application/pkcs7-mime", body: signed)]
        : [.answer("404 Not Found", "no")]
    }
    site.network.set("www.example.com", to: "1.0.0.1")
    // A pipe that is written once: a second load would wait forever.
    guard mkfifo(workspace.path("roots"), 0o600) == 0 else { throw Failure("no pipe") }
    let writer = try ChildProcess(
      "/bin/sh", ["-c", #"exec cat "$0" > roots"#, site.authority.rootFile], folder: workspace.root)
    let finished = try run(
      Server.program,
      ["check", "example.com", "www.example.com", "--cdn", "none", "--timeout", "30s"],
      environment: site.network.environment.merging(["SSL_CERT_FILE": workspace.path("roots")]) {
        $1
      }, folder: workspace.root)
    try #expect(writer.waitForExit() == 0)
    finished.says(.start("2 checked: 2 are right\n"), exit: 0)
  }

  @Test func `reports come in the order of the domains, whichever is ready first`() throws {
    // The first answers only when all others have been asked.
    let others = 7
    var site = try CheckSite(nil)
    let quick = try site.serve("n0.example.com", at: "1.0.0.2") { _ in [.answer(CheckSite.file)] }
    try site.serve("slow.example.com") { _ in
      _ = eventually { quick.requests.count >= others }
      return [.answer(CheckSite.file)]
    }
    // Their certificate is another's, but the test is about the order.
    let quickOnes = (1...others).map { "n\($0).example.com" }
    for name in quickOnes { site.network.set(name, to: "1.0.0.2") }
    let names = ["slow.example.com"] + quickOnes
    let arguments = names + ["--parallel", "8"]
    let text = try site.check(arguments).says(exit: 1, errors: .nothing).text
    let verdicts = text.split(separator: "\n").filter { line in
      names.contains { line.hasPrefix($0 + ": ") }
    }
    // Faults come first.
    #expect(
      verdicts.map { String($0.prefix { $0 != ":" }) } == quickOnes + names.prefix(1), "\(text)")
    let found = try site.check(arguments + ["--json"]).text.split(separator: "\n").compactMap {
      $0.firstMatch(of: /^\{"domain":"([^"]*)"/)?.1
    }
    #expect(found.map(String.init) == names)
  }
}
