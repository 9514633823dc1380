import TestRunning
import Testing

@testable import Checking
@testable import Client
@testable import Posix
@testable import TLS

/// Reports on names and addresses: never red for faults of this machine, never green if some devices
/// cannot get the file.
@Suite struct AddressTests {
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let served =
    "example.com: the association file is served as Apple asks; Apple's CDN was not asked"
  private static let failing = CheckServer { _ in .answer("500 Internal Server Error", "no") }
  private static let expired = CheckServer(
    CheckCertificate(validity: -9 ... -2), CheckServer.good)
  private static let other = CheckServer(CheckServer.serving(shopFile(components: "[]")))
  private static let unresolved = ResolutionFault.failed(
    host: "example.com", reason: "Temporary failure in name resolution")

  private static func cdn(_ reason: String) -> CheckServer.Script {
    { _ in .answer("404 Not Found", fields: ["Apple-Failure-Reason: \(reason)"], "") }
  }

  // MARK: Names

  @Test func `a name that leads nowhere`() throws {
    try expectKept(CheckWorld().check(exitCode: 1), as: "F001")
    var world = CheckWorld()
    world.fail("example.com", with: Self.unresolved)
    // Apple's CDN is there, so it is not this machine's resolver.
    let failing = try world.check(cdn: { _ in .answer("404 Not Found", "no") }, exitCode: 1)
    try expectKept(failing.replacing("127.0.0.1:9999", with: "127.0.0.1:PORT"), as: "F002")
    try expectKept(world.check(exitCode: 4), as: "F008")
    world.fail("example.com", with: .timedOut(host: "example.com"))
    try world.check(exitCode: 4).says("the name example.com was not resolved in time [F008]")
  }

  @Test func `a name that leads to nothing is named`() throws {
    var world = CheckWorld()
    world.setAlias(of: "example.com", to: "shop.hosting.example")
    try world.check(exitCode: 1).says(
      "example.com is an alias (CNAME) of shop.hosting.example, which has no address")
  }

  @Test func `an address is not a name`() throws {
    var world = CheckWorld()
    world.lead("21.0.0.1", to: CheckServer())
    try world.check("21.0.0.1", exitCode: 1).says(
      .start(
        "21.0.0.1: universal links will not work: 21.0.0.1 is an IP address, but an app can only "
          + "open "
          + "links of a domain"), "aasa check example.com --origin 21.0.0.1:443", "[F111]")
  }

  @Test func `a name in this machine's hosts file says nothing of DNS`() throws {
    var world = CheckWorld(("10.1.2.3", CheckServer()))
    world.setLocally("example.com")
    try world.check(exitCode: 4).says(
      .start(
        "example.com: could not be checked: this machine's /etc/hosts maps example.com to 10.1.2.3")
    )
  }

  // MARK: Addresses

  @Test func `addresses at which there is nothing`() throws {
    var world = CheckWorld()
    world.set("example.com", to: "10.1.2.3")
    try expectKept(world.check(exitCode: 1), as: "F003")
    world = CheckWorld()
    world.set("example.com", to: "1.0.0.1", "2606:4700::1")
    try expectKept(world.check(exitCode: 1), as: "F004")
    world = CheckWorld(("1.0.0.1", CheckServer()), ("1.0.0.2", CheckServer()))
    world.set("example.com", to: "1.0.0.1", "1.0.0.2", "1.0.0.3")
    try expectKept(world.check(exitCode: 1).normalized, as: "F005")
  }

