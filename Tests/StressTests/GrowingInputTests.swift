import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// What strangers' files cost, by growing inputs of each kind.
@Suite("stress: growing inputs", .stress, .serialized) struct GrowingInputTests {
  @Test func `no kind of file costs more for each byte where there is more of it`() throws {
    let tool = try ChildProcess(
      repositoryFile("Tests/Tools/cost"), [Server.program, "--most", "120"])
    let code = try tool.waitForExit(within: .seconds(3_000))
    let text = String(decoding: tool.now.output, as: UTF8.self)
    print(text)
    #expect(code == 0, "\(text)")
  }
}
