import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa serve --validate-only`
@Suite("serve --validate-only", .manyAtOnce) struct ServeValidationTests {
  private func validate(
    _ workspace: Workspace, _ flags: String..., environment: [String: String] = [:]
  ) throws -> Finished {
    try run(
      Server.program,
      ["serve", "--validate-only", "--domains", "domains", "--http", "127.0.0.1:0"] + flags,
      environment: environment, folder: workspace.root)
  }

  @Test func `it says what would be served, and where, and exits with 0`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    let finished = try validate(workspace, "--https", "none").says(
      "would serve 1 domain (example.com) from domains\n",
      "would listen on http://127.0.0.1:0\n", exit: 0, errors: .nothing)
    #expect(!finished.text.contains("serving"))
  }

  @Test func `what the server would find later is reported too`() throws {
    let workspace = try Workspace()
    try workspace.write(
      "domains/example.com.json",
      shopFile(components: #"[{"/":"/a|b","exclude":true},{"/":"/buy/*"}]"#))
    try validate(workspace, "--https", "none")
      .says(exit: 0, errors: "example.com.json:1:87: warning")
  }

  @Test func `a file with an error is reported with its place, and the exit code is 1`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("domains/example.org.json", "{")
    try validate(workspace, "--https", "none").says(
      "would serve 1 of 2 domains (example.com) from ", exit: 1,
      errors: "example.org.json:1:2: error")
    try workspace.write("domains/example.com.json", "{")
    let none = try validate(workspace, "--https", "none")
    #expect(none.text.contains("would serve 0 of 2 domains from "), "\(none)")
  }

  @Test func `a file that is served with errors counts as served`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("domains/example.org.json", #"{"applinks": {"details": 7}}"#)
    try validate(workspace, "--https", "none")
      .says("would serve 2 domains, 1 with faults (example.com, example.org)", exit: 1)
    try workspace.write("domains/example.net.json", "{")
    let both = try validate(workspace, "--https", "none")
    #expect(
      both.text.contains("would serve 2 of 3 domains, 1 with faults (example.com, example.org) "))
  }

  @Test func `if no certificate can be used, the help names no others`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("certificates/example.com.crt", "no certificate")
    let finished = try validate(
      workspace, "--https", "127.0.0.1:0", "--certificates", "certificates")
    #expect(finished.errors.contains("no certificate in the folder can be used (see above)"))
    #expect(!finished.errors.contains("put NAME.crt"), "\(finished)")
  }

  @Test func `a folder may be named with a slash at its end`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/example.com.json", "{")
    let finished = try validate(workspace, "--https", "none", "--domains", "domains/")
    #expect(finished.errors.hasPrefix("domains/example.com.json:1:2: error"), "\(finished)")
    try workspace.write("domains/example.com.json", shopFile(components: #"[{"/":"/sell"}]"#))
    try workspace.write("app.cases", "https://example.com/buy opens \(shop)\n")
    let test = try workspace.aasa("test", "app.cases", "--file", "domains/")
    #expect(test.text.contains("not by domains/example.com.json"), "\(test)")
    #expect(test.text.hasSuffix("app.cases: 0 of 1 expectations are met, 1 is not\n"), "\(test)")
  }

  @Test func `what keeps the server from starting is 2`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("server.json", #"{"gracePeriode": "1s"}"#)
    try validate(workspace, "--https", "none", "--config", "server.json")
      .says(exit: 2, errors: "did you mean `gracePeriod`?")
    try workspace.aasa(
      "serve", "--validate-only", "--domains", "domains", "--https", "none", "--access-log",
      "missing/access.log"
    ).says(exit: 2, errors: "H041")
    try validate(workspace, "--https", "none", "--acme-answer", "mistyped")
      .says(exit: 2, errors: "I014")
    // A start says the same.
    try workspace.aasa(
      "serve", "--domains", "domains", "--http", "127.0.0.1:0", "--acme-answer", "mistyped"
    ).says(exit: 2, errors: "I014")
  }

  @Test func `nothing is written and no port is taken, beside a server that runs`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    let before = try FileManager.default.subpathsOfDirectory(atPath: workspace.root).sorted()
    try withServer(workspace) { server in
      try workspace.aasa(
        "serve", "--validate-only", "--domains", "domains", "--http", "127.0.0.1:\(server.http)",
        "--https", "127.0.0.1:0", "--access-log", "access.log"
      ).says("would use a self-signed certificate, which devices refuse", exit: 0)
      try #expect(server.get().status == 200)
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: workspace.root).sorted()
    #expect(after.filter { $0 != "server.json" } == before.filter { $0 != "server.json" })
  }
}
