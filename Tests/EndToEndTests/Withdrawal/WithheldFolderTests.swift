import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A folder that suddenly loses its content, or most of it, is not trusted.
@Suite("withdrawal: a folder that is withheld", .manyAtOnce) struct WithheldFolderTests {
  private static let hosts = (0..<40).map { "h\($0).example" }
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    for host in Self.hosts { try workspace.write("domains/\(host).json", association("A")) }
  }

  /// The loss, and why the folder is not trusted.
  struct Loss: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let reasons: [String]
    /// How many of the hosts are gone.
    var absent = 40
  }

  static let losses = [
    Loss(
      testDescription: "the folder is moved away", script: "mv domains away",
      reasons: WithheldReason.missing),
    Loss(
      testDescription: "a file takes its place", script: "mv domains away; echo >domains",
      reasons: WithheldReason.missing + ["not a folder", "not a directory"]),
    Loss(
      testDescription: "all files are removed", script: "rm domains/*",
      reasons: WithheldReason.empty),
    Loss(
      testDescription: "more than half are removed", script: "rm domains/h[12]*.example.json",
      reasons: WithheldReason.mostAbsent, absent: 22),
  ]

  @Test(arguments: losses)
  func `everything stays until an operator confirms the loss`(loss: Loss) throws {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, workspace.withState, environment: environment) { server in
      try #expect(server.sample(#"aasa_folder_withheld{folder="domains"}"#) == 0)
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try workspace.shell(loss.script)
        try server.expectWithheld(loss.reasons)
        goOn(for: .seconds(1))
        #expect(server.unexpectedLines == [], "it is reported once")
        // Reading again confirms nothing.
        server.process.signal(SIGHUP)
        goOn(for: .milliseconds(700))
        let id = try server.holds().first ?? ""
        #expect(
          server.errorLines.contains { $0.contains("to accept the change: aasa confirm \(id)") })
        try #expect(server.aasa("status").text.contains("held \(id): "))
      }
      try server.confirmLoss()
      server.allow(stderr: "warning", "removed")
      // The diagnostic of an empty folder.
      server.allow(stderr: "there is no domain to serve")
      server.allow(stderr: "domains", "[H001]")
      // At once, because the command waits for it.
      let gone = try Self.hosts.filter { try server.served($0) == "404" }.count
      #expect(gone == loss.absent)
      try #expect(server.holds() == [])
      #expect(server.errorLines.contains { $0.contains("removed") && $0.contains(".example") })
    }
  }

  @Test func `aasa confirm refuses the ID of a loss that has grown since`() throws {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, workspace.withState, environment: environment) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try workspace.shell("rm domains/h[12]*.example.json")
        try server.expectWithheld(WithheldReason.mostAbsent)
        let id = try server.holds().first ?? ""
        try workspace.shell("rm domains/h30.example.json")
        // The server says so too if it notices the growth only now.
        server.allow(stderr: "no hold has the ID \(id)", "[H045]")
        let old = try server.aasa("confirm", id)
        #expect(old.exitCode == 1 && old.text == "")
        #expect(
          old.errors.contains("no hold has the ID \(id)") && old.errors.contains("aasa status"))
        try #expect(server.holds() != [id])
        // One that is held is confirmed beside one that is not, which still counts as a failure.
        try #expect(server.aasa("confirm", "00000000").exitCode == 1)
      }
      server.allow(stderr: "warning", "removed")
      try server.confirmLoss()
      try server.expectServed("h30.example", "404")
      try server.expectServed("h31.example", association("A"))
      let none = try server.aasa("confirm", "--all")
      #expect(none.exitCode == 0 && none.text == "nothing is held\n")
      // Wrong usage, and no server.
      try #expect(server.aasa("confirm").exitCode == 2)
      try #expect(server.aasa("confirm", "--all", "00000000").exitCode == 2)
    }
    try #expect(run(Server.program, ["confirm", "--all", "--admin", "127.0.0.1:1"]).exitCode == 2)
  }

  @Test
  func `without a state folder a hold ends by itself or at a restart, and everything says so`()
    throws
  {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, withAdmin, environment: environment) { server in
      try workspace.shell("rm domains/h[12]*.example.json")
      try server.expectWithheld(WithheldReason.mostAbsent)
      let id = try server.holds().first ?? ""
      #expect(
        server.errorLines.contains { $0.contains("to accept the change: restart the server") })
      #expect(!server.errorLines.contains { $0.contains("confirm \(id)") })
      for arguments in [["--all"], [id], [id, "--state", workspace.path("other")]] {
        let refused = try server.aasa(["confirm"] + arguments)
        #expect(refused.exitCode == 2 && refused.text == "")
        #expect(refused.errors.contains("the server has no state folder"))
        #expect(refused.errors.contains("at a restart") || refused.errors.contains("restarts"))
        #expect(refused.errors.contains("--state DIR"))
      }
      try #expect(server.holds() == [id])
    }
    try withServer(workspace, withAdmin) { server in
      try #expect(server.holds() == [] && server.served("h10.example") == "404")
    }
  }

  @Test func `a hold is confirmed without the admin listener, by its ID`() throws {
    let state = ["--state", workspace.path("state")]
    let environment = withdrawing(after: "1s")
    try withServer(workspace, ["--admin", "none"] + state, environment: environment) { server in
      try workspace.shell("rm domains/h[12]*.example.json")
      let line = server.expect(stderr: "[H031]", "aasa confirm ") ?? ""
      let id = line.firstMatch(of: /aasa confirm ([0-9a-f]{8})/).map { String($0.1) } ?? ""
      let finished = try run(
        Server.program, ["confirm", id] + state, environment: ["AASA_ADMIN": "none"])
      #expect(finished.exitCode == 0 && finished.text.contains("its log"), "\(finished)")
      server.allow(stderr: "warning", "removed")
      try server.expectServed("h10.example", "404")
    }
  }

  @Test func `a file that a shell writes slowly confirms too, and one without rights is reported`()
    throws
  {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, workspace.withState, environment: environment) { server in
      try workspace.shell("mkdir state/confirm")
      server.expect(stderr: "state/confirm", "cannot be read", "aasa confirm", "[H056]")
      try workspace.shell("rmdir state/confirm; rm domains/h[12]*.example.json")
      try server.expectWithheld(WithheldReason.mostAbsent)
      let id = try server.holds().first ?? ""
      server.allow(stderr: "warning", "removed")
      try workspace.shell("(sleep 0.5; echo \(id)) > state/confirm")
      try server.expectServed("h10.example", "404")
      #expect(eventually { !workspace.exists("state/confirm") })
      try #expect(server.holds() == [])
    }
  }
}
