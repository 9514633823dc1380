import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A name counts as absent only when it has been missing for `withdrawAfter`.
@Suite("withdrawal: absence", .manyAtOnce) struct AbsenceTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    // Enough others that the folder is believed whatever one of them does.
    for host in ["p", "q", "r", "s"] {
      try workspace.write("domains/\(host).example.json", association("O"))
    }
  }

  /// How an entry can go is another test's: see `ReloadTests`.
  @Test(arguments: ["auto", "poll"])
  func `a name that is absent for longer is withdrawn with a warning`(watch: String) throws {
    try workspace.write("domains/a.example.json", association("A"))
    let environment = withdrawing(after: "300ms")
    try withServer(workspace, ["--watch", watch], environment: environment) { server in
      try workspace.remove("domains/a.example.json")
      try server.expectServed("a.example", "404")
      server.expect(stderr: "warning", "removed: a.example")
      #expect(!server.outputLines.contains { $0.contains("reload") && $0.contains("a.example") })
      try #expect(server.served("p.example") == association("O"))
      try workspace.write("domains/a.example.json", association("N"))
      try server.expectServed("a.example", association("N"))
      server.expectAnnounced("added", "a.example")
    }
  }

  @Test func `it takes five seconds by default`() throws {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(workspace) { server in
      let start = ContinuousClock.now
      try workspace.remove("domains/a.example.json")
      try server.expectServed("a.example", "404")
      let time = ContinuousClock.now - start
      #expect(time >= .seconds(4.9), "after \(time)")
      server.expect(stderr: "warning", "removed: a.example")
    }
  }

  @Test func `a host that is withdrawn is answered by its wildcard, then by the default`() throws {
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.write("domains/_wildcard.example.json", association("W"))
    try workspace.write("domains/_default.json", association("D"))
    try withServer(workspace, environment: withdrawing(after: "300ms")) { server in
      try server.keepsServing(["a.example"], only: [association("A"), association("W")]) {
        try workspace.remove("domains/a.example.json")
        try server.expectServed("a.example", association("W"))
      }
      server.expect(stderr: "warning", "removed: a.example")
      try workspace.remove("domains/_wildcard.example.json")
      try server.expectServed("a.example", association("D"))
      server.expect(stderr: "warning", "removed: *.example")
      try workspace.remove("domains/_default.json")
      try server.expectServed("a.example", "404")
      server.expect(stderr: "warning", "removed: any other host")
    }
  }
}
