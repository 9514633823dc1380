import Foundation
import ScriptedServer
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// The edges of `aasa check`: ports in a name, links of hosts that the app does not name, faulty
/// servers at some of the addresses, answers that change.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckEdgeTests {
  private let authority = Result { try TestAuthority() }
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let served = "example.com: the association file is served as Apple asks"

  private static func answer(_ file: String = good) -> ScriptedServer.Script {
    {
      path(of: $0).hasSuffix("site-association")
        ? [.answer(file)] : [.answer("404 Not Found", "no")]
    }
  }

  private func server(
    validity: ClosedRange<Int> = -1...365, _ script: @escaping ScriptedServer.Script = answer()
  ) throws -> ScriptedServer {
    let identity = try authority.get().issue(
      "example.com", "www.example.com", validity: validity)
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  private func world(_ addresses: (String, UInt16)...) throws -> NameServer {
    var world = try NameServer()
    world.set("example.com", to: addresses.map(\.0).joined(separator: ","))
    for (address, port) in addresses { world.lead("\(address):443", to: port) }
    return world
  }

  private func check(
    _ world: NameServer, _ arguments: String..., exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try run(
      Server.program,
      ["check", "--ca", authority.get().rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment, folder: workspace.get().root
    ).says(exit: exitCode, at: location).text
  }

  private func cdn(_ reason: String) throws -> ScriptedServer {
    try ScriptedServer { _ in
      [.answer("404 Not Found", fields: ["Apple-Failure-Reason: \(reason)"], "")]
    }
  }

  private func writeEntitlements(_ entries: String...) throws {
    try workspace.get().write(
      "App.entitlements",
      """
      <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
      <array>\(entries.map { "<string>\($0)</string>" }.joined())</array></dict></plist>
      """)
  }

  // MARK: What is asked

  @Test(arguments: ["example.com:443", "https://example.com:443/buy/1"])
  func `the port of HTTPS is no port`(argument: String) throws {
    let origin = try server {
      path(of: $0).hasSuffix("assetlinks.json")
        ? [.answer(statements("org.swift.shop", nil))] : Self.answer()($0)
    }
    let cdn = try cdn("SWCERR00101 Bad HTTP Response: 451")
    let text = try check(
      world(("1.0.0.1", origin.port)), argument, "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: universal links will not work: Apple's CDN has no file, because of "
          + "SWCERR00101 Bad HTTP Response: 451"), "\(text)")
    #expect(
      text.contains("port 80: ") && text.contains("www.example.com: ")
        && text.contains("assetlinks.json: ") && !text.contains("skipped"), "\(text)")
    let asked = Set(origin.requests.map { path(of: $0) })
    for name in ["assetlinks.json", "webauthn", "passkey-endpoints"] {
      #expect(asked.contains("/.well-known/" + name), "\(name)")
    }
  }

  @Test func `the second line says what was skipped`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    let own = try check(world, "example.com", exitCode: 0)
    #expect(own.hasPrefix(Self.served + "\nskipped: Apple's CDN\n"), "\(own)")
    let given = try check(
      world, "example.com", "--origin", "127.0.0.1:\(origin.port)", exitCode: 0)
    #expect(
      given.hasPrefix(
        Self.served + "\nskipped: Apple's CDN, port 80, www, assetlinks.json, "
          + "passkeys (an address was given)\n"), "\(given)")
    let port = try check(
      world, "example.com:8443", "--resolve", "example.com:8443:127.0.0.1:\(origin.port)",
      exitCode: 0)
    #expect(port.contains("(the port is 8443, and devices use 443)\n"), "\(port)")
    let cdn = try cdn("SWCERR00101 404")
    let all = try check(world, "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 0)
    #expect(!all.contains("skipped"), "\(all)")
  }

  @Test func `an address is not a name`() throws {
    let origin = try server()
    let text = try check(world(("21.0.0.1", origin.port)), "21.0.0.1", exitCode: 1)
    #expect(
      text.hasPrefix(
        "21.0.0.1: universal links will not work: 21.0.0.1 is an address, and an app can only name "
          + "the links of a domain"), "\(text)")
    #expect(text.contains("aasa check example.com --origin 21.0.0.1:443"), "\(text)")
  }

  @Test func `a name that leads to nothing is named`() throws {
    var world = try NameServer()
    world.setAlias(of: "example.com", to: "shop.hosting.example")
    let text = try check(world, "example.com", exitCode: 1)
    #expect(
      text.contains(
        "example.com is an alias (CNAME) of shop.hosting.example, which has no address"),
      "\(text)")
  }

  // MARK: Links and apps

  @Test func `a link of a host that the app does not name is an error`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    let link = "https://example.com/buy/42"
    try writeEntitlements("applinks:example.com?mode=developer")
    #expect(
      !(try check(world, link, "--entitlements", "App.entitlements", exitCode: 0))
        .contains("F113"))
    try writeEntitlements("webcredentials:example.com")
    for arguments in [[link], ["example.com", "--url", link]] {
      try run(
        Server.program,
        ["check", "--ca", authority.get().rootFile, "--entitlements", "App.entitlements"]
          + arguments, environment: world.environment, folder: workspace.get().root
      ).says(
        .part(
          "error: the app does not name example.com, so no link to it opens the app [F113]\n"
            + "  help: add applinks:example.com"), exit: 1)
    }
    try writeEntitlements("webcredentials:example.com", "applinks:$(DOMAIN)")
    #expect(
      try check(world, link, "--entitlements", "App.entitlements", exitCode: 1)
        .contains("warning: the app does not name example.com"))
  }

  @Test func `a wildcard of the app names the hosts below it`() throws {
    let origin = try server()
    var world = try world(("1.0.0.1", origin.port))
    world.set("www.example.com", to: "1.0.0.1")
    try writeEntitlements("applinks:*.example.com")
    let text = try check(
      world, "https://www.example.com/buy/42", "--entitlements", "App.entitlements", exitCode: 0)
    #expect(!text.contains("F113"), "\(text)")
  }

  @Test func `the help for a missing file names the host that has it`() throws {
    let (empty, full) = (try server { _ in [.answer("404 Not Found", "no")] }, try server())
    for (missing, other) in [
      ("example.com", "www.example.com"), ("www.example.com", "example.com"),
    ] {
      var world = try NameServer()
      world.set(missing, to: "1.0.0.1")
      world.lead("1.0.0.1:443", to: empty.port)
      world.set(other, to: "1.0.0.2")
      world.lead("1.0.0.2:443", to: full.port)
      let text = try check(world, "https://\(missing)/buy/1", exitCode: 1)
      #expect(
        text.contains("[F031]") && text.contains("  help: \(other) has the file, and each host"),
        "\(text)")
    }
  }

  @Test func `a build that was signed again names no domain`() throws {
    let key = "<key>com.apple.developer.associated-domains</key>"
    for value in ["<string>*</string>", "<array><string>*</string></array>"] {
      try workspace.get().write(
        "App.entitlements", "<plist version=\"1.0\"><dict>\(key)\(value)</dict></plist>")
      let text = try check(NameServer(), "--entitlements", "App.entitlements", exitCode: 1)
      #expect(text.contains("signing copied the provisioning profile's entitlements"), "\(text)")
      #expect(text.contains("[F115]") && !text.contains("[F080]") && !text.contains("[F086]"))
      #expect(text.contains("  help: sign with the app's own entitlements"), "\(text)")
    }
    try workspace.get().write(
      "App.entitlements",
      "<plist version=\"1.0\"><dict><key>com.apple.developer.web-browser</key><true/>\(key)"
        + "<array><string>applinks:example.com</string></array></dict></plist>")
    let origin = try server()
    let browser = try check(
      world(("1.0.0.1", origin.port)), "--entitlements", "App.entitlements", exitCode: 0)
    #expect(browser.contains("the app is a web browser"), "\(browser)")
  }

  // MARK: Addresses

  @Test func `the verdict does not depend on the order of addresses`() throws {
    let good = try server()
    let expired = try server(validity: -9 ... -2)
    let failing = try server { _ in [.answer("500 Internal Server Error", "no")] }
    let silent = try ScriptedServer { _ in [.text("nothing of TLS")] }
    for (bad, words) in [
      (expired.port, "at the address 1.0.0.1: the certificate \"example.com\" expired on"),
      (failing.port, "the address 1.0.0.1 gives status 500, 1.0.0.2 the file"),
      (silent.port, "the address 1.0.0.1 does not answer: the server does not speak TLS"),
    ] {
      let text = try check(
        world(("1.0.0.1", bad), ("1.0.0.2", good.port)), "example.com", exitCode: 1)
      #expect(
        text.hasPrefix("example.com: universal links will fail for some devices: " + words),
        "\(text)")
      #expect(!text.contains("F036") && !text.contains("F051"), "\(text)")
    }
  }

  @Test func `each of ten addresses is asked`() throws {
    let (good, old) = (try server(), try server(Self.answer(shopFile(components: "[]"))))
    var world = try NameServer()
    let names = (1...10).map { "1.0.0.\($0)" }
    world.set("example.com", to: names.joined(separator: ","))
    for name in names { world.lead("\(name):443", to: name == "1.0.0.10" ? old.port : good.port) }
    let text = try check(world, "example.com", exitCode: 1)
    #expect(text.contains("the address 1.0.0.10 gives another version of the file"), "\(text)")
  }

  @Test func `a headline says if not all addresses were checked`() throws {
    let origin = try server()
    var world = try NameServer()
    let names = (1...70).map { "1.0.0.\($0)" }
    world.set("example.com", to: names.joined(separator: ","))
    for name in names { world.lead("\(name):443", to: origin.port) }
    let text = try check(world, "example.com", exitCode: 0)
    #expect(text.hasPrefix(Self.served + ", at 64 of 70 addresses that were checked\n"), "\(text)")
    let wrong = try check(world, "example.com", "--url", "/nope", exitCode: 1)
    let headline = wrong.prefix { $0 != "\n" }
    #expect(headline.hasSuffix(" (64 of 70 addresses were checked)"), "\(headline)")
  }

  @Test func `a private address is said before a missing route, and so is what Apple's CDN says`()
    throws
  {
    let text = try check(world(("10.1.2.3", 0)), "example.com", exitCode: 1)
    #expect(
      text.contains("example.com has a private address (RFC 1918): 10.1.2.3 [F003]"), "\(text)")
    let cdn = try cdn("SWCERR00301 Timeout")
    let far = try check(
      world(("9.9.9.9", 0)), "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(far.contains("Apple's CDN has no file, because of SWCERR00301 Timeout"), "\(far)")
  }

  // MARK: Answers

  @Test func `answers that change are no matter of the client`() throws {
    let count = Mutex(0)
    let origin = try server { request in
      guard path(of: request) == associationPaths[0] else { return Self.answer()(request) }
      let isEven = count.withLock { count in
        count += 1
        return count.isMultiple(of: 2)
      }
      return isEven ? [.answer("500 Internal Server Error", "no")] : [.answer(Self.good)]
    }
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 1)
    #expect(
      text.hasPrefix(
        "example.com: universal links will fail for some devices: the same request gets the file "
          + "one time and status 500 the next"), "\(text)")
    #expect(!text.contains("F050") && !text.contains("F051"), "\(text)")
  }

  @Test func `a challenge of AWS is a bot protection`() throws {
    let origin = try server { _ in
      [.answer("202 Accepted", type: "text/html", fields: ["x-amzn-waf-action: challenge"], "")]
    }
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 1)
    #expect(text.contains("bot protection refuses access to the file (202) [F032]"), "\(text)")
  }

  @Test func `two types of content are one too many`() throws {
    let origin = try server { request in
      path(of: request).hasSuffix("site-association")
        ? [.answer(fields: ["Content-Type: text/html"], Self.good)] : Self.answer()(request)
    }
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 0)
    #expect(
      text.contains("warning: there are 2 Content-Type fields, and clients choose differently"),
      "\(text)")
  }

  @Test func `the page of an application at the root is only a note`() throws {
    let origin = try server { request in
      path(of: request) == associationPaths[0]
        ? [.answer(Self.good)] : [.answer(type: "text/html", "<html><div id=\"root\">")]
    }
    let text = try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\n"), "\(text)")
    #expect(
      text.contains("note: the root gives a web page, and /.well-known the file [F037]"), "\(text)")
  }

  @Test func `what this machine finds is not called nothing`() throws {
    let (broken, origin) = (try server(Self.answer(Self.good + "}")), try server())
    let cdn = try cdn("SWCERR00900 Something")
    let text = try check(
      world(("1.0.0.1", broken.port)), "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(!text.contains("this machine finds no fault"), "\(text)")
    let fine = try check(
      world(("1.0.0.1", origin.port)), "example.com", "--cdn", cdn.url + "/a/v1", exitCode: 1)
    #expect(fine.contains("this machine finds no fault"), "\(fine)")
  }

  @Test func `a summary tells an old copy from a failure that the CDN remembers`() throws {
    let origin = try server()
    var world = try world(("1.0.0.1", origin.port))
    world.set("www.example.com", to: "1.0.0.1")
    let cdn = try cdn("SWCERR00101 Bad HTTP Response: 404")
    let text = try check(
      world, "example.com", "www.example.com", "--cdn", cdn.url + "/a/v1", exitCode: 0)
    #expect(
      text.hasPrefix("2 checked: 2 are right, and Apple's CDN caches a failure\n"), "\(text)")
  }

  @Test func `what could not be found out is an error in JUnit's words`() throws {
    let text = try check(
      world(("2606:4700::1", 0)), "example.com", "--format", "junit", exitCode: 4)
    #expect(
      text.contains(#"tests="1" failures="0" errors="1""#) && text.contains(#"<error type="F008""#)
        && !text.contains("<failure"), "\(text)")
  }

  // MARK: Other well-known files

  private func checkFile(_ name: String, _ step: ScriptedServer.Step) throws -> String {
    let origin = try server { request in
      if path(of: request) == "/.well-known/\(name)" { return [step] }
      if path(of: request) == "/elsewhere" {
        return [
          .answer(
            name == "webauthn"
              ? #"{"origins":["https://a.com"]}"# : #"{"enroll":"https://example.com/x"}"#)
        ]
      }
      return Self.answer()(request)
    }
    return try check(world(("1.0.0.1", origin.port)), "example.com", exitCode: 0)
  }

  @Test func `webauthn may redirect by https, and passkey-endpoints may not`() throws {
    let note = try checkFile("webauthn", .redirect(to: "https://example.com/elsewhere"))
    #expect(
      note.contains("note: webauthn redirects, which clients follow by https only [F114]")
        && note.contains(
          "  source: the Web Authentication specification says so, in section 5.11.1"),
      "\(note)")
    let plain = try checkFile("webauthn", .redirect(to: "http://example.com/elsewhere"))
    #expect(plain.contains("warning: webauthn redirects to an address without https"), "\(plain)")
    let other = try checkFile("passkey-endpoints", .redirect(to: "/elsewhere"))
    #expect(
      other.contains("warning: passkey-endpoints redirects") && other.contains("W3C's draft"),
      "\(other)")
  }

  @Test func `a sixth name in webauthn is found`() throws {
    let origins = (1...6).map { "\"https://a\($0).com\"" }.joined(separator: ",")
    let text = try checkFile("webauthn", .answer("{\"origins\":[\(origins)]}"))
    #expect(text.contains("webauthn has a fault: clients skip this origin"), "\(text)")
    #expect(text.contains("(D153) [F109]"), "\(text)")
  }
}
