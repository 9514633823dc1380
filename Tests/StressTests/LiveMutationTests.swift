import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Mutated requests over real sockets, every answer read by a strict parser that is not ours.
@Suite("trust: mutated requests", .stress) struct LiveMutationTests {
  @Test(.enabled(if: Self.python != nil, "python3 with h11 is not installed"))
  func `every answer is valid, and an invalid request never succeeds`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace) { server in
      let script = repositoryFile("Tests/Tools/Fuzz/live")
      let finished = try run(try #require(Self.python), [script, "\(server.http)", "3"])
      #expect(finished.exitCode == 0, "\(finished.text)\(finished.errors)")
      try #expect(server.get().status == 200)
    }
  }

  /// An interpreter that has the parser.
  private static let python: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/python3" }.first {
      access($0, X_OK) == 0 && (try? run($0, ["-c", "import h11"]).exitCode) == 0
    }
  }()
}
