import Testing

@testable import Checking
@testable import Client

/// Reports on a server that refuses some of the same requests.
@Suite struct RateLimitTests {
  /// The report if every second request for the file in `.well-known` gets this answer.
  private func check(_ other: CheckServer.Answer) throws -> String {
    let count = Counter()
    let server = CheckServer { request in
      let isRefused = path(of: request).hasPrefix("/.well-known") && count.next().isMultiple(of: 2)
      return isRefused ? other : CheckServer.good(request)
    }
    return try CheckWorld(server).check(exitCode: 1)
  }

  @Test func `a limit of the rate is named, and nothing else`() throws {
    let text = try check(.answer("429 Too Many Requests", type: "text/plain", "slow down"))
    #expect(
      text.hasPrefix(
        "example.com: universal links will fail for some devices: the same request gets the file one "
          + "time and status 429 the next"), "\(text)")
    let finding = try #require(text.split(separator: "\n\n").first { $0.contains("[F112]") })
    #expect(
      finding.contains("\n  help: exempt both paths of the file from rate limits"), "\(finding)")
    #expect(!text.contains("countr"), "\(text)")
  }

  @Test func `another answer may come from one of several servers`() throws {
    let text = try check(.answer("503 Service Unavailable", "busy"))
    #expect(
      text.contains("\n  help: check whether one of several servers fails, and whether"),
      "\(text)")
  }
}
