import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Changes among many hosts.
@Suite("stress: many hosts", .stress, .serialized) struct ManyHostTests {
  @Test func `one among 10,000 is served without a signal`() throws {
    let workspace = try Workspace()
    for index in 0..<10_000 {
      let text = association().replacingOccurrences(of: "example.A", with: "example.h\(index)")
      try workspace.write("domains/h\(index).example.json", text)
    }
    try withServer(workspace) { server in
      for index in stride(from: 0, to: 10_000, by: 997) {
        try #expect(server.served("h\(index).example").contains("com.example.h\(index)\""))
      }
      #expect(server.outputLines.contains { $0.contains("10000 domains") })
      for (index, mark) in zip([1, 5_000, 9_999, 1], "ABCD") {
        try workspace.write("domains/h\(index).example.json", association(mark))
        let start = ContinuousClock.now
        let isServed = try eventually {
          try server.served("h\(index).example") == association(mark)
        }
        #expect(isServed, "after \(ContinuousClock.now - start)")
      }
      try workspace.write("domains/new.example.json", association("N"))
      try #expect(
        eventually {
          try server.served("new.example") == association("N")
        })
    }
  }

  /// The resident memory of a process, in bytes.
  private func residentBytes(of process: pid_t) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let number = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return number.map { $0 * 1024 }
  }

  @Test func `entries with the same bytes cost one copy of them`() throws {
    let workspace = try Workspace()
    let text = association(ofBytes: 131_072)
    try workspace.write("shared.json", text)
    // Copies, not links: by content, not by file.
    for index in 0..<1_000 { try workspace.write("domains/h\(index).example.json", text) }
    try withServer(workspace) { server in
      try #expect(server.served("h999.example") == text)
      if let bytes = residentBytes(of: server.process.identifier) {
        #expect(bytes < 100 << 20, "1,000 copies would be 125 MiB")
      }
    }
  }

  @Test func `a hundred thousand lines are read, and one of them changes`() throws {
    let workspace = try Workspace(serving: ["links": association("L")])
    let lines = (0..<100_000).map { "h\($0).example" }
    try workspace.write("domains/links.hosts", lines.joined(separator: "\n") + "\n")
    try withServer(workspace, environment: withdrawing(after: "300ms")) { server in
      for index in [0, 1, 50_000, 99_999] {
        try server.expectServed("h\(index).example", association("L"))
      }
      try server.keepsServing(["h0.example", "h99998.example"], only: [association("L")]) {
        let changed = lines.dropLast() + ["new.example"]
        try workspace.write("domains/links.hosts", changed.joined(separator: "\n") + "\n")
        try server.expectServed("new.example", association("L"))
        try server.expectServed("h99999.example", "404")
        server.expect(stderr: "warning", "removed: h99999.example")
        server.expectAnnounced("added", "new.example")
      }
    }
  }
}
