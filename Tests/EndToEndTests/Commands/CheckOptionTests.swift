import AppFileSupport
import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The options of `aasa check`, its forms and its exit codes.
@Suite(.manyAtOnce, .needsNameServer) struct CheckOptionTests {
  // MARK: Requirements

  @Test func `expectations that the file must meet, end to end`() throws {
    let workspace = try Workspace()
    let server = try ScriptedServer { _ in
      [.answer(shopFile(components: #"[{"/":"/buy/*"},{"/":"/old/*","exclude":true}]"#))]
    }
    try workspace.write("shop.cases", "/buy/1 opens \(shop)\n/old/1 browser\n")
    let text = try workspace.aasa("check", server.url, "--cases", "shop.cases").says(
      "/old/1 is blocked for \(shop), but browser is expected [F072]\n  shop.cases:2\n",
      exit: 1, errors: .nothing)
    try expectKept(text.report, as: "F072")
    try workspace.write("shop.cases", "/buy/1 opens \(shop)\n")
    try workspace.aasa("check", server.url, "--cases", "shop.cases").says(
      "\nalso:\n  shop.cases: 1 expectation is met\n", exit: 0, errors: .nothing)
    try workspace.write("shop.cases", "nonsense\n")
    try workspace.aasa("check", server.url, "--cases", "shop.cases").says(exit: 2)
  }

  @Test func `the served files must be equivalent to the given ones, end to end`() throws {
    let list = statements("org.swift.shop", #"[{"/": "/buy/*"}]"#)
    let site = try CheckSite {
      path(of: $0).hasSuffix("assetlinks.json")
        ? [.answer(type: "application/json; charset=utf-8", list)] : [.answer(CheckSite.file)]
    }
    let workspace = site.workspace
    try workspace.write("same.json", " " + CheckSite.file)
    try workspace.write("links.json", " " + list)
    try site.check("example.com", "--file", "links.json", "--file", "same.json").says(
      "the file is equivalent to same.json", "assetlinks.json is equivalent to links.json",
      .lacks("[F058]"), exit: 0, errors: .nothing)
    try workspace.write("other.json", shopFile(components: #"[{"/":"/sell/*"}]"#))
    try site.check("example.com", "--file", "other.json").says(
      "the file differs in meaning from other.json [F074]", exit: 1, errors: .nothing)
    try workspace.write("other.json", statements("org.swift.shop", #"[{"/": "/sell/*"}]"#))
    let other = try site.check("example.com", "--file", "other.json").says(
      "assetlinks.json differs in meaning from other.json [F106]",
      "org.swift.shop: opens → browser, for example ", exit: 1, errors: .nothing)
    try expectKept(other.report, as: "F106")
    try workspace.write("gone.json", statements("org.swift.other", nil))
    try site.check("example.com", "--file", "gone.json").says(
      "gone: delegate_permission/common.handle_all_urls org.swift.other 5E:8F:", exit: 1)
    try site.check("example.com", "--file", "links.json", "--file", "other.json").says(
      exit: 2, errors: "give at most one association file and one assetlinks.json")
    let without = try CheckSite()
    try without.workspace.write("links.json", list)
    try without.check("example.com", "--file", "links.json").says(
      "assetlinks.json is not served (status 404), but links.json is expected", exit: 1)
  }

  @Test func `a requirement for another domain is an error, and a URL adds its domain`() throws {
    let site = try CheckSite(
      CheckSite.serving(#"{"webcredentials":{"apps":["\#(shop)"]}}"#))
    try site.check("example.com", "--expect", shop).says(
      "webcredentials names \(shop)", exit: 0, errors: .nothing)
    try site.workspace.write("other.cases", "https://other.com/buy/1 opens \(shop)\n")
    try site.check("example.com", "--cases", "other.cases").says(
      exit: 2, errors: "other.cases: no line is about a checked domain")
    try site.check("example.com", "--resolve", "other.com:443:192.0.2.1").says(
      exit: 2, errors: "other.com is not checked")
    try site.check("example.com", "--url", "https://other.com/buy/1").says(
      .start("2 checked: 1 is wrong, 1 is right\n"),
      "\nother.com: universal links will not work: the name", exit: 1, errors: .nothing)
  }

  @Test func `a URL is judged in each form of its host, end to end`() throws {
    var site = try CheckSite()
    try site.serve("xn--bcher-kva.example", at: "1.0.0.2")
    for url in [
      "https://example.com./nope", "https://EXAMPLE.com:443/nope",
      "https://b\u{FC}cher.example/nope", "https://B\u{DC}CHER.example/nope",
    ] {
      try site.check("--url", url).says(
        "the file does not permit \(url) to open any app [F071]", exit: 1)
      try site.check("--url", url.replacing("nope", with: "buy/1"))
        .says("buy/1 opens an app", exit: 0)
    }
    for url in ["buy/1", "example.com/buy/1"] {
      try site.check("example.com", "--url", url)
        .says(exit: 2, errors: "--url \(url) is neither a link such as https://")
    }
    try site.check("example.com/buy/1").says(
      exit: 2, errors: "give only the host, or the whole link: https://example.com/buy/1")
  }

  // MARK: Entitlements

  private func write(_ value: String, _ site: CheckSite) throws {
    try site.workspace.write(
      "App.entitlements",
      "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key>\(value)"
        + "</dict></plist>")
  }

  @Test func `entitlements with variables are never a green check of nothing`() throws {
    let site = try CheckSite()
    try write("<array><string>applinks:$(DOMAIN)</string></array>", site)
    try site.check("--entitlements", "App.entitlements").says(
      "applinks:$(DOMAIN) was not checked, because only the build knows", exit: 2,
      errors: "nothing was checked")
    for form in ["$(DOMAIN)", "${DOMAIN}"] {
      try write("<array><string>applinks:\(form)</string></array>", site)
      try site.check("--entitlements", "App.entitlements", "--set", "DOMAIN=example.com")
        .says(.start(CheckSite.served), exit: 0, errors: .nothing)
    }
    try write("<array></array>", site)
    try site.check("--entitlements", "App.entitlements").says("[F086]", exit: 1, errors: .nothing)
  }

  @Test func `a domain and a link of it are one check, end to end`() throws {
    let site = try CheckSite()
    try write("<array><string>applinks:example.com</string></array>", site)
    try site.check("https://example.com/buy/1", "--entitlements", "App.entitlements").says(
      .start("example.com: the association file is served"), "also:\n  /buy/1 opens an app", exit: 0
    )
    try site.check("https://example.com/buy/1", "https://example.com/nope")
      .says(.start("2 checked: 1 is wrong, 1 is right"), exit: 1)
  }

  @Test func `files of another kind are named`() throws {
    let site = try CheckSite()
    try write("<string>applinks:example.com</string>", site)
    try site.check("--entitlements", "App.entitlements").says(
      "the value of the associated domains is the text applinks:example.com instead of an array",
      "write <array><string>applinks:example.com</string></array>", exit: 1)
    try site.workspace.write(
      "Info.plist",
      "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>")
    try site.check("--entitlements", "Info.plist").says(
      exit: 2, errors: "this file is an Info.plist")
    try site.workspace.write("site.json", shopFile(components: "[]"))
    try site.check("--entitlements", "site.json")
      .says(exit: 2, errors: "this file is an association file")
  }

  private static let clip = shop + ".Clip"
  /// What the App Clip names, what the file has for it, the exit code, and what the report says.
  private static let clips: [(domains: [String], app: String, exitCode: Int32, says: [Said])] = [
    (["appclips:example.com"], clip, 0, ["applinks names \(shop)\n  appclips names \(clip)"]),
    // Missed by its own identifier.
    (
      ["appclips:example.com"], shop, 1,
      [
        "the file does not list \(clip) under appclips [F070]",
        .lacks("does not list \(shop) "),
      ]
    ),
    // Named by its folder.
    (
      [], clip, 1,
      [
        """
        Shop.ipa: AppClips/Clip.app: the App Clip has no associated domains, but its app has \
        appclips:example.com [
        """
      ]
    ),
  ]

  @Test(arguments: clips.indices)
  func `the file names the app under applinks and its App Clip under appclips`(index: Int) throws {
    let row = Self.clips[index]
    func signed(_ app: String, _ domains: [String]) -> [UInt8] {
      AppFileSamples.executable(
        signedWith: AppFileSamples.entitlements(app: app, domains: domains))
    }
    let site = try CheckSite(
      CheckSite.serving(
        String(CheckSite.file.dropLast()) + #","appclips":{"apps":["\#(row.app)"]}}"#))
    let information = AppFileSamples.plist("<dict/>")
    try site.workspace.write(
      "Shop.ipa",
      AppFileSamples.archive([
        ("Payload/Shop.app/Info.plist", information),
        ("Payload/Shop.app/Shop", signed(shop, ["applinks:example.com", "appclips:example.com"])),
        ("Payload/Shop.app/AppClips/Clip.app/Info.plist", information),
        ("Payload/Shop.app/AppClips/Clip.app/Clip", signed(Self.clip, row.domains)),
      ]))
    let run = try site.check("--entitlements", "Shop.ipa").says(exit: row.exitCode)
    for said in row.says { run.says(said, exit: row.exitCode) }
  }

  // MARK: Lists and forms

  @Test func `many domains, from the standard input, with a report for build servers`() throws {
    let workspace = try Workspace()
    let good = try ScriptedServer(script: CheckSite.serving())
    let bad = try ScriptedServer { _ in [.answer("<html>")] }
    let list = "# ours\n\(good.url)\n\n\(bad.url), the other one\n\(good.url)/ # again\n"
    let run = try workspace.aasa("check", "-", "--format", "junit", input: list).says(
      #"<testsuite name="aasa check" tests="2" failures="1""#, exit: 1, errors: .nothing)
    #expect(run.text.components(separatedBy: "<testcase ").count == 3)
    #expect(run.text.components(separatedBy: #"<failure type="F041""#).count == 2)
    let json = try workspace.aasa("check", "-", "--json", input: list)
    let lines = json.text.split(separator: "\n").map { $0.contains(#""good":true"#) }
    #expect(lines == [true, false])
    try workspace.aasa("check", "-", input: "\n").says(exit: 2)
    try workspace.aasa("check", "--from", "absent").says(exit: 2)
  }

  @Test func `one bad line of a list is one finding`() throws {
    let site = try CheckSite()
    try site.workspace.write("list", "example.com\n\na..b\n")
    let rows: [(more: [String], says: [Said])] = [
      (
        [],
        [
          .start("2 checked: 1 is wrong, 1 is right\n"), "\nlist:3: a..b is not a host",
          .end("\n\(CheckSite.served); Apple's CDN was not asked\n"),
        ]
      ),
      (["--quiet"], [.lacks(CheckSite.served)]),
      (
        ["--format", "markdown"], [.start("| domain | verdict |\n|---|---|\n| ❌ list:3 | a..b is")]
      ),
      (["--format", "github"], [.start("::error title=F090::list:3: a..b is not a host")]),
    ]
    for (more, says) in rows {
      let run = try site.check(["--from", "list"] + more).says(exit: 1, errors: .nothing)
      for said in says { run.says(said, exit: 1) }
    }
  }

  // MARK: Apple's CDN

  @Test func `an old copy is a notice, and fails on request, end to end`() throws {
    var site = try CheckSite()
    let cdn = try site.plain { _ in
      [
        .answer(
          fields: ["Cache-Control: max-age=21600", "Age: 20000"],
          shopFile(components: #"[{"/":"/old"}]"#))
      ]
    }.url
    try site.check("example.com", "--cdn", cdn + "/a/v1").says(
      .start(
        CheckSite.served + "; Apple's CDN keeps another version for at most 26 minutes more\n"),
      exit: 0)
    try site.check("example.com", "--cdn", cdn + "/a/v1", "--fail-on", "cdn").says(exit: 3)
  }

  @Test func `a summary tells an old copy from a failure that the CDN remembers`() throws {
    var site = try CheckSite()
    site.network.set("www.example.com", to: "1.0.0.1")
    let cdn = try site.plain { _ in
      [
        .answer(
          "404 Not Found",
          fields: ["Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 404"], "")
      ]
    }.url
    try site.check("example.com", "www.example.com", "--cdn", cdn + "/a/v1").says(
      .start("2 checked: 2 are right, and Apple's CDN caches a failure\n"), exit: 0)
  }

  @Test func `the reasons of Apple's CDN have pages`() throws {
    let workspace = try Workspace()
    try workspace.aasa("explain", "SWCERR00301").says("Apple publishes neither", exit: 0)
    try workspace.aasa("explain", "swcerr12345")
      .says(.start("SWCERR12345 cdn-unknown-reason"), exit: 0)
    try workspace.aasa("explain", "SWCERR1").says(exit: 1)
  }

  // MARK: Addresses

  @Test func `checks in the vicinity of a domain`() throws {
    var site = try CheckSite { request in
      if path(of: request) == "/.well-known/assetlinks.json" { return [.answer(assetLinksList)] }
      return request.contains("Host: www.")
        ? [.redirect(to: "https://example.com/")] : [.answer(CheckSite.file)]
    }
    let plain = try site.plain { _ in [.redirect(to: "https://example.com/")] }.port
    let text = try site.check(
      ["example.com", "--cdn", "none"] + site.resolving + [
        "--resolve", "www.example.com:443:127.0.0.1:\(site.servers[0].port)",
        "--resolve", "example.com:80:127.0.0.1:\(plain)",
      ]
    ).says(exit: 0, errors: .nothing).report
    #expect(
      text == """
        example.com: the association file is served as Apple asks; Apple's CDN was not asked (an \
        address for the host was given)

        note: www.example.com has no file (a redirect to https://example.com/): links to this \
        host do not open the app [F054]
          > GET /.well-known/apple-app-site-association HTTP/1.1
          > Host: www.example.com
          < HTTP/1.1 301 Moved Permanently
          < content-length: 18
          < content-type: text/html
          < location: https://example.com/
          help: if links to www.example.com are shared, serve the same file at \
        www.example.com, without a redirect, and add applinks:www.example.com to the app
          source: each host needs its own file (grade D)

        fine:
          address      127.0.0.1:PORT
          TLS          TLSv1.3
          certificate  issued by "Test Intermediate", valid for N more days
          answer       status 200, 97 bytes of application/json
          both paths   the same file
          clients      the same file for Apple's robot, devices and browsers

        also:
          port 80: a redirect to https://example.com/
          www.example.com: a redirect to https://example.com/
          assetlinks.json: 46 bytes

        """, "\(text)")
  }
}
