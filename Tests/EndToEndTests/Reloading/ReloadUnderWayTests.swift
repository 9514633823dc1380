import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Answers during a change: half-written files, folders that come and go, swaps under load.
@Suite("reload: under way", .manyAtOnce) struct ReloadUnderWayTests {
  /// Whether a host gets nothing but these answers for this long.
  private func serves(
    _ server: Server, _ host: String, only allowed: Set<String>, for duration: Duration
  ) throws -> Bool {
    let deadline = Deadline(within: duration)
    while !deadline.isOver {
      let text = try server.served(host)
      guard allowed.contains(text) else { return false }
    }
    return true
  }

  @Test(arguments: ["auto", "poll"])
  func `a half-written file is never served`(watch: String) throws {
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try withServer(workspace, ["--watch", watch]) { server in
      // Told only when the writer pauses for long.
      server.allow(stderr: "domains/new.example.json", "error")
      server.allow(stderr: "domains/a.example.json", "error")
      let text = Array(association("N").utf8)
      let old = try OpenFile(workspace.path("domains/a.example.json"))
      let new = try OpenFile(workspace.path("domains/new.example.json"))
      for part in [text[..<10], text[10..<40], text[40...].dropLast()] {
        try old.append(part)
        try new.append(part)
        try #expect(
          serves(server, "a.example", only: [association("A")], for: .milliseconds(300)))
        try #expect(
          serves(server, "new.example", only: ["404", "503"], for: .milliseconds(300)))
      }
      try old.append(text.suffix(1))
      try new.append(text.suffix(1))
      let isServed = try eventually {
        try server.served("a.example") == association("N")
          && server.served("new.example") == association("N")
      }
      #expect(isServed)
    }
  }

  /// As the kubelet does it: a new folder, then `..data` renamed to lead to it, then the old one
  /// goes.
  private func swap(_ workspace: Workspace, to name: String, from old: String?) throws {
    for (host, mark) in [("a.example", name), ("_wildcard.b.example", name)] {
      try workspace.write("domains/..\(name)/\(host).json", association(Character(mark)))
    }
    try workspace.link("domains/..data_tmp", to: "..\(name)")
    try workspace.move("domains/..data_tmp", to: "domains/..data")
    if let old { try workspace.remove("domains/..\(old)") }
  }

  @Test(arguments: ["auto", "poll"])
  func `a ConfigMap is swapped under load without a failed request`(watch: String) throws {
    let workspace = try Workspace()
    try swap(workspace, to: "A", from: nil)
    for host in ["a.example", "_wildcard.b.example"] {
      try workspace.link("domains/\(host).json", to: "..data/\(host).json")
    }
    try withServer(workspace, ["--watch", watch]) { server in
      let loads = [
        Load(on: server.http, host: "a.example", persistent: 2, fresh: 1),
        Load(on: server.http, host: "x.b.example", persistent: 1, fresh: 1),
      ]
      var current = "A"
      let marks = watch == "auto" ? "BCDEFGHIJKLMNOPQRSTUVWXYZ" : "BCD"
      for next in marks.map(String.init) {
        try swap(workspace, to: next, from: current)
        let isServed = try eventually {
          try server.served("a.example") == association(Character(next))
            && server.served("x.b.example") == association(Character(next))
            && loads.allSatisfy { $0.now.bodies.contains(association(Character(next))) }
        }
        #expect(isServed, "\(next)")
        current = next
      }
      for load in loads {
        let result = try load.stop()
        #expect(result.failures == [])
        #expect(result.bodies.isSubset(of: Set(("A" + marks).map { association($0) })))
      }
    }
  }

  @Test func `many files changed at once are served without a failed request`() throws {
    let workspace = try Workspace()
    for index in 0..<200 {
      try workspace.write("domains/h\(index).example.json", association("A"))
    }
    try withServer(workspace) { server in
      let load = Load(on: server.http, host: "h7.example", persistent: 2, fresh: 1)
      for mark in "BCDEF" {
        for index in 0..<200 {
          try workspace.write("domains/h\(index).example.json", association(mark))
        }
        let isServed = try eventually {
          try [0, 7, 100, 199].allSatisfy {
            try server.served("h\($0).example") == association(mark)
          }
        }
        #expect(isServed, "\(mark)")
      }
      try #expect(load.stop().failures == [])
    }
  }
}
