import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A read that hangs, as on a network mount whose server is gone: its folder waits, and nothing else.
@Suite("trust: reads that hang", .manyAtOnce, .needsInterposer, .needs(.openssl))
struct HangingReadTests {
  private let workspace: Workspace
  private let interposer: Interposer
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    interposer = try Interposer(in: workspace)
    authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.install(authority.issue("a.example"), as: "site")
  }

  private func withServer(_ flags: [String] = [], _ body: (Server) throws -> Void) throws {
    let environment = interposer.environment.merging(authority.environment) { $1 }
    try EndToEnd.withServer(
      workspace, https: true, withAdmin + flags, environment: environment
    ) { server in
      // While the two files of a certificate are written.
      server.allow(stderr: "certificates/site.")
      server.allow(stderr: "no certificate covers hung", "[H014]")
      try body(server)
    }
  }

  private func serves(_ server: Server, _ host: String, _ text: String) throws -> Bool {
    try eventually { try server.served(host) == text }
  }

  /// Whether a new certificate is served soon.
  private func servesRenewed(_ server: Server) throws -> Bool {
    let renewed = try authority.issue("a.example")
    try workspace.install(renewed, as: "site")
    let openssl = try #require(Tool.openssl.path)
    func serial(_ pem: String) throws -> String {
      try run(openssl, ["x509", "-noout", "-serial"], input: pem).text
    }
    let expected = try serial(renewed.certificate)
    return try eventually {
      let shown = try server.sClient("-servername", "a.example")
      return shown.exitCode == 0 ? try serial(shown.text) == expected : false
    }
  }

  private func hanging(_ server: Server, _ count: Double) throws -> Bool {
    try eventually { try server.sample("aasa_hanging_reads") == count }
  }

  /// Whether a reload by a signal ends.
  private func reloads(_ server: Server) throws -> Bool {
    func count() throws -> Double {
      try ["success", "failure"].reduce(0) {
        try $0 + (server.sample("aasa_reloads_total{result=\"\($1)\"}") ?? 0)
      }
    }
    let before = try count()
    server.process.signal(SIGHUP)
    return try eventually { try count() > before }
  }

  @Test func `while a file hangs its folder waits alone, and after ten seconds it is named`() throws
  {
    try workspace.write("domains/hung.example.json", association("A"))
    let path = workspace.path("domains/hung.example.json")
    try withServer { server in
      try interposer.hang(path)
      try workspace.write("domains/hung.example.json", association("B"))
      try #expect(hanging(server, 1))
      try workspace.write("domains/a.example.json", association("B"))
      try #expect(servesRenewed(server))
      try #expect(reloads(server))
      for host in ["a.example", "hung.example"] {
        try #expect(server.served(host) == association("A"))
      }
      server.expect(stderr: path, "the file system does not answer", "[H055]")
      let status = try server.status("?limit=0")
      #expect((status["hanging"] as? [String])?.first?.contains(path) == true)
      let text = try server.aasa("status")
      #expect(text.exitCode == 1 && text.text.contains(path), "\(text)")
      try #expect(server.sample("aasa_last_reload_successful") == 0)
      try interposer.goOn()
      for host in ["a.example", "hung.example"] {
        try #expect(serves(server, host, association("B")))
      }
      try #expect(hanging(server, 0))
      try server.expectStatus(0)
      try #expect((server.status("?limit=0")["hanging"] as? [String]) == [])
    }
  }

  @Test(arguments: ["domains", "certificates"])
  func `a folder that hangs as a whole does not keep the other one waiting`(folder: String) throws {
    try withServer { server in
      server.allow(stderr: "[H055]")
      try interposer.hang(workspace.path(folder))
      if folder == "domains" {
        try workspace.write("domains/a.example.json", association("B"))
        try #expect(servesRenewed(server))
        try #expect(server.served("a.example") == association("A"))
      } else {
        #expect(eventually { interposer.somebodyWaits })
        try workspace.write("domains/a.example.json", association("B"))
        try #expect(serves(server, "a.example", association("B")))
      }
      let isCounted = try eventually { try server.sample("aasa_hanging_reads") ?? 0 > 0 }
      #expect(isCounted)
      try #expect(reloads(server))
      try interposer.goOn()
      try #expect(serves(server, "a.example", association("B")))
      try #expect(servesRenewed(server))
      try #expect(hanging(server, 0))
    }
  }

  @Test func `while files hang at the start, hosts wait, and the server is not ready`() throws {
    try workspace.write("domains/hung.example.json", association("A"))
    try interposer.hang(workspace.path("domains/hung.example"))
    try withServer { server in
      server.allow(stderr: "[H055]")
      server.allow(stderr: "there is no domain to serve", "[H010]")
      for host in ["hung.example", "unknown.example"] { try #expect(server.served(host) == "503") }
      let answer = try server.askAdmin("/readyz")
      #expect(answer.status == 503 && answer.text.contains("not been read yet"), "\(answer.text)")
      try interposer.goOn()
      for host in ["a.example", "hung.example"] {
        try #expect(serves(server, host, association("A")))
      }
      try #expect(serves(server, "unknown.example", "404"))
      #expect(try eventually { try server.askAdmin("/readyz").status == 200 })
    }
  }

  @Test func `at the start with a folder that hangs, the server is not ready`() throws {
    try interposer.hang(workspace.domains)
    try withServer { server in
      server.allow(stderr: "[H055]")
      server.allow(stderr: "there is no domain to serve", "[H010]")
      try #expect(server.served("a.example") == "503")
      let answer = try server.askAdmin("/readyz")
      #expect(answer.status == 503 && answer.text.contains("does not answer"))
      try interposer.goOn()
      try #expect(serves(server, "a.example", association("A")))
    }
  }

  @Test func `a server.json that hangs is in the status, which answers`() throws {
    try withServer { server in
      try interposer.hang(workspace.path("server.json"))
      for _ in 0..<2 {
        let status = try server.aasa("status")
        #expect(status.exitCode == 1)
        #expect(status.text.contains("the next start would fail: "))
        #expect(status.text.contains("server.json: error: the file system does not answer; check"))
      }
      try interposer.goOn()
      try server.expectStatus(0)
    }
  }

  // MARK: The state folder

  private var state: [String] { ["--state", workspace.path("state")] }

  @Test func `a state folder that hangs stops nothing, and is named after ten seconds`() throws {
    try workspace.write("domains/b.example.json", association("A"))
    try withServer(state) { server in
      server.allow(stderr: "b.example")
      #expect(eventually { workspace.exists("state/kept/known") })
      try interposer.hang(workspace.path("state"))
      #expect(eventually { interposer.somebodyWaits })
      try workspace.write("domains/a.example.json", association("B"))
      try #expect(serves(server, "a.example", association("B")))
      try #expect(servesRenewed(server) && reloads(server))
      try workspace.write("domains/b.example.json", "{")
      let isLost = try eventually {
        try server.aasa("status").text.contains("a restart would lose 1 served version")
      }
      #expect(isLost)
      server.expect(stderr: workspace.path("state"), "state folder does not answer", "[H055]")
      try #expect(server.aasa("status").text.contains("the state folder does not answer"))
      try interposer.goOn()
      #expect(eventually { workspace.exists("state/kept/domains/b.example.json") })
      try #expect(hanging(server, 0))
      // Nor does it delay the end.
      try interposer.hang(workspace.path("state"))
      try workspace.write("domains/b.example.json", association("B"))
      try #expect(serves(server, "b.example", association("B")))
      server.allow(stderr: "[H018]")
      let start = ContinuousClock.now
      server.process.signal(SIGTERM)
      _ = try server.process.waitForExit()
      #expect(ContinuousClock.now - start < .seconds(4))
    }
  }

  @Test func `a start whose state folder hangs goes on without it, and loses nothing of it`() throws
  {
    for index in 0..<4 { try workspace.write("domains/h\(index).example.json", association("A")) }
    for turn in ["kept", "hung", "used"] {
      if turn == "hung" { try interposer.hang(workspace.path("state")) }
      try withServer(state) { server in
        server.allow(stderr: "a.example")
        server.allow(stderr: "no certificate covers", "[H014]")
        switch turn {
        case "kept":
          try workspace.write("domains/a.example.json", "{")
          try workspace.shell("rm domains/h?.example.json")
          server.expect(stderr: "missing", "[H031]")
          #expect(eventually { workspace.exists("state/kept/domains/h3.example.json") })
          #expect(eventually { workspace.exists("state/kept/domains/a.example.json") })
        case "hung":
          server.expect(
            stderr: "the state folder does not answer", "the server starts without", "[H055]")
          try #expect(server.served("a.example") == "503")
          try #expect(server.served("h0.example") == "404")
          try interposer.goOn()
          // It keeps again, and what was there stays.
          try workspace.write("domains/c.example.json", association("A"))
          try #expect(serves(server, "c.example", association("A")))
          server.allow(stderr: "c.example")
          try workspace.write("domains/c.example.json", "{")
          #expect(eventually { workspace.exists("state/kept/domains/c.example.json") })
        default:
          server.expect(stderr: "4 of 6 domains are suddenly missing", "[H031]")
          for host in ["a", "c", "h0", "h3"] {
            try #expect(server.served("\(host).example") == association("A"))
          }
          server.allow(stderr: "c.example")
        }
      }
    }
  }
}
