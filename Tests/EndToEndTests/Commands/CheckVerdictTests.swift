import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The colour and the first line of `aasa check`: never red for faults of this machine, never green
/// if some devices cannot get the file.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckVerdictTests {
  private let authority = Result { try TestAuthority() }
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let served = "example.com: the association file is served as Apple asks"

  private static func answer(
    _ file: String = good
  ) -> @Sendable (String) -> [ScriptedServer.Step] {
    { request in
      path(of: request).hasSuffix("assetlinks.json")
        ? [.answer("404 Not Found", "no")] : [.answer(file)]
    }
  }

  private func server(
    validity: ClosedRange<Int> = -1...365,
    _ script: @escaping ScriptedServer.Script = answer()
  ) throws -> ScriptedServer {
    let identity = try authority.get().issue(
      "example.com", "www.example.com", validity: validity)
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  /// A network in which example.com has these addresses; a port of 0 means that there is no route.
  private func world(_ addresses: (String, UInt16)...) throws -> NameServer {
    var world = try NameServer()
    var names = ""
    for (address, port) in addresses {
      names += names.isEmpty ? address : "," + address
      world.lead("\(address):443", to: port)
    }
    world.set("example.com", to: names)
    return world
  }

  private func check(
    _ world: NameServer, _ arguments: String..., exitCode: Int32, errors: Said = .nothing,
    variables: [String: String] = [:], at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try run(
      Server.program,
      ["check", "--ca", authority.get().rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment.merging(variables) { $1 }, folder: workspace.get().root
    ).says(exit: exitCode, errors: errors, at: location).text
  }

  @Test func `without IPv6 the IPv4 addresses decide`() throws {
    let origin = try server()
    let text = try check(
      world(("1.0.0.1", origin.port), ("2606:4700::1", 0)), "example.com", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\n"), "\(text)")
    #expect(
      text.contains("the IPv6 addresses were not checked: this machine has no IPv6 route"),
      "\(text)")
  }

  @Test func `without any route nothing is found out`() throws {
    let text = try check(world(("2606:4700::1", 0)), "example.com", exitCode: 4)
    #expect(
      text.hasPrefix(
        "example.com: could not be checked: this machine has no route to the domain's addresses"),
      "\(text)")
    #expect(text.contains("[F008]"))
  }

  @Test func `where Apple's CDN is not reached either, the network is the reason`() throws {
    let world = try NameServer()
    let text = try check(
      world, "example.com", "--cdn", "https://cdn.example/a/v1", exitCode: 4)
    #expect(
      text.hasPrefix(
        "example.com: could not be checked: neither the domain nor Apple's CDN can be reached"),
      "\(text)")
    // The CDN answers: then it is the domain.
    let cdn = try ScriptedServer { _ in [.answer("404 Not Found", "no")] }
    let own = try check(world, "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(own.hasPrefix("example.com: universal links will not work: the name"), "\(own)")
  }

  @Test func `a proxy that is not there says nothing of the domain`() throws {
    var world = try NameServer()
    world.set("127.0.0.1", to: "127.0.0.1")
    let closed = try RawClient.freePort()
    let text = try check(
      world, "example.com", exitCode: 4,
      variables: ["HTTPS_PROXY": "http://127.0.0.1:\(closed)"])
    #expect(text.hasPrefix("example.com: could not be checked: the proxy"), "\(text)")
  }

  @Test func `a proxy of another kind is not ignored in silence`() throws {
    let origin = try server()
    let text = try check(
      world(("1.0.0.1", origin.port)), "example.com", exitCode: 0,
      errors: "HTTPS_PROXY=socks5://127.0.0.1:1080 is not used",
      variables: ["HTTPS_PROXY": "socks5://127.0.0.1:1080"])
    #expect(text.hasPrefix(Self.served))
  }

  @Test func `a certificate is reported on its last day, too`() throws {
    let origin = try server(validity: -1...0)
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 0)
    #expect(text.contains("warning: the certificate expires in 0 days, on "), "\(text)")
  }

  @Test func `a page in the place of everything is a network that asks for a sign-in`() throws {
    let page = try server { _ in [.answer(type: "text/html", "<html>sign in</html>")] }
    let cdn = try ScriptedServer { _ in [.redirect(to: "https://wifi.example/")] }
    let text = try check(
      world(("1.0.0.1", page.port)), "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 4)
    #expect(
      text.hasPrefix(
        "example.com: could not be checked: a web page answers in place of Apple's CDN, too"),
      "\(text)")
  }

  @Test func `each address is judged whole`() throws {
    let first = try server()
    let expired = try server(validity: -9 ... -2)
    let failing = try server { _ in [.answer("500 Internal Server Error", "no")] }
    let text = try check(
      world(("1.0.0.1", first.port), ("1.0.0.2", expired.port), ("1.0.0.3", failing.port)),
      "example.com", exitCode: 1)
    #expect(
      text.hasPrefix("example.com: universal links will fail for some devices: at the address"),
      "\(text)")
    #expect(text.contains("error: at the address 1.0.0.2: the certificate \"example.com\" expired"))
    #expect(text.contains("error: the address 1.0.0.3 gives status 500, 1.0.0.1 the file [F006]"))
  }

  @Test func `addresses whose files differ in white space serve the same file`() throws {
    let first = try server()
    let second = try server(Self.answer(Self.good + "\n "))
    let text = try check(
      world(("1.0.0.1", first.port), ("1.0.0.2", second.port)), "example.com", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\n") && text.contains("all 2 addresses were checked"))
  }

  @Test func `a rule against hidden files is named`() throws {
    let origin = try server { request in
      path(of: request) == associationPaths[0]
        ? [.answer("403 Forbidden", "no")] : Self.answer()(request)
    }
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 1)
    #expect(
      text.contains("access to /.well-known is refused (403), though the root has the file [F032]"),
      "\(text)")
    #expect(text.contains("look for a rule against names that begin with a dot"))
  }

  @Test func `a private address is right for developer mode`() throws {
    var world = try NameServer()
    let origin = try server()
    world.set("example.com", to: "10.1.2.3")
    world.lead("10.1.2.3:443", to: origin.port)
    #expect(try check(world, "example.com", exitCode: 1).contains("[F003]"))
    let text = try check(world, "applinks:example.com?mode=developer", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\n") && !text.contains("[F003]"), "\(text)")
    // Its devices do not ask the CDN.
    let cdn = try ScriptedServer { _ in [.answer(shopFile(components: "[]"))] }
    let old = try check(
      world, "applinks:example.com?mode=developer", "--cdn", cdn.url + "/a/v1", exitCode: 0)
    #expect(old.contains("note: Apple's CDN has a different version of the file"), "\(old)")
  }

  @Test func `an app may be named under another service`() throws {
    let file = #"{"webcredentials":{"apps":["\#(shop)"]}}"#
    let origin = try server(Self.answer(file))
    let text = try check(
      world(("1.0.0.1", origin.port)), "example.com", "--expect", shop, exitCode: 0)
    #expect(text.contains("webcredentials names \(shop)"), "\(text)")
  }

  @Test func `a link is its host, its rules, and where it leads`() throws {
    let origin = try server { request in
      path(of: request) == "/buy/42"
        ? [.redirect(to: "https://shop.example.org/42")] : Self.answer()(request)
    }
    let world = try world(("1.0.0.1", origin.port))
    let text = try check(world, "https://example.com/buy/42", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\n"), "\(text)")
    #expect(text.contains("/buy/42 opens an app"))
    #expect(
      text.contains(
        "note: the link redirects to shop.example.org, but only example.com can make it open an app"
      ))
    #expect(text.contains("\nnot seen from here: whether the app was installed again"), "\(text)")
    let other = try check(world, "https://example.com/sell/42", exitCode: 1)
    #expect(
      other.hasPrefix(
        "example.com: the file is served, but is not what you expect: the file does not permit"),
      "\(other)")
  }

  @Test func `the served file must be equivalent to the given one`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    try workspace.get().write("same.json", " " + Self.good)
    let same = try check(world, "example.com", "--file", "same.json", exitCode: 0)
    #expect(same.contains("it is equivalent to same.json"), "\(same)")
    try workspace.get().write("other.json", shopFile(components: #"[{"/":"/sell/*"}]"#))
    let other = try check(world, "example.com", "--file", "other.json", exitCode: 1)
    #expect(
      other.contains("error: the file differs in meaning from other.json [F074]"), "\(other)")
  }

  @Test func `a requirement for another domain is an error, and a URL adds its domain`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    let workspace = try workspace.get()
    try workspace.write("other.cases", "https://other.com/buy/1 opens \(shop)\n")
    _ = try check(
      world, "example.com", "--cases", "other.cases", exitCode: 2,
      errors: "other.cases: no line is about a domain that is checked")
    _ = try check(
      world, "example.com", "--resolve", "other.com:443:192.0.2.1", exitCode: 2,
      errors: "other.com is not checked")
    let text = try check(
      world, "example.com", "--url", "https://other.com/buy/1", exitCode: 1)
    #expect(text.hasPrefix("2 checked: 1 is wrong, 1 is right\n"), "\(text)")
    #expect(text.contains("\nother.com: universal links will not work: the name"), "\(text)")
  }

  @Test func `entitlements with variables are never a green check of nothing`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    func write(_ entries: String) throws {
      try workspace.get().write(
        "App.entitlements",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
        <array>\(entries)</array></dict></plist>
        """)
    }
    try write("<string>applinks:$(DOMAIN)</string>")
    let unfilled = try check(
      world, "--entitlements", "App.entitlements", exitCode: 2, errors: "nothing was checked")
    #expect(
      unfilled.contains("applinks:$(DOMAIN) was not checked: the build fills in DOMAIN [F087]"),
      "\(unfilled)")
    for form in ["$(DOMAIN)", "${DOMAIN}"] {
      try write("<string>applinks:\(form)</string>")
      let text = try check(
        world, "--entitlements", "App.entitlements", "--set", "DOMAIN=example.com", exitCode: 0)
      #expect(text.hasPrefix(Self.served), "\(text)")
    }
    try write("")
    let empty = try check(world, "--entitlements", "App.entitlements", exitCode: 1)
    #expect(empty.contains("[F086]"), "\(empty)")
  }

  @Test func `one bad line of a list is one finding`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    try workspace.get().write("list", "example.com\n\na..b\n")
    let text = try check(world, "--from", "list", exitCode: 1)
    #expect(text.hasPrefix("2 checked: 1 is wrong, 1 is right\n"), "\(text)")
    #expect(text.contains("\nlist:3: a..b is not a host"), "\(text)")
    #expect(text.hasSuffix("\n\(Self.served)\n"), "\(text)")
    let quiet = try check(world, "--from", "list", "--quiet", exitCode: 1)
    #expect(!quiet.contains(Self.served), "\(quiet)")
    let table = try check(world, "--from", "list", "--format", "markdown", exitCode: 1)
    #expect(table.hasPrefix("| domain | verdict |\n|---|---|\n| ❌ list:3 | a..b is"), "\(table)")
    let notes = try check(world, "--from", "list", "--format", "github", exitCode: 1)
    #expect(notes.hasPrefix("::error title=F090::list:3: a..b is not a host"), "\(notes)")
  }

  // MARK: Apple's CDN

  private func cdnCheck(
    _ step: ScriptedServer.Step, origin: String = good, _ arguments: String..., exitCode: Int32
  ) throws -> String {
    let missing: ScriptedServer.Script = { _ in [.answer("404 Not Found", "no")] }
    let server = try server(origin.isEmpty ? missing : Self.answer(origin))
    let cdn = try ScriptedServer { _ in [step] }
    return try run(
      Server.program,
      [
        "check", "--ca", authority.get().rootFile, "example.com", "--cdn", cdn.url + "/a/v1",
        "--timeout", "30s",
      ] + arguments,
      environment: world(("1.0.0.1", server.port)).environment, folder: workspace.get().root
    ).says(exit: exitCode).text
  }

  private func failure(_ reason: String) -> ScriptedServer.Step {
    .answer(
      "404 Not Found",
      fields: [
        "Apple-Failure-Reason: \(reason)", "Cache-Control: max-age=3600", "Age: 600",
      ], "")
  }

  @Test func `an old copy is a notice, and fails on request`() throws {
    let older = ScriptedServer.Step.answer(
      fields: ["Cache-Control: max-age=21600", "Age: 20000"],
      shopFile(components: #"[{"/":"/old"}]"#))
    let text = try cdnCheck(older, exitCode: 0)
    #expect(
      text.hasPrefix(
        Self.served + "; Apple's CDN keeps another version for at most 26 minutes more\n"),
      "\(text)")
    _ = try cdnCheck(older, "--fail-on", "cdn", exitCode: 3)
  }

  @Test func `a failure that the CDN remembers passes by itself`() throws {
    let text = try cdnCheck(failure("SWCERR00101 Bad HTTP Response: 404"), exitCode: 0)
    #expect(
      text.hasPrefix(
        Self.served + "; Apple's CDN caches a failure for at most 50 minutes more\n"), "\(text)")
  }

  @Test func `a refusal that concerns only Apple is recognized`() throws {
    let text = try cdnCheck(failure("SWCERR00101 Bad HTTP Response: 403"), exitCode: 1)
    #expect(
      text.contains(
        "while this machine gets the file: something treats addresses or countries differently"),
      "\(text)")
  }

  @Test func `in an outage devices still get the good copy, for a time`() throws {
    let copy = ScriptedServer.Step.answer(
      fields: ["Cache-Control: max-age=3600", "Age: 1200"], Self.good)
    let text = try cdnCheck(copy, origin: "", exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: devices get a copy from Apple's CDN for at most 40 minutes more, and then "
          + "none: there is no file"), "\(text)")
  }

  @Test func `the first line on a file that is not JSON says what follows`() throws {
    let copy = ScriptedServer.Step.answer(
      fields: ["Cache-Control: max-age=3600", "Age: 1200"], Self.good)
    let broken = String(Self.good.dropLast()) + ",}"
    let reason = "the file is not valid JSON: a comma follows the last member of the object\n"
    let origin = try server(Self.answer(broken))
    let alone = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 1)
    #expect(alone.hasPrefix("example.com: universal links will not work: \(reason)"), "\(alone)")
    let text = try cdnCheck(copy, origin: broken, exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: devices get a copy from Apple's CDN for at most 40 minutes more, and then "
          + "none: \(reason)"), "\(text)")
  }

  @Test func `a copy of a file that permits nothing is no help`() throws {
    let empty = #"{"applinks":{"details":[]}}"#
    let text = try cdnCheck(.answer(empty), origin: empty, exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: universal links will not work: this file lets no app open a link, offer a "
          + "password or run as an App Clip\n"), "\(text)")
  }

  @Test func `an address that speaks HTTP/2 only is unknown, and not a fault`() throws {
    let first = try server()
    let second = try server { _ in [.bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])] }
    let text = try check(
      world(("1.0.0.1", first.port), ("1.0.0.2", second.port)), "example.com", exitCode: 4)
    #expect(
      text.hasPrefix(
        "example.com: could not be checked: at the address 1.0.0.2: the server speaks HTTP/2 only, "
          + "which aasa does not support; Apple's CDN and devices do\n"), "\(text)")
    #expect(text.contains("[F025]"))
  }

  @Test func `if Apple's CDN has no file of a server that speaks HTTP/2 only, links fail`() throws {
    let origin = try server { _ in [.bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])] }
    let cdn = try ScriptedServer { [step = failure("SWCERR00301 Timeout")] _ in [step] }
    let text = try check(
      world(("1.0.0.1", origin.port)), "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: universal links will not work: Apple's CDN has no file, because of "
          + "SWCERR00301 Timeout"), "\(text)")
  }
}
