import Testing

@testable import Checking

/// Verdicts that follow from the answers of one server.
@Suite struct AnswerTests {
  static let served = "example.com: the association file is served as Apple asks"

  @Test func `a good file is served as Apple asks`() throws {
    let text = try CheckWorld(CheckServer()).check(exitCode: 0)
    #expect(text.hasPrefix(Self.served + "\nskipped: Apple's CDN\n"), "\(text)")
    #expect(text.contains("TLSv1.3 with a certificate by \"Test Intermediate\" for 365 more days"))
  }
}
