import Foundation
import TestRunning
import Testing

@testable import EndToEnd

@Suite("issuance: certificates by themselves", .manyAtOnce, .needsPebble, .needsNameServer)
struct AutomaticCertificateTests {
  @Test func `a host gets a certificate that clients accept, in one file of mode 0600`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let attributes = try FileManager.default.attributesOfItem(
        atPath: issuance.file("example.com"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(
        issuance.steps == [
          " account", "example.com ordering", "example.com ordered", "example.com answering",
          "example.com finalising", "example.com downloading", "example.com installing",
          "example.com installed", "example.com served",
        ])
    }
    #expect(issuance.pebble.issued == 1)
    // Nothing is asked for again.
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `aliases and lists of hosts get theirs too, and hosts with one of their own do not`()
    throws
  {
    let issuance = try Issuance(["example.com", "own.example.com"])
    var world = issuance.world
    for host in ["www.example.com", "a.example.net", "b.example.net"] {
      world.set(host, to: "1.0.0.1")
    }
    var changed = issuance
    changed.world = world
    try changed.workspace.write("domains/example.com.hosts", "a.example.net\nb.example.net\n")
    let certificate = try makeCertificate(names: ["own.example.com"])
    try changed.workspace.install(certificate, as: "own.example.com")
    try changed.serve(["--alias", "www.example.com=example.com"]) { server in
      server.allow(stderr: "[T012]")
      let hosts = ["example.com", "www.example.com", "a.example.net", "b.example.net"]
      for host in hosts {
        changed.expectTrusted(host, by: server)
      }
      #expect(eventually { changed.steps.count { $0.hasSuffix(" served") } == 4 })
    }
    #expect(changed.pebble.issued == 4)
    #expect(!changed.workspace.exists("state/certificates/own.example.com.pem"))
  }

  @Test func `a host that has an IPv6 address alone gets a certificate`() throws {
    var options = Pebble.Options()
    options.isIPv6 = true
    let issuance = try Issuance(["example.com"], options)
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `half of the nonces are refused, and it goes on`() throws {
    var options = Pebble.Options()
    options.refusedNonces = 50
    let issuance = try Issuance(["example.com"], options)
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
      #expect(eventually { issuance.steps.contains("example.com served") })
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `where only port 443 is open, a certificate on it shows whose the name is`() throws {
    var options = Pebble.Options()
    options.tlsPort = try RawClient.freePort()
    var issuance = try Issuance(["example.com"], options)
    issuance.world.lead("1.0.0.2:443", to: UInt16(options.tlsPort))
    try issuance.workspace.write("domains/b.example.com.json", association("A"))
    issuance.world.set("b.example.com", to: "1.0.0.2")
    try withServer(
      issuance.workspace, https: true,
      ["--https", "127.0.0.1:\(options.tlsPort)"] + issuance.flags(),
      environment: issuance.world.environment
    ) { server in
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == 2 },
        "\(issuance.steps) \(server.errorLines)")
      // No other name is shown anything by that protocol.
      let strange = try server.sClient(
        "-alpn", "acme-tls/1", "-servername", "other.example", input: "")
      #expect(strange.text.contains("no peer certificate available"))
    }
    #expect(issuance.pebble.issued == 2)
  }

  @Test func `a challenge that cannot be answered here is named, with what to do`() throws {
    let issuance = try Issuance(["example.com"])
    let flags = ["--acme-challenges", "tls-alpn-01"]
    let issuer = try issuance.start("issuer", more: flags)
    defer { issuer.signal(SIGKILL) }
    #expect(
      eventually {
        let errors = String(decoding: issuer.now.errors, as: UTF8.self)
        return errors.contains("[I001]") && errors.contains("add http-01 to acmeChallenges")
      }, "\(issuer.now)")
    issuer.signal(SIGKILL)
    _ = try issuer.waitForExit()
    // Nothing answers on port 443.
    try issuance.serve(flags) { server in
      server.expect(stderr: "[I001]", "1.0.0.1 does not answer on port 443", "forward its port 443")
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
  }

  @Test func `a private CA may know a name for private use`() throws {
    var issuance = try Issuance([])
    issuance.world.set("app.internal", to: "1.0.0.1")
    try issuance.workspace.write("domains/app.internal.json", association("A"))
    try issuance.serve { server in
      server.allow(stderr: "app.internal")
      issuance.expectTrusted("app.internal", by: server)
    }
  }

  @Test func `when another CA is named, its certificate comes at once`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    var options = Pebble.Options()
    options.httpPort = issuance.http
    let other = try Pebble(options)
    let roots = try [issuance.pebble, other].map { try $0.workspace.text("roots.pem") }
    try issuance.pebble.workspace.write("roots.pem", roots.joined())
    for _ in 0..<2 {
      try issuance.serve(directory: other.directory) { server in
        #expect(
          eventually { server.isTrusted("example.com", roots: other.roots) },
          "\(issuance.steps) \(server.errorLines)")
      }
    }
    #expect(issuance.pebble.issued == 1 && other.issued == 1)
  }

  @Test(.needs(.python3))
  func `the name server of a setting is asked where this network's gives private addresses`()
    throws
  {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/example.com.json", association("A"))
    issuance.world.set("example.com", to: "10.0.0.5")
    let port = try RawClient.freePort()
    let python = try #require(Tool.python3.path)
    let names = try ChildProcess(
      python, [repositoryFile("Tests/Tools/nameserver.py"), "\(port)", "1.0.0.1"])
    defer { names.signal(SIGKILL) }
    try issuance.serve { server in
      server.expect(stderr: "[I001]", "10.0.0.5")
    }
    try issuance.serve(["--acme-resolver", "127.0.0.1:\(port)"]) { server in
      server.allow(stderr: "[I001]")
      #expect(
        eventually { issuance.steps.contains("example.com served") }, "\(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `an account is bound to one at the CA`() throws {
    var options = Pebble.Options()
    options.binding = ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W")
    let issuance = try Issuance(["example.com"], options)
    try issuance.serve { server in
      server.expect(stderr: "[I003]", "--acme-eab")
    }
    #expect(issuance.pebble.issued == 0)
    try issuance.workspace.write(
      "eab", "kid: kid-1\nkey: zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W\n")
    try issuance.serve(["--acme-eab", issuance.workspace.path("eab")]) { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test
  func `a renewal that has failed is an exit code, though the certificate is still good`() throws {
    let workspace = try Workspace()
    let identity = try TestAuthority().issue("example.com")
    try workspace.write(
      "state/certificates/example.com.pem",
      #"# {"authority":"https://ca.example/directory"}"# + "\n" + identity.key + identity.chain)
    let folder = ["--acme-state", workspace.path("state"), "--acme", "letsencrypt"]
    func status(_ step: String, _ more: String...) throws -> Finished {
      try workspace.write(
        "state/acme/journal",
        #"{"time":1700000000,"host":"example.com","authority":"a","step":"\#(step)","detail":"no"}"#
          + "\n")
      return try workspace.aasa(["acme", "status"] + more + folder)
    }
    try status("served").says(.whole("1 host: 1 good\n"), exit: 0)
    try status("served", "--all").says("1 host: 1 good\nexample.com  until ", exit: 0)
    try status("failed").says(
      "1 host: 1 in need of attention\nexample.com  until ", "\n  failed ", exit: 1)
  }

  @Test func `a person asks for a new certificate, and sees how all stand`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve(["--admin", "127.0.0.1:0"]) { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let folder = ["--acme-state", issuance.state, "--acme", issuance.pebble.directory]
      let before = try issuance.workspace.text("state/certificates/example.com.pem")
      let status = try issuance.workspace.aasa(["acme", "status"] + folder)
      #expect(status.exitCode == 0 && status.text == "1 host: 1 good\n", "\(status)")
      let renew = try issuance.workspace.aasa(["acme", "renew", "example.com"] + folder)
      #expect(renew.exitCode == 0, "\(renew)")
      #expect(
        eventually { issuance.steps.count { $0 == "example.com served" } == 2 },
        "\(issuance.steps)")
      try #expect(issuance.workspace.text("state/certificates/example.com.pem") != before)
      try server.expectSample(#"aasa_acme_certificates{state="issued"}"#, 1)
      try #expect(
        server.becomes { try server.aasa("status", "example.com").text.contains(", renews ") })
      let account = try issuance.workspace.aasa(["acme", "account"] + folder)
      #expect(account.text.hasPrefix("thumbprint ") && account.text.contains("/my-account/"))
      try #expect(server.sample("aasa_acme_is_issuer") == 1)
      try #expect(server.aasa("status").text.contains("automatic certificates: 1 issued"))
    }
    #expect(issuance.pebble.issued == 2)
  }

  @Test
  func `servers that only answer do so for any host that they serve, and write nothing`() throws {
    let issuance = try Issuance(["example.com"])
    // One in 64 begins with a hyphen.
    let thumbprint = "-L7KySLeitqoK7PDdNCOCYovNqNUOfY-a8WdtYmZ3O4"
    let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"
    let path = "/.well-known/acme-challenge/\(token)"
    try issuance.workspace.write("thumbprint", thumbprint + "\n")
    for value in [thumbprint, issuance.workspace.path("thumbprint")] {
      try withServer(issuance.workspace, ["--acme-answer", value]) { server in
        let answer = try server.get(path)
        #expect(answer.status == 200 && answer.text == "\(token).\(thumbprint)")
        #expect(answer["Content-Type"] == "application/octet-stream")
        try #expect(server.get(path, host: "other.example").status == 404)
        try #expect(server.get(path, method: "HEAD").body.isEmpty)
        try #expect(server.get(path, method: "DELETE").status == 405)
        try #expect(server.get("/.well-known/acme-challenge/short").status == 404)
        if value == thumbprint { return }
        // The account has another key.
        let next = "A" + thumbprint.dropFirst()
        try issuance.workspace.write("thumbprint", next)
        server.process.signal(SIGHUP)
        #expect(eventually { (try? server.get(path).text) == "\(token).\(next)" })
        try issuance.workspace.write("thumbprint", "none")
        server.process.signal(SIGHUP)
        server.expect(stderr: "[I014]")
        try #expect(server.get(path).text == "\(token).\(next)")
      }
    }
    try withServer(issuance.workspace) { server in
      try #expect(server.get(path).status == 404)
    }
    #expect(!issuance.workspace.exists("state"))
  }

  @Test(.stress) func `a name that was not ready is checked again by itself`() throws {
    let issuance = try Issuance(["example.com"])
    let own = try makeCertificate(names: ["own.example.com"])
    try issuance.workspace.install(own, as: "own.example.com")
    // Nobody listens where the name leads to.
    try withServer(
      issuance.workspace, https: true, Array(issuance.flags().dropFirst(2)),
      environment: issuance.world.environment
    ) { server in
      server.allow(stderr: "[T012]")
      server.expect(stderr: "[I001]")
      let account = try issuance.workspace.aasa([
        "acme", "account", "--acme-state", issuance.state, "--acme", issuance.pebble.directory,
      ])
      let thumbprint = String(account.text.dropFirst(11).prefix(43))
      try withServer(
        issuance.workspace,
        ["--http", "127.0.0.1:\(issuance.http)", "--acme-answer", thumbprint]
      ) { _ in
        // Clients do not make that sooner.
        #expect(
          eventually(within: .seconds(90)) {
            server.isTrusted("example.com", roots: issuance.pebble.roots)
          }, "\(issuance.steps)")
      }
    }
    #expect(issuance.pebble.issued == 1)
  }
}