  @Test func `addresses at which there is another thing`() throws {
    let second = CheckServer { _ in .answer(shopFile(components: #"[{"/":"/other/*"}]"#)) }
    let world = CheckWorld(
      ("1.0.0.1", CheckServer()), ("1.0.0.2", CheckServer()), ("1.0.0.3", second))
    try expectKept(world.check(exitCode: 1).normalized, as: "F006")
    try CheckWorld(("1.0.0.1", CheckServer()), ("10.1.2.3", CheckServer()))
      .check(exitCode: 1).says(
        .start("example.com: universal links will fail for some devices: "), "10.1.2.3 [F003]")
    // A fault that all of them have is one.
    let odd = CheckServer { _ in .text("SSH-2.0-x\r\n") }
    try CheckWorld(("1.0.0.1", odd), ("1.0.0.2", odd)).check(exitCode: 1).says(
      "[F021]", .lacks("[F005]"))
  }

  @Test func `each address is judged whole`() throws {
    try CheckWorld(
      ("1.0.0.1", CheckServer()), ("1.0.0.2", Self.expired), ("1.0.0.3", Self.failing)
    ).check(exitCode: 1).says(
      .start("example.com: universal links will fail for some devices: at the address"),
      "at the address 1.0.0.2: the certificate \"example.com\" expired",
      "error: the address 1.0.0.3 returns status 500, but 1.0.0.1 returns the file [F006]")
  }

  @Test func `the verdict does not depend on the order of addresses`() throws {
    for (bad, words) in [
      (Self.expired, "at the address 1.0.0.1: the certificate \"example.com\" expired on"),
      (Self.failing, "the address 1.0.0.1 returns status 500, but 1.0.0.2 returns the file"),
      (
        CheckServer(refusing: .notTLS),
        "the address 1.0.0.1 serves no file: the server does not speak TLS"
      ),
    ] {
      try CheckWorld(("1.0.0.1", bad), ("1.0.0.2", CheckServer())).check(exitCode: 1).says(
        .start("example.com: universal links will fail for some devices: " + words), .lacks("F036"),
        .lacks("F051"))
    }
  }

  @Test func `addresses whose files differ in white space serve the same file`() throws {
    let second = CheckServer(CheckServer.serving(Self.good + "\n "))
    try CheckWorld(("1.0.0.1", CheckServer()), ("1.0.0.2", second)).check(exitCode: 0).says(
      .start(Self.served + "\n"), "all 2 addresses were checked")
  }

  @Test func `each of ten addresses is asked`() throws {
    var world = CheckWorld()
    let names = (1...10).map { "1.0.0.\($0)" }
    world.set("example.com", to: names)
    for name in names { world.lead(name, to: name == "1.0.0.10" ? Self.other : CheckServer()) }
    try world.check(exitCode: 1).says("the address 1.0.0.10 returns another version of the file")
  }

  @Test func `a headline says if not all addresses were checked`() throws {
    var world = CheckWorld()
    let names = (1...70).map { "1.0.0.\($0)" }
    world.set("example.com", to: names)
    for name in names { world.lead(name, to: CheckServer()) }
    try world.check(exitCode: 0).says(
      .start(
        "example.com: the association file is served as Apple asks, at 64 of 70 addresses that "
          + "were "
          + "checked; "))
    var options = CheckWorld.Options()
    options.requirements.urls = ["/nope"]
    let wrong = try world.check(exitCode: 1, options)
    wrong.prefix { $0 != "\n" }.says(.end(" (64 of 70 addresses were checked)"))
  }

  @Test func `a private address is right for developer mode`() throws {
    let world = CheckWorld(("10.1.2.3", CheckServer()))
    #expect(try world.check(exitCode: 1).contains("[F003]"))
    try world.check("applinks:example.com?mode=developer", exitCode: 0).says(
      .start("example.com: the association file is served as Apple asks\n"), .lacks("[F003]"))
    // Its devices do not ask the CDN.
    try world.check(
      "applinks:example.com?mode=developer",
      cdn: { _ in .answer(shopFile(components: "[]")) }, exitCode: 0
    ).says("note: Apple's CDN has a different version of the file")
  }

  // MARK: Routes

  @Test func `without IPv6 the IPv4 addresses decide`() throws {
    try CheckWorld(("1.0.0.1", CheckServer()), ("2606:4700::1", nil))
      .check(exitCode: 0).says(
        .start(Self.served + "\n"),
        "the IPv6 addresses were not checked: this machine has no IPv6 route")
  }

  @Test func `without any route nothing is found out`() throws {
    try CheckWorld(("2606:4700::1", nil)).check(exitCode: 4).says(
      .start(
        "example.com: could not be checked: this machine has no route to the domain's addresses"),
      "[F008]")
  }

  @Test func `a private address is said before a missing route, and so is what Apple's CDN says`()
    throws
  {
    try CheckWorld(("10.1.2.3", nil)).check(exitCode: 1).says(
      "example.com has a private address (RFC 1918): 10.1.2.3 [F003]")
    try CheckWorld(("9.9.9.9", nil)).check(
      cdn: Self.cdn("SWCERR00301 Timeout"), exitCode: 1
    ).says("Apple's CDN has no file, because of SWCERR00301 Timeout")
  }

  // MARK: This machine

  @Test func `where Apple's CDN is not reached either, the network is the reason`() throws {
    var options = CheckWorld.Options()
    options.cdn = CheckServer(refusing: .lost(.connect, nil))
    try CheckWorld().check(exitCode: 4, options).says(
      .start("example.com: could not be checked: neither the domain nor Apple's CDN can be reached")
    )
    // The CDN answers: then it is the domain.
    try CheckWorld().check(cdn: { _ in .answer("404 Not Found", "no") }, exitCode: 1).says(
      .start("example.com: universal links will not work: the name"))
  }

  @Test func `where Apple's CDN is not trusted either, the roots are the reason`() throws {
    let fault = TrustFault.unknownAuthority(issuer: "Test Root")
    var options = CheckWorld.Options()
    options.cdn = CheckServer(refusing: .untrusted([fault]))
    try CheckWorld(CheckServer(CheckCertificate(fault: fault), CheckServer.good))
      .check(exitCode: 4, options).says(
        .start(
          "example.com: could not be checked: this machine trusts neither the certificate of "
            + "the domain nor the certificate of Apple's CDN [F008]\n"))
  }

  @Test func `a page in the place of everything is a network that asks for a sign-in`() throws {
    let page = CheckServer { _ in .answer(type: "text/html", "<html>sign in</html>") }
    try CheckWorld(page).check(
      cdn: { _ in .redirect(to: "https://wifi.example/") }, exitCode: 4
    ).says(
      .start(
        "example.com: could not be checked: this network requires a sign-in: a web page answers in "
          + "place of Apple's CDN"))
  }

  @Test func `a proxy that makes no tunnel says nothing of the domain`() throws {
    var world = CheckWorld()
    world.variables = ["HTTPS_PROXY": "http://127.0.0.1:3128"]
    try world.check(exitCode: 4).says(.start("example.com: could not be checked: the proxy"))
    let refusal = #"the proxy answered "HTTP/1.1 407 Proxy Authentication Required""#
    world.lead("127.0.0.1", port: 3_128, to: CheckServer(refusing: .proxy(refusal)))
    try expectKept(world.check(exitCode: 4), as: "F007")
  }

  @Test func `the address of a proxy says nothing of the domain's`() throws {
    var world = CheckWorld()
    world.variables = ["HTTPS_PROXY": "http://127.0.0.1:3128"]
    world.lead("127.0.0.1", port: 3_128, to: CheckServer())
    try world.check(exitCode: 0).says(
      "fine:\n  proxy        127.0.0.1:3128\n  TLS          TLSv1.3\n")
  }

  @Test func `an address that speaks HTTP/2 only is unknown, and not a fault`() throws {
    try CheckWorld(
      ("1.0.0.1", CheckServer()), ("1.0.0.2", CheckServer(refusing: .http2Only(.response)))
    ).check(exitCode: 4).says(
      .start(
        "example.com: could not be checked: at the address 1.0.0.2: the server speaks HTTP/2 only, "
          + "which aasa does not support; Apple's CDN and devices support HTTP/2 [F025]\n"))
  }

  @Test func `if Apple's CDN has no file of a server that speaks HTTP/2 only, links fail`() throws {
    try CheckWorld(CheckServer(refusing: .http2Only(.response))).check(
      cdn: Self.cdn("SWCERR00301 Timeout"), exitCode: 1
    ).says(
      .start(
        "example.com: universal links will not work: Apple's CDN has no file, because of "
          + "SWCERR00301 Timeout"))
  }
}
