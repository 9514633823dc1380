import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// File systems that show changes late, or fail for single names.
@Suite("reload: faulty file systems", .manyAtOnce, .needsInterposer) struct FaultyDiskTests {
  private let workspace: Workspace
  private let interposer: Interposer

  init() throws {
    workspace = try Workspace()
    interposer = try Interposer(in: workspace)
  }

  private var withWholeSeconds: [String: String] {
    interposer.environment.merging(["TEST_WHOLE_SECONDS": "1"]) { $1 }
  }

  private func changed(_ name: String) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: workspace.path(name))
    let date = attributes[.modificationDate] as? Date
    return try #require(date).timeIntervalSince1970.rounded(.down)
  }

  /// Writes two versions of the same size into one file within one second, so that the times of
  /// the file do not show the second one. Returns it when the server has read the first one.
  ///
  /// - Parameter isServed: Whether the server serves this version.
  private func writeTwice(
    _ name: String, _ versions: [String], _ server: Server,
    isServed: (Int) throws -> Bool
  ) throws {
    for _ in 0..<30 {
      // Early in a second, so that there is time for both.
      while Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1) > 0.1 {
        poll(nil, 0, 1)
      }
      try workspace.overwrite(name, versions[0])
      // So that it is read at once.
      server.process.signal(SIGHUP)
      let isRead = try eventually(within: .milliseconds(700)) { try isServed(0) }
      let first = try changed(name)
      try workspace.overwrite(name, versions[1])
      if isRead, try changed(name) == first { return }
      _ = try eventually { try isServed(1) }
    }
    throw Failure("the machine is too slow to write two versions within a second")
  }

  @Test
  func `the second of two versions within a second is served, though nothing shows it`() throws {
    try workspace.write("domains/a.example.json", association("A"))
    let marks: [Character] = ["B", "C"]
    try withServer(workspace, ["--watch", "poll"], environment: withWholeSeconds) { server in
      server.allowEmptyFiles()
      try writeTwice("domains/a.example.json", marks.map { association($0) }, server) {
        try server.served("a.example") == association(marks[$0])
      }
      try server.expectServed("a.example", association("C"))
    }
  }

  @Test(.needs(.openssl))
  func `the second of two certificates within a second is served, though nothing shows it`() throws
  {
    let authority = try TestAuthority()
    try workspace.write("domains/a.example.json", association("A"))
    /// Chain and key in one file.
    func issue(_ subject: String, ofSize size: Int? = nil) throws -> String {
      for _ in 0..<200 {
        let certificate = try authority.issue("a.example", subject: subject)
        let text = certificate.chain + certificate.key
        if size == nil || text.utf8.count == size { return text }
      }
      throw Failure("no certificate of \(size ?? 0) bytes")
    }
    let first = try issue("one")
    let versions = [first, try issue("two", ofSize: first.utf8.count)]
    try workspace.write("certificates/a.pem", try issue("old"), mode: 0o600)
    let environment = withWholeSeconds.merging(authority.environment) { $1 }
    try withServer(workspace, https: true, ["--watch", "poll"], environment: environment) {
      server in
      // It is written into the file itself.
      for code in ["[T001]", "[T002]", "[T003]"] { server.allow(stderr: "a.pem", code) }
      let shown = ["one, chain of 2", "two, chain of 2"]
      try writeTwice("certificates/a.pem", versions, server) {
        server.shown("a.example") == shown[$0]
      }
      #expect(eventually { server.shown("a.example") == shown[1] })
    }
  }

  @Test(arguments: ["auto", "poll"])
  func `a name that cannot be looked up makes no list, and other hosts are still unknown`(
    watch: String
  ) throws {
    try workspace.write("domains/a.example.json", association("A"))
    try withServer(
      workspace, withAdmin + ["--watch", watch], environment: interposer.environment
    ) { server in
      try interposer.fail(workspace.path("domains/a.example.hosts"))
      for mark in "BC" {
        try workspace.write("domains/a.example.json", association(mark))
        server.process.signal(SIGHUP)
        try server.expectServed("a.example", association(mark))
        try #expect(server.served("unknown.example") == "404")
      }
      try #expect(server.askAdmin("/readyz").status == 200)
      try server.expectStatus(0)
    }
  }
}
