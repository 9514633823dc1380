import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The domains folder is the working tree of a repository.
@Suite("withdrawal: git", .manyAtOnce, .needs(.git)) struct GitWithdrawalTests {
  private static let hosts = (0..<8).map { "h\($0).example" }
  private let workspace: Workspace

  /// Branch `main` has all hosts, `without` has none, `topic` and `other` change the same one.
  init() throws {
    workspace = try Workspace()
    for host in Self.hosts { try workspace.write("domains/\(host).json", association("A")) }
    try git("git init -q; git checkout -q -b main; git add .; git commit -q -m first")
    try git("git checkout -q -b without; git rm -q '*.json'; echo none > README.md")
    try git("git add .; git commit -q -m without; git checkout -q main")
    for (branch, mark) in [("topic", "B"), ("other", "C")] as [(String, Character)] {
      try git("git checkout -q -b \(branch) main")
      try workspace.write("domains/h0.example.json", association(mark))
      try git("git commit -q -a -m \(branch)")
    }
    try git("git checkout -q main")
  }

  /// Runs a script in the working tree, with no settings of the user's own.
  private func git(_ script: String) throws {
    let finished = try run(
      "/bin/sh", ["-ec", script],
      environment: [
        "HOME": workspace.root, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_EDITOR": "true", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@a.example",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@a.example",
      ], folder: workspace.domains)
    guard finished.exitCode == 0 else { throw Failure("\(script): \(finished)") }
  }

  private func serve(after time: String = "5s", _ body: (Server) throws -> Void) throws {
    try withServer(workspace, withAdmin, environment: withdrawing(after: time)) { server in
      server.allowEmptyFiles()
      try body(server)
    }
  }

  @Test func `a branch without the files withdraws nothing, and the way back is silent`() throws {
    try serve(after: "1s") { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try git("git checkout -q without")
        try server.expectWithheld(WithheldReason.mostAbsent + WithheldReason.empty)
        goOn(for: .seconds(2))
        try git("git checkout -q main")
        try server.expectBelieved()
      }
    }
  }

  @Test func `a rebase that stops with a conflict keeps the last good version until its abort`()
    throws
  {
    try git("git checkout -q topic")
    try serve { server in
      let permitted = [association("A"), association("B"), association("C")]
      try server.keepsServing(Self.hosts, only: permitted) {
        try git("! git rebase -q other >../rebase.txt 2>&1")
        try #expect(workspace.text("domains/h0.example.json").contains("<<<<<<<"))
        server.expect(stderr: "h0.example.json", "error", "last good version", "[J050]")
        try #expect(server.aasa("status").exitCode == 1)
        try git("git rebase --abort")
        try server.expectServed("h0.example", association("B"))
        try server.expectStatus(0)
      }
    }
  }
}