@Suite("issuance: the CA is not asked without need", .manyAtOnce, .needsPebble, .needsNameServer)
struct UnaskedTests {
  /// What a world may look like in which a CA would refuse.
  enum Obstacle: CaseIterable {
    case noAddress, searchDomain, resolverFails, otherServer, otherServerOnIPv6, nobody,
      privateName, caa
    case caaFails
  }

  @Test(arguments: Obstacle.allCases)
  func `a name that is not ready costs the CA nothing, and says what to change`(
    obstacle: Obstacle
  ) throws {
    var issuance = try Issuance([])
    let host = obstacle == .privateName ? "printer.internal" : "example.com"
    try issuance.workspace.write("domains/\(host).json", association("A"))
    var (code, words) = ("[I001]", "")
    let other = try Workspace()
    try other.write("domains/other.example.json", association("A"))
    try withServer(other) { server in
      issuance.world.lead("1.0.0.2:80", to: UInt16(server.http))
      switch obstacle {
      case .noAddress: words = "has no address"
      case .searchDomain:
        issuance.world.searchAddress = "1.0.0.1"
        words = "has no address"
      case .resolverFails:
        issuance.world.set(host, to: "again")
        words = "cannot be resolved"
      case .otherServer:
        issuance.world.set(host, to: "1.0.0.1", "1.0.0.2")
        words = "1.0.0.2 answers"
      case .otherServerOnIPv6:
        issuance.world.set(host, to: "1.0.0.1", "2a00::2")
        words = "remove the AAAA record"
      case .nobody:
        issuance.world.set(host, to: "1.0.0.3")
        words = "1.0.0.3 accepts no connection"
      case .privateName: words = "private use"
      case .caa:
        issuance.world.set(host, to: "1.0.0.1")
        issuance.world.setAuthorities(of: "com", to: "sectigo.com")
        (code, words) = ("[I002]", "the CAA records of com allow only \"sectigo.com\"")
      case .caaFails:
        issuance.world.set(host, to: "1.0.0.1")
        issuance.world.setAuthorities(of: host, to: "again")
        words = "CAA records of example.com cannot be read"
      }
      // Pebble does not say which names in CAA records mean it, and may know names for private use.
      let isPublic = [.caa, .privateName].contains(obstacle)
      try issuance.serve(directory: isPublic ? "letsencrypt" : nil) { server in
        server.expect(stderr: code, words)
      }
      #expect(issuance.pebble.requests("/dir") == 0, "\(issuance.pebble.lines)")
      #expect(issuance.pebble.requests("order") == 0)
      #expect(issuance.pebble.requests("sign-me-up") == 0)
    }
  }

