import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// Whether traffic should be sent to a server, as it says itself.
@Suite("health", .manyAtOnce) struct HealthTests {
  private func workspace(_ content: String = association()) throws -> Workspace {
    let workspace = try Workspace(serving: ["example.com": content])
    return workspace
  }

  @Test
  func `a server with nothing good to serve is alive and not ready, until it is fixed`() throws {
    let workspace = try workspace("{")
    try withServer(workspace, withAdmin) { server in
      server.expect(stderr: "example.com.json", "error", within: .seconds(30))
      try #expect(server.askAdmin("/livez").status == 200)
      let response = try server.askAdmin("/readyz")
      #expect(response.status == 503)
      #expect(response.text.hasPrefix("not ready: the file of the only domain cannot be served"))
      try server.aasa("healthcheck").says(.nothing, exit: 1, errors: .whole(response.text))
      try server.aasa("healthcheck", "--live").says(exit: 0)

      try workspace.write("domains/example.com.json", association())
      try #expect(server.becomes { try server.askAdmin("/readyz").status == 200 })
      try server.aasa("healthcheck").says(.whole("ready\n"), exit: 0, errors: .nothing)
      // The last good version is still served: a later fault does not end the service.
      try workspace.write("domains/example.com.json", "{")
      try #expect(
        server.becomes { try server.status(of: "example.com")["state"] as? String == "last-good" })
      server.expect(stderr: "last good version", within: .seconds(30))
      try #expect(server.askAdmin("/readyz").status == 200)
    }
  }

  @Test func `one faulty domain does not affect the others`() throws {
    let workspace = try workspace()
    try workspace.write("domains/broken.example.json", "{")
    try withServer(workspace, withAdmin) { server in
      server.expect(stderr: "broken.example.json", within: .seconds(30))
      try #expect(server.askAdmin("/readyz").status == 200)
    }
  }

  @Test func `a missing domains folder is a reason, an empty one is not`() throws {
    let workspace = try Workspace()
    try withServer(workspace, withAdmin) { server in
      server.expect(stderr: "[H010]", within: .seconds(30))
      try #expect(server.askAdmin("/readyz").status == 200)
    }
    try withServer(workspace, withAdmin + ["--domains", workspace.path("missing")]) { server in
      server.expect(stderr: "[H001]", within: .seconds(30))
      server.allow(stderr: "[H010]")
      let response = try server.askAdmin("/readyz")
      #expect(response.status == 503 && response.text.contains("missing"))
      try workspace.write("missing/example.com.json", association())
      server.process.signal(SIGHUP)
      try #expect(server.becomes { try server.askAdmin("/readyz").status == 200 })
    }
  }

  @Test(.needs(.openssl)) func `HTTPS needs a certificate that is valid now`() throws {
    let workspace = try workspace()
    let expired = try makeCertificate(names: ["example.com"], validity: -90 ... -10)
    try workspace.install(expired, as: "example.com")
    try withServer(workspace, https: true, withAdmin) { server in
      server.allow(stderr: "[T")
      let response = try server.askAdmin("/readyz")
      #expect(response.status == 503)
      #expect(response.text.contains("the only certificate is not valid now"))
      let good = try makeCertificate(names: ["example.com"])
      try workspace.install(good, as: "example.com")
      try #expect(server.becomes { try server.askAdmin("/readyz").status == 200 })
    }
  }

  @Test func `the self-signed fallback is not enough if a folder was named`() throws {
    try withServer(try workspace(), https: true, withAdmin) { server in
      server.expect(stderr: "[H021]", within: .seconds(30))
      let answer = try server.askAdmin("/readyz")
      #expect(answer.status == 503)
      #expect(answer.text.contains("there is no usable certificate for HTTPS"))
      try #expect(server.askAdmin("/readyz?listener=http").status == 200)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `while it drains it serves, and says that it is not ready`(signal: Int32) throws {
    try withServer(try workspace(), withAdmin + ["--drain-delay", "5s"]) { server in
      let kept = try RawClient(port: server.http, within: .seconds(30))
      try kept.send(request())
      try #expect(kept.receive().status == 200)
      try #expect(server.askAdmin("/readyz").status == 200)
      let start = ContinuousClock.now
      server.process.signal(signal)
      // The signal takes a moment to arrive. A client that only finds the port closed has learned
      // too late.
      let isSeen = eventually(within: .seconds(30)) {
        guard let response = try? server.askAdmin("/readyz") else { return false }
        return response.status == 503 && response.text.contains("not ready: the server is stopping")
      }
      #expect(isSeen)
      if ContinuousClock.now - start < .seconds(1) {
        try #expect(server.get().status == 200)
        // The answer announces the end of the kept connection.
        try kept.send(request())
        let last = try kept.receive()
        #expect(last.status == 200 && last.values("connection") == ["close"], "\(last)")
        try #expect(server.askAdmin("/livez").status == 200)
      }
      try #expect(server.process.waitForExit(within: .seconds(60)) == 0)
      #expect(ContinuousClock.now - start >= .seconds(5))
    }
  }

  @Test func `a second signal ends it at once`() throws {
    let workspace = try workspace()
    let process = try ChildProcess(
      Server.program,
      [
        "serve", "--domains", workspace.domains, "--http", "127.0.0.1:0", "--https", "none",
        "--drain-delay", "600s",
      ], folder: workspace.root)
    defer { process.signal(SIGKILL) }
    let isUp = eventually(within: .seconds(30)) {
      String(decoding: process.now.output, as: UTF8.self).contains("listening")
    }
    #expect(isUp)
    process.signal(SIGTERM)
    // Two signals that come before the first is taken are one.
    let hasEnded = eventually(within: .seconds(60)) {
      process.signal(SIGTERM)
      return !process.isRunning
    }
    #expect(hasEnded)
    #expect(process.now.exitCode == 1)
  }

  /// The result of a health check if no server answers.
  @Test func `a health check without a server fails and says how to go on`() throws {
    let workspace = try Workspace()
    let port = try RawClient.freePort()
    for arguments in [
      ["--admin", "127.0.0.1:\(port)"], ["--admin", "none"], ["--admin", "127.0.0.1:0"],
      ["--admin", "nonsense"],
    ] {
      try workspace.aasa(["healthcheck"] + arguments)
        .says(.nothing, exit: 1, errors: "error: ", "--admin")
    }
    // Somebody else's port.
    try withServer(try self.workspace()) { server in
      try run(Server.program, ["healthcheck", "--admin", "127.0.0.1:\(server.http)"])
        .says(exit: 1)
    }
    try run(Server.program, ["healthcheck", "--timeout", "0"]).says(exit: 2)
  }

  /// Answers of other programs for every path, even with this server's own text.
  @Test(arguments: ["200 OK\r\nServer: nginx", "200 OK", "503 Service Unavailable"])
  func `a stranger that answers is not this server`(status: String) throws {
    let stranger = try ScriptedServer { _ in
      [.text("HTTP/1.1 \(status)\r\nContent-Length: 6\r\n\r\nready\n")]
    }
    for command in [["healthcheck"], ["healthcheck", "--live"], ["status"]] {
      try run(Server.program, command + ["--admin", "127.0.0.1:\(stranger.port)"]).says(
        .nothing, exit: command == ["status"] ? 2 : 1, errors: "is not aasa's admin listener",
        "help: ")
    }
  }

  @Test func `a server that closes without an answer may lack threads, and is no stranger`() throws
  {
    let mute = try ScriptedServer { _ in [] }
    for command in ["healthcheck", "status"] {
      let finished = try run(Server.program, [command, "--admin", "127.0.0.1:\(mute.port)"])
      #expect(finished.exitCode == (command == "status" ? 2 : 1), "\(finished)")
      finished.errors.says("its log shows whether it lacks threads")
      #expect(!finished.errors.contains("is not aasa's admin listener"))
    }
  }

  @Test func `it finds the server as the server finds its address`() throws {
    let workspace = try workspace()
    let port = try RawClient.freePort()
    try workspace.write("server.json", #"{"admin": "127.0.0.1:\#(port)"}"#)
    try withServer(workspace, environment: ["AASA_ADMIN": ""]) { server in
      #expect(server.admin == port)
      try run(
        Server.program, ["healthcheck", "--config", workspace.path("server.json")],
        environment: ["AASA_ADMIN": ""]
      ).says(exit: 0)
      for everywhere in ["[::]", "0.0.0.0", "localhost"] {
        try run(Server.program, ["healthcheck", "--admin", "\(everywhere):\(port)"]).says(exit: 0)
      }
      try run(Server.program, ["healthcheck"], environment: ["AASA_ADMIN": "127.0.0.1:\(port)"])
        .says(exit: 0)
    }
  }

  @Test(arguments: ["{", "[]", #"{"gracePeriode": "1s", "admin": 7}"#, nil])
  func `a faulty configuration file does not keep a command from the server`(file: String?) throws {
    let workspace = try workspace()
    if let file { try workspace.write("faulty.json", file) }
    try withServer(workspace, withAdmin) { server in
      let flags = ["--config", "faulty.json"]
      for arguments in [["healthcheck"], ["status"], ["confirm", "--all"]] {
        let finished = try run(
          Server.program, arguments + flags,
          environment: ["AASA_ADMIN": "127.0.0.1:\(server.admin)"], folder: workspace.root
        ).says(exit: 0, errors: "faulty.json", ": warning: ")
        #expect(!finished.errors.contains("error"), "\(finished)")
      }
      // A faulty flag is wrong usage.
      try workspace.aasa("status", "--admin", "nowhere").says(exit: 2, errors: "error: ")
    }
  }
}
