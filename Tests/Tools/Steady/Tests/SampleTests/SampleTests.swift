import Foundation
import Testing

/// Tests that pass, fail or stop as the environment says: `Tests/Tools/Steady/run` tries
/// `Tests/Tools/steady` with them.
@Suite("samples (of every kind)") struct SampleTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let unsteady = Int(variables["UNSTEADY"] ?? "") ?? 0

  @Test func `it passes, "always"`() { #expect(1 + 1 == 2) }

  @Test func `unsteady 1`() throws { try expectSecondTime(1) }
  @Test(arguments: ["a", "b"]) func `unsteady 2`(argument: String) throws {
    try expectSecondTime(2)
  }
  @Test func `unsteady 3 + (more)`() throws { try expectSecondTime(3) }
  @Test func `unsteady 4`() throws { try expectSecondTime(4) }

  @Test func `it fails twice`() { #expect(Self.variables["BROKEN"] == nil, "it is broken") }

  @Test func `it stops the process`() { precondition(Self.variables["STOPS"] == nil, "stopped") }

  @Test(.enabled(if: false, "only root can do this")) func `it is root's`() {}

  /// Fails unless an earlier process has left a mark.
  private func expectSecondTime(_ number: Int) throws {
    guard number <= Self.unsteady else { return }
    let folder = try #require(Self.variables["MARKS"])
    let mark = "\(folder)/\(number)"
    let earlier = try? String(contentsOfFile: mark, encoding: .utf8)
    let own = String(ProcessInfo.processInfo.processIdentifier)
    if earlier == nil { try own.write(toFile: mark, atomically: true, encoding: .utf8) }
    #expect(earlier != nil && earlier != own, "the first time, number \(number)")
  }
}
