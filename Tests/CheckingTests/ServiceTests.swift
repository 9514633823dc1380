import AppSiteAssociation
import HTTP
import Testing

@testable import Checking
@testable import TLS

/// Apple's services whose apps open no links.
private let services = ["authsrv", "messagefilter", "classificationreport"]

/// A file that names apps for one service alone.
private func file(_ service: String, _ apps: String...) -> String {
  #"{"\#(service)":{"apps":[\#(apps.map { "\"\($0)\"" }.joined(separator: ","))]}}"#
}

private func world(_ text: String) -> CheckWorld {
  CheckWorld(CheckServer(CheckServer.serving(text)))
}

/// Reports on the services besides links.
@Suite struct ServiceTests {
  private static let other = "AAAAAAAAAA.org.other"

  private func check(
    _ text: String, expecting app: String, cdn: String? = nil, exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    #expect(Requirements.fault(ofApp: app) == nil)
    var options = CheckWorld.Options()
    options.requirements = Requirements(apps: [app])
    options.cdn = cdn.map { copy in .plain { _ in .answer(copy) } }
    return try world(text).check(exitCode: exitCode, options, at: location)
  }

  // MARK: Expected apps

  @Test(arguments: services) func `an app is expected in one service`(service: String) throws {
    let right = try check(file(service, shop), expecting: "\(service):\(shop)", exitCode: 0)
    #expect(right.contains("\nalso:\n  \(service) names \(shop)"), "\(right)")
    let wrong = try check(file(service, shop), expecting: "\(service):\(Self.other)", exitCode: 1)
    #expect(
      wrong.contains("the file does not list \(Self.other) under \(service) [F070]"),
      "\(wrong)")
    let elsewhere = try check(
      file("webcredentials", shop), expecting: "\(service):\(shop)", exitCode: 1)
    #expect(
      elsewhere.contains("the file does not list \(shop) under \(service) [F070]\n")
        && elsewhere.contains("  help: the file lists no app under \(service)\n"), "\(elsewhere)")
  }

  @Test(arguments: services) func `an app is expected in any service`(service: String) throws {
    let text = try check(file(service, shop), expecting: shop, exitCode: 0)
    #expect(text.contains("\nalso:\n  \(service) names \(shop)"), "\(text)")
  }

  // MARK: The copy of Apple's CDN

  @Test(arguments: services) func `an app that the copy lacks, or still has, is a difference`(
    service: String
  ) throws {
    let (one, two) = (file(service, shop), file(service, shop, Self.other))
    for (served, copy, change) in [(two, one, "gained"), (one, two, "lost")] {
      let text = try check(served, expecting: "\(service):\(shop)", cdn: copy, exitCode: 0)
      #expect(text.contains("; Apple's CDN keeps another version\n"), "\(change): \(text)")
      #expect(
        text.contains("[F062]") && text.contains(service) && text.contains(Self.other),
        "\(change): \(text)")
    }
    let same = try check(one, expecting: "\(service):\(shop)", cdn: " " + one, exitCode: 0)
    #expect(same.contains("\n  Apple's CDN  the same file"), "\(same)")
  }

  // MARK: Consequences

  /// What is asked, the file, and what will not work.
  private static let concerns: [(asked: String, apps: [String], file: String, words: String)] = [
    ("example.com", [], shopFile(components: #"[{"/":"/buy/*"}]"#), "universal links"),
    ("example.com", [], file("authsrv", shop), "authsrv"),
    ("example.com", [], file("authsrv"), "universal links"),
    (
      "example.com", [],
      #"{"webcredentials":{"apps":["\#(shop)"]},"authsrv":{"apps":["\#(shop)"]}}"#,
      "authsrv and webcredentials"
    ),
    ("authsrv:example.com", [], shopFile(components: #"[{"/":"/buy/*"}]"#), "authsrv"),
    ("webcredentials:example.com", [], "{", "webcredentials"),
    ("applinks:example.com", [], file("authsrv", shop), "universal links"),
    ("example.com", ["messagefilter:\(shop)"], "{", "messagefilter"),
    ("https://example.com/buy/42", ["authsrv:\(shop)"], "{", "universal links"),
  ]

  @Test(arguments: concerns.indices)
  func `the first line names what does not work of what is asked about`(index: Int) throws {
    let (asked, apps, file, words) = Self.concerns[index]
    var options = CheckWorld.Options()
    options.requirements = Requirements(apps: apps)
    let script = CheckServer.serving(file)
    let expired = CheckServer(CheckCertificate(validity: -9 ... -2), script)
    let all = try CheckWorld(expired).check(asked, exitCode: 1, options)
    #expect(all.hasPrefix("example.com: \(words) will not work: the certificate"), "\(all)")
    guard file.contains(shop) else { return }
    let some = try CheckWorld(("1.0.0.1", CheckServer(script)), ("1.0.0.2", expired))
      .check(asked, exitCode: 1, options)
    #expect(some.hasPrefix("example.com: \(words) will fail for some devices: "), "\(some)")
  }

  @Test func `an app's entitlements name what does not work`() throws {
    let world = CheckWorld(CheckServer { _ in .answer("404 Not Found", "no") })
    let passwords = try world.check(
      entitlements: entitlements("webcredentials:example.com", "authsrv:example.com"), exitCode: 1)
    #expect(
      passwords.hasPrefix(
        "example.com: authsrv and webcredentials will not work: there is no file"),
      "\(passwords)")
    let links = try world.check(
      entitlements: entitlements("webcredentials:example.com", "applinks:example.com"), exitCode: 1)
    #expect(links.hasPrefix("example.com: universal links will not work: "), "\(links)")
  }

  // MARK: Identity servers

  private static let ownerHelp =
    "  help: the file has only authsrv, so an identity server probably wrote it: answer the path "
    + "before the identity server can, with one file that lists the identity server's apps and "
    + "your apps"

  @Test func `the file of an identity server has its own cure`() throws {
    let theirs = file("authsrv", Self.other)
    for app in [shop, "applinks:\(shop)", "webcredentials:\(shop)", "authsrv:\(shop)"] {
      let text = try check(theirs, expecting: app, exitCode: 1)
      #expect(text.contains("[F070]\n" + Self.ownerHelp), "\(app): \(text)")
    }
    let link = try world(theirs).check("https://example.com/buy/42", exitCode: 1)
    #expect(link.contains("open any app [F071]") && link.contains(Self.ownerHelp), "\(link)")
    let entry = try world(theirs).check(
      entitlements: entitlements("webcredentials:example.com"), exitCode: 1)
    #expect(entry.contains("[F073]\n" + Self.ownerHelp), "\(entry)")
    // An app that is nearly there is no other file's.
    let prefix = try check(
      file("authsrv", "AAAAAAAAAA.org.swift.shop"), expecting: "authsrv:\(shop)", exitCode: 1)
    #expect(
      prefix.contains("  help: the file has the same bundle identifier with another"), "\(prefix)")
    // Nor is a file with more than authsrv.
    let both = #"{"authsrv":{"apps":["\#(shop)"]},"webcredentials":{"apps":["\#(shop)"]}}"#
    let more = try check(both, expecting: "applinks:\(Self.other)", exitCode: 1)
    #expect(!more.contains("identity server"), "\(more)")
  }
}
