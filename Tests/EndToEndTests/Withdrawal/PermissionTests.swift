import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Unreadable files are not taken for missing ones. The server runs as an ordinary user.
@Suite("withdrawal: permissions", .manyAtOnce, .needsOrdinaryServer) struct PermissionTests {
  private static let hosts = "abcdefg".map { "\($0).example" }
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    for host in Self.hosts { try workspace.write("domains/\(host).json", association("A")) }
  }

  @Test(arguments: zip([0o000, 0o644, 0o311] as [mode_t], ["auto", "poll", "auto"]))
  func `a domains folder that cannot be read withdraws nothing`(mode: mode_t, watch: String)
    throws
  {
    let environment = withdrawing(after: "300ms")
    let flags = withAdmin + ["--watch", watch]
    try withOrdinaryServer(workspace, flags, environment: environment) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try workspace.setMode("domains", mode)
        if mode == 0o644 {
          // The names can be listed, and that is all.
          server.expect(stderr: "domains", "error", "Permission denied")
          server.allow(stderr: "domains", "error", "Permission denied")
          server.allow(stderr: "more of this kind")
        } else {
          try server.expectWithheld(WithheldReason.unreadable)
          #expect(server.unexpectedLines == [], "it is reported once")
        }
        goOn(for: .seconds(1))
      }
      try workspace.setMode("domains", 0o755)
      try server.expectBelieved()
      try workspace.write("domains/b.example.json", association("N"))
      try server.expectServed("b.example", association("N"))
    }
  }

  /// The file or folder that loses its permission, relative to the workspace; `a.example` is read
  /// through it.
  static let places = [
    "domains/a.example.json", "outside", "outside/site", "outside/site/.well-known",
    "outside/site/.well-known/apple-app-site-association", "domains/a.example",
  ]

  private func prepare(_ place: String) throws {
    try workspace.remove("domains/a.example.json")
    let name = "/.well-known/apple-app-site-association"
    switch place {
    case "domains/a.example.json": try workspace.write(place, association("A"))
    case "domains/a.example": try workspace.write(place + name, association("A"))
    default:
      try workspace.write("outside/site" + name, association("A"))
      try workspace.link("domains/a.example", to: "../outside/site")
    }
  }

  @Test(arguments: places, ["auto", "poll"])
  func `an entry that cannot be read stays, and the error names the path after following links`(
    place: String, watch: String
  ) throws {
    try prepare(place)
    let flags = withAdmin + ["--watch", watch]
    let environment = withdrawing(after: "300ms")
    try withOrdinaryServer(workspace, flags, environment: environment) { server in
      try server.keepsServing(Self.hosts, only: [association("A")]) {
        try workspace.setMode(place, 0o000)
        server.expect(stderr: place, "error", "Permission denied")
        server.allow(stderr: "assetlinks.json", "Permission denied")
        goOn(for: .seconds(2))
        // There was none, and nothing says that there is one now.
        let links = try server.get("/.well-known/assetlinks.json", host: "a.example")
        #expect(links.status == 404)
      }
      try #expect(server.aasa("status").exitCode == 1)
      try #expect(server.askAdmin("/readyz").status == 200)
      try workspace.setMode(place, place.hasSuffix("json") ? 0o644 : 0o755)
      let file =
        place.hasSuffix("json") ? place : "domains/a.example/.well-known/apple-app-site-association"
      try workspace.write(file, association("N"))
      try server.expectServed("a.example", association("N"))
      try server.expectStatus(0)
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `with nothing good known it is answered 503, and served once it can be read`(watch: String)
    throws
  {
    try workspace.write("domains/new.example.json", association("N"))
    try workspace.write("outside/live/site.json", association("N"))
    try workspace.link("domains/linked.example.json", to: "../outside/live/site.json")
    try workspace.setMode("domains/new.example.json", 0o000)
    try workspace.setMode("outside/live", 0o000)
    try withOrdinaryServer(workspace, withAdmin + ["--watch", watch]) { server in
      server.expect(stderr: "domains/new.example.json", "error", "Permission denied")
      server.expect(stderr: "outside/live", "error", "Permission denied")
      for host in ["new.example", "linked.example"] { try server.expectServed(host, "503") }
      try workspace.setMode("domains/new.example.json", 0o644)
      try server.expectServed("new.example", association("N"))
      // No event comes from here: a sweep finds it, or the next trial.
      try workspace.setMode("outside/live", 0o755)
      try server.expectServed("linked.example", association("N"))
      try server.expectStatus(0)
    }
  }

  @Test(arguments: zip([0o000, 0o311] as [mode_t], ["auto", "poll"]))
  func `with a folder that cannot be read at the start every host is answered 503`(
    mode: mode_t, watch: String
  ) throws {
    try workspace.setMode("domains", mode)
    defer { try? workspace.setMode("domains", 0o755) }
    try withOrdinaryServer(workspace, withAdmin + ["--watch", watch]) { server in
      server.expect(stderr: "domains", "error", "Permission denied", "[H001]")
      server.allow(stderr: "there is no domain to serve", "[H010]")
      for host in ["a.example", "unknown.example"] {
        let response = try server.get(host: host)
        #expect(response.status == 503 && response["Retry-After"] != nil)
      }
      try #expect(server.askAdmin("/readyz").status == 503)
      try #expect(server.aasa("status").exitCode == 1)
      try workspace.setMode("domains", 0o755)
      for host in Self.hosts { try server.expectServed(host, association("A")) }
      try server.expectServed("unknown.example", "404")
      try #expect(eventually { try server.askAdmin("/readyz").status == 200 })
    }
  }
}
