import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The server needs no right for anything that it does not do.
@Suite("trust: least privilege", .manyAtOnce, .needsInterposer) struct PrivilegeTests {
  @Test(.needs(.openssl)) func `whatever comes, the server opens nothing to write into it`() throws
  {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try workspace.install(
      try makeCertificate(names: ["example.com"]), as: "example.com")
    let interposer = try Interposer(in: workspace)
    try withServer(workspace, https: true, environment: interposer.environment) { server in
      server.allow(stderr: "[T012]")
      server.allow(stderr: "no certificate covers broken.example")
      try #expect(server.sClient("-servername", "example.com").exitCode == 0)
      try workspace.write("domains/broken.example.json", "{")
      server.expect(stderr: "broken.example.json", within: patience)
      try workspace.write("domains/example.com.json", association("B"))
      let isServed = try eventually(within: patience) {
        try server.served("example.com") == association("B")
      }
      #expect(isServed)
      #expect(interposer.written.filter { $0 != "/dev/null" } == [])
    }
  }

  @Test func `and this test would see it if it did`() throws {
    let workspace = try Workspace()
    try workspace.write("a.json", association("A"))
    let interposer = try Interposer(in: workspace)
    let target = workspace.path("out.json")
    let finished = try run(
      Server.program, ["convert", workspace.path("a.json"), "--minify", "-o", target],
      environment: interposer.environment)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(!interposer.written.isEmpty)
  }
}
