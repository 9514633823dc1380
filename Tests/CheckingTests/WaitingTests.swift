import Diagnostics
import JSON
import Testing

@testable import Checking
@testable import Client

@Suite struct WaitingTests {
  @Test(arguments: [(true, 60_000), (false, 1_000)] as [(Bool, Int64)])
  func `Apple's CDN is asked once a minute at most`(isApple: Bool, pause: Int64) throws {
    var requirements = Requirements()
    requirements.file = try Document(parsing: SourceText(path: "f", bytes: Array("{}".utf8)))
    let waiting = Waiting(
      subject: try CheckSubject("example.com"),
      settings: ClientSettings(
        options: FetchOptions(),
        world: World { request, _, _ in Exchange(request: request, fault: .notTLS) },
        variables: [:]),
      cdn: try CDNAddress("http://127.0.0.1:1/a/v1"), isApple: isApple, goal: .cdnMatches,
      requirements: requirements, interval: 100)
    let state = waiting.ask()
    #expect(!state.isReached && state.pause == pause)
  }
}
