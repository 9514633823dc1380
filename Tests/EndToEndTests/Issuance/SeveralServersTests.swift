import Foundation
import TestRunning
import Testing

@testable import EndToEnd

@Suite("issuance: several servers", .manyAtOnce, .needsPebble, .needsNameServer)
struct SeveralIssuanceServersTests {
  @Test func `one process issues and serves nothing, three others answer for it`() throws {
    var issuance = try Issuance(["example.com"])
    issuance.world.set("example.com", to: "1.0.0.1", "1.0.0.2", "1.0.0.3")
    // The account's key is made before anybody must know its thumbprint. This one has no domain, so
    // that it cannot get the certificate before it is killed.
    try issuance.workspace.write("none/README", "")
    let first = try issuance.start("issuer", more: ["--domains", issuance.workspace.path("none")])
    defer { first.signal(SIGKILL) }
    let folder = ["--acme-state", issuance.state, "--acme", issuance.pebble.directory]
    let line = try #require(
      try eventually { () -> String? in
        let run = try issuance.workspace.aasa(["acme", "account"] + folder)
        return run.exitCode == 0 ? run.text.split(separator: "\n").first.map(String.init) : nil
      })
    let answering = ["--acme-answer", String(line.dropFirst(11))]
    try withServer(
      issuance.workspace, answering + ["--http", "127.0.0.1:\(issuance.http)"]
    ) { _ in
      try withServer(issuance.workspace, answering) { second in
        try withServer(issuance.workspace, answering) { third in
          issuance.world.lead("1.0.0.2:80", to: UInt16(second.http))
          issuance.world.lead("1.0.0.3:80", to: UInt16(third.http))
          first.signal(SIGKILL)
          _ = try first.waitForExit()
          let issuer = try issuance.start("issuer")
          defer { issuer.signal(SIGKILL) }
          // With four servers and a CA on a busy machine that takes its time.
          #expect(
            eventually(within: .seconds(180)) { issuance.steps.contains("example.com served") },
            "\(issuance.steps) \(issuer.now)")
          #expect(
            eventually(within: .seconds(180)) {
              String(decoding: issuer.now.output, as: UTF8.self).contains("written, until")
            }, "\(issuer.now)")
        }
      }
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test(.needs(.python3))
  func `three servers that answer behind a round robin answer 100 of 100`() throws {
    let issuance = try Issuance((0..<100).map { "h\($0).example.com" })
    // The account's key is made before anybody must know its thumbprint.
    try issuance.workspace.write("none/README", "")
    let maker = try issuance.start("issuer", more: ["--domains", issuance.workspace.path("none")])
    defer { maker.signal(SIGKILL) }
    let folder = ["--acme-state", issuance.state, "--acme", issuance.pebble.directory]
    let line = try #require(
      try eventually { () -> String? in
        let run = try issuance.workspace.aasa(["acme", "account"] + folder)
        return run.exitCode == 0 ? run.text.split(separator: "\n").first.map(String.init) : nil
      })
    maker.signal(SIGKILL)
    _ = try maker.waitForExit()
    let answering = ["--acme-answer", String(line.dropFirst(11))]
    try withServer(issuance.workspace, answering) { first in
      try withServer(issuance.workspace, answering) { second in
        try withServer(issuance.workspace, answering) { third in
          let python = try #require(Tool.python3.path)
          let ports = [issuance.http, first.http, second.http, third.http].map(String.init)
          let balancer = try ChildProcess(
            python, [repositoryFile("Tests/Tools/roundrobin.py")] + ports)
          defer { balancer.signal(SIGKILL) }
          // A name that leads nowhere yet would wait for a minute.
          #expect(eventually { (try? RawClient(port: issuance.http)) != nil })
          let issuer = try issuance.start("issuer")
          defer { issuer.signal(SIGKILL) }
          #expect(
            eventually(within: .seconds(300)) {
              issuance.steps.count { $0.hasSuffix(" served") } == 100
            }, "\(issuance.steps.suffix(5)) \(issuer.now)")
        }
      }
    }
    let journal = try issuance.workspace.text("state/acme/journal").split(separator: "\n")
    let failures = journal.filter { $0.contains(#""failed""#) }
    #expect(issuance.pebble.issued == 100 && failures.isEmpty, "\(failures)")
  }

  @Test func `of two servers on one folder one issues, and the other takes over`() throws {
    let issuance = try Issuance(["example.com"])
    let first = try issuance.start()
    defer { first.signal(SIGKILL) }
    #expect(eventually { issuance.steps.contains("example.com installed") }, "\(issuance.steps)")
    try issuance.workspace.write("second/b.example.com.json", association("A"))
    var world = issuance.world
    world.set("b.example.com", to: "1.0.0.1")
    try withServer(
      issuance.workspace, https: true,
      ["--domains", issuance.workspace.path("second"), "--admin", "127.0.0.1:0"]
        + Array(issuance.flags().dropFirst(2)),
      environment: world.environment
    ) { server in
      server.expect(stderr: "[I009]")
      // It serves what the first got, and answers as the first does.
      #expect(eventually { server.errorLines.contains { $0.contains("[I009]") } })
      try #expect(server.sample("aasa_acme_is_issuer") == 0)
      first.signal(SIGKILL)
      try server.expectSample("aasa_acme_is_issuer", 1)
      #expect(eventually { issuance.steps.contains("b.example.com failed") }, "\(issuance.steps)")
      server.allow(stderr: "b.example.com", "[I001]")
    }
    #expect(issuance.pebble.issued == 1)
  }

  /// As on a network file system whose locks hold on one machine only: each server has its own lock.
  @Test func `where both servers get the lock, one orders, and the other takes over`() throws {
    let hosts = (0..<10).map { "h\($0).example.com" }
    let issuance = try Issuance(hosts)
    for part in ["acme", "certificates"] {
      try issuance.workspace.write("state/\(part)/.keep", "")
      try issuance.workspace.write("other/.keep", "")
      try FileManager.default.createSymbolicLink(
        atPath: issuance.workspace.path("other/\(part)"),
        withDestinationPath: issuance.workspace.path("state/\(part)"))
    }
    let first = try issuance.start()
    defer { first.signal(SIGKILL) }
    let other = Array(issuance.flags().dropFirst(2).dropLast()) + [issuance.workspace.path("other")]
    try withServer(
      issuance.workspace, https: true, ["--admin", "127.0.0.1:0"] + other,
      environment: issuance.world.environment
    ) { second in
      second.allow(stderr: "[I001]")
      // Either may be the first to write its mark.
      func isSecond(_ line: String) -> Bool {
        line.contains("[I009]") && line.contains("although this process has the folder's lock")
      }
      func firstErrors() -> String { String(decoding: first.now.errors, as: UTF8.self) }
      #expect(
        eventually { second.errorLines.contains(where: isSecond) || isSecond(firstErrors()) })
      // A name that is checked before the other server answers for this account is checked again a
      // minute later.
      #expect(
        eventually(within: .seconds(150)) {
          issuance.steps.count { $0.hasSuffix(" served") } == 10
        }, "\(issuance.steps)")
      second.allow(stderr: "[I009]")
      // The mark of a process that was killed on this machine holds nobody up.
      first.signal(SIGKILL)
      try second.expectSample("aasa_acme_is_issuer", 1)
    }
    #expect(issuance.pebble.issued == 10)
  }
}
