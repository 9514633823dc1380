import Client
import Diagnostics
import JSON
import TLS
import Testing

@testable import Checking

@Suite struct WaitingTests {
  @Test(arguments: [(true, 60_000), (false, 1_000)] as [(Bool, Int64)])
  func `Apple's CDN is asked once a minute at most`(isApple: Bool, pause: Int64) throws {
    var requirements = Requirements()
    requirements.file = try Document(parsing: SourceText(path: "f", bytes: Array("{}".utf8)))
    // Nothing listens there.
    let waiting = Waiting(
      subject: try CheckSubject("example.com"),
      settings: ClientSettings(
        options: FetchOptions(), context: try ClientContext(trust: try TrustStore.system()),
        variables: [:]),
      cdn: try CDNAddress("http://127.0.0.1:1/a/v1"), isApple: isApple, goal: .cdnMatches,
      requirements: requirements, interval: 100)
    let state = waiting.ask()
    #expect(!state.isReached && state.pause == pause)
  }
}
