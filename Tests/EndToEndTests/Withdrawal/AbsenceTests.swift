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

  /// Each makes `a.example` an entry, and then removes its files.
  enum Way: String, CaseIterable, Sendable {
    case file, folder, fileInFolder, wellKnown, link, moved

    func prepare(_ workspace: Workspace) throws {
      switch self {
      case .file, .moved: try workspace.write("domains/a.example.json", association("A"))
      case .folder, .fileInFolder:
        try workspace.write("domains/a.example/apple-app-site-association", association("A"))
      case .wellKnown:
        try workspace.write(
          "domains/a.example/.well-known/apple-app-site-association", association("A"))
      case .link:
        try workspace.write("outside/a", association("A"))
        try workspace.link("domains/a.example.json", to: "../outside/a")
      }
    }

    func apply(_ workspace: Workspace) throws {
      switch self {
      case .file, .link: try workspace.remove("domains/a.example.json")
      case .folder: try workspace.remove("domains/a.example")
      case .fileInFolder: try workspace.remove("domains/a.example/apple-app-site-association")
      case .wellKnown: try workspace.remove("domains/a.example/.well-known")
      case .moved: try workspace.move("domains/a.example.json", to: "away.json")
      }
    }
  }

  @Test(arguments: zip(Way.allCases, ["auto", "poll", "auto", "poll", "auto", "poll"]))
  func `a name that is absent for longer is withdrawn with a warning`(way: Way, watch: String)
    throws
  {
    try way.prepare(workspace)
    let environment = withdrawing(after: "300ms")
    try withServer(workspace, ["--watch", watch], environment: environment) { server in
      server.allow(stderr: "a.example", "contains no association file", "[H008]")
      try way.apply(workspace)
      try server.expectServed("a.example", "404")
      server.expect(stderr: "warning", "removed: a.example")
      #expect(!server.outputLines.contains { $0.contains("reload") && $0.contains("a.example") })
      try #expect(server.served("p.example") == association("O"))
      try workspace.write("domains/a.example.json", association("N"))
      if way == .folder || way == .file || way == .moved || way == .link {
        try server.expectServed("a.example", association("N"))
        server.expectAnnounced("added", "a.example")
      }
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

  /// Where it leads to may be a mount that is gone: that proves nothing.
  @Test(arguments: ["auto", "poll"])
  func `a broken link keeps its last version`(watch: String) throws {
    try workspace.write("outside/a", association("A"))
    try workspace.link("domains/a.example.json", to: "../outside/a")
    let flags = withAdmin + ["--watch", watch]
    try withServer(workspace, flags, environment: withdrawing(after: "300ms")) { server in
      try server.keepsServing(["a.example"], only: [association("A")]) {
        try workspace.remove("outside/a")
        server.expect(stderr: "outside/a", "error", "a.example.json")
        goOn(for: .seconds(2))
        try #expect(server.aasa("status").exitCode == 1)
      }
      try workspace.write("outside/a", association("N"))
      try server.expectServed("a.example", association("N"))
      try server.expectStatus(0)
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