  @Test func `a thumbprint with a typing error is named as one`() throws {
    let workspace = try Workspace()
    let thumbprint = String(repeating: "x", count: 42)
    let run = try workspace.aasa([
      "serve", "--domains", workspace.domains, "--acme-answer", thumbprint,
    ])
    #expect(run.exitCode == 2 && run.errors.contains("[I014]"))
    run.errors.says("there is no such file, and \(thumbprint) is not a thumbprint")
    #expect(run.errors.contains("this text has 42"))
  }

  /// In the container's own file system, or in memory.
  @Test(.needsNameServer, arguments: [true, false])
  func `a state folder that goes with its container is refused`(inMemory: Bool) throws {
    let workspace = try Workspace()
    var world = try NameServer()
    world.fileSystems = ["/": .overlay]
    if inMemory { world.fileSystems[workspace.root] = .memory }
    let state = inMemory ? workspace.path("state") : "/aasa-state"
    let flags = [
      "serve", "--domains", workspace.domains, "--acme", "letsencrypt", "--acme-state", state,
    ]
    let refused = try run(Server.program, flags, environment: world.environment)
    #expect(refused.exitCode == 1 && refused.errors.contains("[I008]"), "\(refused.errors)")
    #expect(refused.errors.contains("docker run -v aasa-state:\(state)"))
  }
}
