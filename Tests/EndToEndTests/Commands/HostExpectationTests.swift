import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa test --host`: expectations against a server's answer.
@Suite(.manyAtOnce) struct HostExpectationTests {
  private let workspace: Workspace
  private static let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let wellKnown = "/.well-known/apple-app-site-association"

  init() throws {
    workspace = try Workspace()
    try workspace.write("app.cases", "/buy/1 opens \(shop)\n/help browser\n")
  }

  /// The outcome against a scripted server without TLS.
  private func outcome(
    _ arguments: String..., script: @escaping ScriptedServer.Script
  ) throws -> (run: Finished, requests: [String], url: String) {
    let server = try ScriptedServer(script: script)
    let run = try workspace.aasa(["test", "app.cases", "--host", server.url] + arguments)
    return (run, server.requests.map(path(of:)), server.url)
  }

  @Test(.needs(.openssl)) func `aasa serve meets the expectations that its file meets`() throws {
    let authority = try TestAuthority()
    try workspace.write("domains/example.com.json", Self.file)
    try workspace.install(authority.issue("example.com"), as: "example.com")
    try withServer(workspace, https: true) { server in
      // A root of the tests is not one of the system's.
      server.allow(stderr: "is not in the file and is not a root")
      try workspace.aasa(
        "test", "app.cases", "--host", "example.com", "--origin", "127.0.0.1:\(server.https)",
        "--ca", authority.rootFile
      ).says(.whole("app.cases: 2 of 2 expectations are met\n"), exit: 0, errors: .nothing)

      try workspace.write("bad.cases", "https://example.com/buy/1 blocked\n")
      try workspace.aasa(
        "test", "bad.cases", "--file", "https://example.com/", "--origin",
        "127.0.0.1:\(server.https)", "--ca", authority.rootFile
      ).says(
        "  decided by https://example.com\(Self.wellKnown):1:79: path matched `/buy/*`", exit: 1)

      // Nobody has vouched for it to this machine.
      try workspace.aasa(
        "test", "app.cases", "--host", "example.com", "--origin", "127.0.0.1:\(server.https)"
      ).says(.nothing, exit: 2, errors: "which this machine does not trust")
    }
  }

  @Test func `the root is asked only where there is nothing in well-known`() throws {
    let file = Self.file
    let fine = try outcome { request in
      path(of: request) == "/apple-app-site-association"
        ? [.answer(file)] : [.answer("404 Not Found", "none")]
    }
    fine.run.says(exit: 0, errors: .nothing)
    #expect(fine.requests == [Self.wellKnown, "/apple-app-site-association"])

    try outcome { _ in [.answer("404 Not Found", "none")] }.run
      .says(exit: 2, errors: "there is no file at this URL or in /.well-known (404)")

    let forbidden = try outcome { _ in [.answer("403 Forbidden", "no")] }
    #expect(forbidden.requests == [Self.wellKnown])
    forbidden.run.says(exit: 2, errors: "\"HTTP/1.1 403 Forbidden\" instead of 200")
  }

  @Test func `a redirect is reported and not followed`() throws {
    let result = try outcome { _ in [.redirect(to: "https://www.example.com/x")] }
    #expect(result.requests.count == 1)
    result.run.says(
      exit: 2,
      errors: .whole(
        "error: \(result.url)\(Self.wellKnown) redirects to https://www.example.com/x (301), and "
          + "Apple follows no redirect; serve the file at this URL itself\n"))
  }

  @Test func `a page instead of JSON is reported`() throws {
    let result = try outcome { _ in
      [.answer(type: "text/html; charset=utf-8", "<!DOCTYPE html><html></html>")]
    }
    result.run.says(
      exit: 2,
      errors: "warning: \(result.url)\(Self.wellKnown): the content type is text/html instead of ",
      "\(Self.wellKnown):1:1: error: ", "HTML")
  }

  @Test func `an answer that breaks off, or never ends, is reported`() throws {
    let cut = try outcome { _ in
      [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n")]
    }
    cut.run.says(exit: 2, errors: "before the end of the chunked content, after 4 bytes")

    let slow = try outcome("--timeout", "1500ms") { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .drip([UInt8](repeating: 0x20, count: 100_000))]
    }
    slow.run.says(
      exit: 2, errors: "timed out while the answer was received, after 1500 ms and ")

    let escape = try outcome { _ in [.text("\u{1B}[2Jhello\r\n")] }
    #expect(escape.run.errors.contains(#"the answer is not HTTP: it begins with "\x1b[2Jhello"#))
  }

  @Test(.needs(.openssl)) func `a certificate for another name is reported`() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue("www.example.com")
    let file = Self.file
    let server = try ScriptedServer(identity: identity.pem) { _ in
      [.answer(file)]
    }
    try workspace.aasa(
      "test", "app.cases", "--host", "example.com", "--origin", "127.0.0.1:\(server.port)",
      "--ca", authority.rootFile
    ).says(exit: 2, errors: "the certificate is not for example.com but for www.example.com; ")
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    (["--host", "ftp://example.com"], "write https://"),
    (["--host", "https://example.com/a"], "give only the host"),
    (["--host", "exa mple"], "is not a host"),
    (["--host", "a.example", "--file", "b.json"], "give --file or --host, not both"),
    (["--host", "a.example", "--origin", "b.example"], "is not an address such as"),
    (["--host", "a.example", "--timeout", "soon"], "is not a time from"),
    (["--host", "a.example", "--ca", "absent.pem"], "cannot read absent.pem"),
    (["--ca", "absent.pem"], "--ca applies only to requests to a server; give --host too"),
  ])
  func `contradicting arguments are wrong usage`(arguments: [String], words: String) throws {
    try workspace.aasa(["test", "app.cases"] + arguments).says(exit: 2, errors: .part(words))
  }
}
