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

  @Test func `a name that leads nowhere`() throws {
    var world = try NameServer()
    try expectKept(check(world), as: "F001")
    world.set("example.com", to: "again")
    // Apple's CDN is there, so it is not this machine's resolver.
    let cdn = try ScriptedServer { _ in [.answer("404 Not Found", "no")] }
    let arguments = ["example.com", "--cdn", cdn.url + "/a/v1"]
    let failing = try check(world, arguments)
    try expectKept(failing.replacing(/Host: 127.0.0.1:\d+/, with: "Host: CDN"), as: "F002")
    try expectKept(check(world, exitCode: 4), as: "F008")
    // Nobody answers: reported when the time is over.
    world = try NameServer()
    world.set("example.com", to: "hangs")
    let late = try check(world, ["example.com", "--timeout", "500ms"], exitCode: 4)
    #expect(late.contains("the name example.com was not resolved in time [F008]"), "\(late)")
  }

  @Test func `addresses at which there is nothing, or another thing`() throws {
    var world = try NameServer()
    world.set("example.com", to: "10.1.2.3")
    try expectKept(check(world), as: "F003")
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1", "2606:4700::1")
    try expectKept(check(world), as: "F004")

    let first = try server()
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1", "1.0.0.2", "1.0.0.3")
    world.lead("1.0.0.1:443", to: first.port)
    world.lead("1.0.0.2:443", to: first.port)
    try expectKept(check(world), as: "F005")
    let other = shopFile(components: #"[{"/":"/other/*"}]"#)
    let second = try server { _ in [.answer(other)] }
    world.lead("1.0.0.3:443", to: second.port)
    try expectKept(check(world), as: "F006")
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1", "10.1.2.3")
    world.lead("1.0.0.1:443", to: first.port)
    world.lead("10.1.2.3:443", to: first.port)
    let half = try check(world)
    #expect(half.hasPrefix("example.com: universal links will fail for some devices: "), "\(half)")
    #expect(half.contains("10.1.2.3 [F003]"), "\(half)")
    // A fault that all of them have is one.
    let odd = try server { _ in [.text("SSH-2.0-x\r\n")] }
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1", "1.0.0.2")
    world.lead("1.0.0.1:443", to: odd.port)
    world.lead("1.0.0.2:443", to: odd.port)
    let broken = try check(world)
    #expect(broken.contains("[F021]") && !broken.contains("[F005]"), "\(broken)")
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

  @Test func `checks in the vicinity of a domain`() throws {
    // The file is on port 80 alone.
    let missing = try server { _ in [.answer("404 Not Found", "no")] }
    let plain = try ScriptedServer { _ in [.answer(Self.good)] }
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: missing.port)
    world.lead("1.0.0.1:80", to: plain.port)
    try expectKept(check(world), as: "F053")

    // www has another file, and Android's file is invalid.
    let other = shopFile(components: #"[{"/":"/other/*"}]"#)
    let both = try server { request in
      if path(of: request) == "/.well-known/assetlinks.json" {
        return [.redirect(to: "https://www.example.com/")]
      }
      return [.answer(request.contains("Host: www.") ? other : Self.good)]
    }
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.set("www.example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: both.port)
    let redirected = try check(world, exitCode: 0)
    #expect(redirected.contains("[F055]") && redirected.contains("[F057]"))
    try expectKept(redirected, as: "F055-F057")

    let page = try server { request in
      path(of: request) == "/.well-known/assetlinks.json"
        ? [.answer("<html>")] : [.answer(Self.good)]
    }
    world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: page.port)
    try expectKept(check(world, exitCode: 0), as: "F057")
  }

  @Test func `the live file for Android is judged`() throws {
    let list =
      #"[{"relation": ["delegate_permission/common.handle_all_url"], "target": {"namespace": "web"}}]"#
    var world = try NameServer()
    let origin = try server { request in
      path(of: request) == "/.well-known/assetlinks.json"
        ? [.answer(type: "text/html", list)] : [.answer(Self.good)]
    }
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: origin.port)
    let text = try check(world, exitCode: 0)
    #expect(text.contains("the content type of assetlinks.json is text/html [F058]"))
    #expect(text.contains("(D105), and one more error [F059]"))
    // Android verifies no app with such a file.
    for list in [
      statements("org.swift.shop", nil).replacing(
        shopFingerprint, with: shopFingerprint.lowercased()),
      statements("org.swift.shop", nil).replacing(
        "[{", with: #"[{"version": 1, "#, maxReplacements: 1),
    ] {
      let fatal = try server { request in
        path(of: request) == "/.well-known/assetlinks.json" ? [.answer(list)] : [.answer(Self.good)]
      }
      world = try NameServer()
      world.set("example.com", to: "1.0.0.1")
      world.lead("1.0.0.1:443", to: fatal.port)
      let text = try check(world, exitCode: 1)
      #expect(text.contains("\nerror: assetlinks.json has an error in line 1"), "\(text)")
    }
  }

  @Test func `a fingerprint in lower case beside a good one is a warning`() throws {
    let other = shopFingerprint.replacing("5E:8F", with: "00:11").lowercased()
    let list = statements("org.swift.shop", nil).replacing(
      "\"\(shopFingerprint)\"", with: "\"\(other)\", \"\(shopFingerprint)\"")
    let origin = try server { request in
      path(of: request) == "/.well-known/assetlinks.json" ? [.answer(list)] : [.answer(Self.good)]
    }
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: origin.port)
    let text = try check(world, exitCode: 0)
    #expect(
      text.contains(
        "\nwarning: assetlinks.json has a fault in line 1: the fingerprint is in lower case (D137) "
          + "[F059]\n"), "\(text)")
  }

  /// What Apple's CDN says of a copy's age, and how long it keeps the copy.
  private static let ages: [(life: String, age: String, first: String, help: String)] = [
    (
      "100000000", "99996400", " for at most 60 minutes more",
      "it keeps its copy for at most 60 minutes"
    ),
    ("100000001", "5", "", "how long it keeps its copy is unknown"),
    ("9223372036854775807", "-9223372036854775808", "", "how long it keeps its copy is unknown"),
    (
      "6000", "100000001", " for at most 100 minutes more",
      "it keeps its copy for at most 100 minutes"
    ),
    ("6000", "-1", " for at most 100 minutes more", "it keeps its copy for at most 100 minutes"),
  ]

  @Test func `the age of a copy is a number that can be true, or unknown`() throws {
    let origin = try server()
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: origin.port)
    let copy = shopFile(components: #"[{"/":"/old"}]"#)
    for row in Self.ages {
      let fields = ["Cache-Control: max-age=\(row.life)", "Age: \(row.age)"]
      let cdn = try ScriptedServer { _ in [.answer(fields: fields, copy)] }
      let text = try check(world, ["example.com", "--cdn", cdn.url + "/a/v1"], exitCode: 0)
      #expect(
        text.hasPrefix(
          "example.com: the association file is served as Apple asks; Apple's CDN keeps another "
            + "version\(row.first)\n"), "\(row) \(text)")
      #expect(text.contains("  help: wait: \(row.help)"), "\(row) \(text)")
    }
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

  @Test func `entitlements ask for more than the file has, or for nothing`() throws {
    let workspace = try workspace.get()
    func write(_ inside: String) throws {
      try workspace.write(
        "App.entitlements",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>\(inside)</dict></plist>
        """)
    }
    let origin = try server()
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: origin.port)
    try write(
      """
      <key>com.apple.developer.associated-domains</key>
      <array><string>webcredentials:example.com</string></array>
      """)
    try expectKept(check(world, ["--entitlements", "App.entitlements"]), as: "F073")

    try write("<key>application-identifier</key><string>\(shop)</string>")
    let none = try run(
      Server.program, ["check", "--entitlements", "App.entitlements"],
      environment: world.environment, folder: workspace.root
    ).says(exit: 1, errors: .nothing)
    try expectKept(none.text, as: "F086")
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
