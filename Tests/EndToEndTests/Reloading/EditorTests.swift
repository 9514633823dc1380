import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Editors and tools write files under other names and rename them, or put the old one aside.
@Suite("reload: names of editors", .manyAtOnce) struct EditorTests {
  /// A name that is there while `a.example.json` is saved, and whether the editor leaves it there
  /// until it ends, or for good.
  static let names = [
    ("4913", false), ("sedAbC123", false), ("a.example.json.new-1", false),
    ("a.example.json~", true), ("#a.example.json#", true), (".#a.example.json", true),
    (".a.example.json.swp", true), ("a.example.json.swp", true), ("a.example.json.tmp", true),
    ("a.example.json___jb_tmp___", true), ("a.example.json___jb_old___", true),
    (".a.example.json.AbC123", true),
  ]

  @Test(arguments: names)
  func `a name that an editor uses is no host, and not reported`(name: String, stays: Bool) throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try withServer(workspace, withAdmin) { server in
      let start = ContinuousClock.now
      try server.keepsServing(["a.example"], only: [association("A"), association("B")]) {
        try workspace.write("new", association("B"))
        try workspace.shell(
          stays
            ? "cp new 'domains/\(name)'; mv new domains/a.example.json"
            : "mv new 'domains/\(name)'; mv 'domains/\(name)' domains/a.example.json")
        if ContinuousClock.now - start > .milliseconds(800) {
          // On a slow machine it was there for as long as a mistake.
          server.allow(stderr: name, "[H004]")
        }
        try server.expectServed("a.example", association("B"))
        // Longer than a mistake may last before it is reported.
        goOn(for: .seconds(1.5))
      }
      let status = try server.status("?limit=10")
      #expect((status["list"] as? [Any])?.count == 1)
      #expect(!server.outputLines.contains { $0.hasPrefix("added") })
      #expect(server.unexpectedLines == [])
    }
  }
}
