import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The version that is served if there is a file: the new one, unless the last good one is better.
@Suite("withdrawal: versions", .manyAtOnce) struct VersionTests {
  private let workspace: Workspace
  private static let cases = "/buy/secret blocked\n"
  private static let met = shopFile(paths: #"["NOT /buy/secret","/buy/*"]"#)
  private static let unmet = shopFile(paths: #"["/buy/*"]"#)

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/other.example.json", association("O"))
  }

  @Test func `a new entry is announced as added, a changed one as reloaded`() throws {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace) { server in
      try workspace.write("domains/a.example.json", association("N"))
      try workspace.write("domains/new.example.json", association("N"))
      try server.expectServed("a.example", association("N"))
      try server.expectServed("new.example", association("N"))
      server.expectAnnounced("reloaded", "a.example")
      server.expectAnnounced("added", "new.example")
      #expect(!server.outputLines.contains { $0.hasPrefix("reloaded") && $0.contains("new.") })
    }
  }

  @Test(arguments: ["{", "[1]"])
  func `an unusable version leaves the last good one, and 503 if there is none`(
    content: String
  ) throws {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace, withAdmin) { server in
      try server.keepsServing(["a.example"], only: [association("A")]) {
        try workspace.write("next", content)
        try workspace.move("next", to: "domains/a.example.json")
        server.expect(stderr: "domains/a.example.json", "error")
      }
      try workspace.write("domains/new.example.json", content)
      server.expect(stderr: "domains/new.example.json", "error")
      try #expect(server.served("new.example") == "503")
      try #expect(server.get(host: "new.example")["Retry-After"] != nil)
      try #expect(server.aasa("status").exitCode == 1)
      for host in ["a.example", "new.example"] {
        try workspace.write("domains/\(host).json", association("B"))
        try server.expectServed(host, association("B"))
      }
      try server.expectStatus(0)
    }
  }

  /// The names of one domain are decided together, however they are written.
  @Test
  func `a file and its expectations that are replaced one after the other are judged together`()
    throws
  {
    try workspace.write("domains/example.com.json", Self.met)
    try workspace.write("domains/example.com.cases", Self.cases)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      server.allow(stderr: "example.com.cases:1:1: error", "[E010]")
      server.allow(stderr: "example.com", "last good")
      try server.keepsServing(["example.com"], only: [Self.met]) {
        for round in 0..<10 {
          try workspace.remove("domains/example.com.cases")
          try workspace.remove("domains/example.com.json")
          try workspace.write(
            "domains/example.com.json", Self.unmet + String(repeating: " ", count: round))
          goOn(for: .milliseconds(20))
          try workspace.write("domains/example.com.cases", Self.cases)
          let mark: Character = round.isMultiple(of: 2) ? "P" : "O"
          try workspace.write("domains/other.example.json", association(mark))
          try server.expectServed("other.example", association(mark))
        }
      }
    }
  }
}
