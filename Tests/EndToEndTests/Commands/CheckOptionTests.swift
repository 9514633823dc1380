import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The options of `aasa check` for requirements beyond the file itself.
@Suite(.manyAtOnce) struct CheckOptionTests {
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"},{"/":"/old/*","exclude":true}]"#)

  private func server(_ file: String = good) throws -> ScriptedServer {
    try ScriptedServer { _ in [.answer(file)] }
  }

  private func check(
    _ server: ScriptedServer, _ arguments: String..., exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try workspace.get().aasa(["check", server.url] + arguments)
      .says(exit: exitCode, errors: .nothing, at: location).text
  }

  private func keep(_ text: String, _ server: ScriptedServer, as name: String) throws {
    try expectKept(text.replacingOccurrences(of: ":\(server.port)", with: ":PORT"), as: name)
  }

  @Test func `expectations that the file must meet, end to end`() throws {
    let server = try server()
    let workspace = try workspace.get()
    try workspace.write("shop.cases", "/buy/1 opens \(shop)\n/old/1 browser\n")
    let text = try check(server, "--cases", "shop.cases", exitCode: 1)
    try keep(text, server, as: "F072")
    #expect(
      text.contains(
        "error: /old/1 is blocked for \(shop), but browser is expected [F072]\n  shop.cases:2\n"),
      "\(text)")
    try workspace.write("shop.cases", "/buy/1 opens \(shop)\n")
    let met = try check(server, "--cases", "shop.cases", exitCode: 0)
    #expect(met.contains("\nalso: shop.cases: 1 expectations are met\n"), "\(met)")
    try workspace.write("shop.cases", "nonsense\n")
    try workspace.aasa("check", server.url, "--cases", "shop.cases").says(exit: 2)
  }

  @Test func `many domains, from the standard input, with a report for build servers`() throws {
    let (good, bad) = (try server(), try server("<html>"))
    let list = "# ours\n\(good.url)\n\n\(bad.url), the other one\n\(good.url)/ # again\n"
    let run = try workspace.get().aasa(["check", "-", "--format", "junit"], input: list)
      .says(exit: 1, errors: .nothing)
    #expect(run.text.components(separatedBy: "<testcase ").count == 3)
    #expect(run.text.components(separatedBy: #"<failure type="F041""#).count == 2)
    #expect(run.text.contains(#"<testsuite name="aasa check" tests="2" failures="1""#))
    let json = try workspace.get().aasa(["check", "-", "--json"], input: list)
    let lines = json.text.split(separator: "\n").map { $0.contains(#""good":true"#) }
    #expect(lines == [true, false])
    try workspace.get().aasa("check", "-", input: "\n").says(exit: 2)
    try workspace.get().aasa("check", "--from", "absent").says(exit: 2)
  }

  @Test(.needs(.openssl)) func `checks in the vicinity of a domain`() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue("example.com", "www.example.com")
    let file = Self.good
    let secure = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      request in
      if path(of: request) == "/.well-known/assetlinks.json" { return [.answer(assetLinksList)] }
      return request.contains("Host: www.")
        ? [.redirect(to: "https://example.com/")] : [.answer(file)]
    }
    let plain = try ScriptedServer { _ in [.redirect(to: "https://example.com/")] }
    let run = try workspace.get().aasa(
      "check", "example.com", "--ca", authority.rootFile, "--cdn", "none",
      "--resolve", "example.com:443:127.0.0.1:\(secure.port)",
      "--resolve", "www.example.com:443:127.0.0.1:\(secure.port)",
      "--resolve", "example.com:80:127.0.0.1:\(plain.port)")
    run.says(exit: 0, errors: .nothing)
    let text = run.text.replacingOccurrences(of: ":\(secure.port)", with: ":PORT")
      .replacing(/for \d+ more days/, with: "for N more days")
    #expect(
      text == """
        example.com: the association file is served as Apple asks; Apple's CDN was not asked (an \
        address was given)

        note: www.example.com has no file (a redirect to https://example.com/): its links do not \
        open the app [F054]
          > GET /.well-known/apple-app-site-association HTTP/1.1
          > Host: www.example.com
          < HTTP/1.1 301 Moved Permanently
          < content-length: 18
          < content-type: text/html
          < location: https://example.com/
          help: if links to www.example.com are shared, serve the same file there, without a \
        redirect, and add applinks:www.example.com to the app
          source: each host needs its own file (grade D)

        fine: connected to 127.0.0.1:PORT, TLSv1.3 with a certificate by "Test Intermediate" for \
        N more days, status 200 with 127 bytes of application/json, the same at both paths, \
        the same for Apple's robot, devices and browsers
        also: port 80: a redirect to https://example.com/, www.example.com: a redirect to \
        https://example.com/, assetlinks.json: 46 bytes

        """, "\(text)")
  }

  @Test func `the reasons of Apple's CDN have pages`() throws {
    try workspace.get().aasa("explain", "SWCERR00301").says("Apple publishes neither", exit: 0)
    try workspace.get().aasa("explain", "swcerr12345")
      .says(.start("SWCERR12345 cdn-unknown-reason"), exit: 0)
    try workspace.get().aasa("explain", "SWCERR1").says(exit: 2)
  }

  @Test func `wrong usage is reported`() throws {
    for arguments in [
      ["--resolve", "x"], ["--resolve", "a.example:443:nowhere"], ["--parallel", "0"],
      ["--format", "sarif"], ["--json", "--format", "junit"],
    ] {
      try workspace.get().aasa(["check", "127.0.0.1"] + arguments)
        .says(.nothing, exit: 2, errors: .something)
    }
  }
}
