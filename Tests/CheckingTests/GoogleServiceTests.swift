import DigitalAssetLinks
import TestRunning
import Testing

@testable import Checking

/// Google's service is a second opinion: without it the host's list decides.
@Suite struct GoogleServiceTests {
  private static let service = "http://127.0.0.1:9998"

  private func check(
    _ google: CheckServer?, origin: String? = nil, asksAlways: Bool = false
  ) throws -> CheckedSubject {
    let server = CheckServer(
      CheckServer.serving("{}", ["assetlinks.json": .answer(statements("org.swift.shop"))]))
    var world = CheckWorld(server)
    world.lead("127.0.0.1", port: 9_998, to: google)
    if let origin { world.lead(origin, port: CheckWorld.port, to: server) }
    var options = CheckWorld.Options()
    options.origin = origin
    let check = AndroidAppCheck(
      [AndroidApp(packageName: "org.swift.shop", fingerprints: [shopFingerprint])],
      [try HostTarget("example.com")], relations: [.openLinks], asksAlways: asksAlways)
    var context = CheckContext(try world.settings(options), options.policy)
    context.google = try HostTarget(Self.service)
    return try #require(check.results(context).subjects.first)
  }

  private static let good = "example.com for org.swift.shop: the app may open links"

  @Test(
    arguments: [
      (.answer("503 Service Unavailable", "{}"), "Google's service answers with status 503"),
      (.answer("503 Service Unavailable", #"{"error":{"message":"busy"}}"#), "status 503 (busy)"),
      (.answer(type: "text/html", "<html>"), "another server answers in place of Google's service"),
      (.stall, "timed out"),
    ] as [(CheckServer.Answer, String)])
  func `a service that cannot be asked changes nothing but the first line`(
    answer: CheckServer.Answer, reason: String
  ) throws {
    let checked = try check(.plain { _ in answer })
    #expect(checked.exitCode == 0)
    checked.text.says(
      .start(Self.good + "; Google's service for asset links could not be queried\n"),
      .part(reason), "[F124]")
  }

  @Test func `the service is not asked about a host whose address was given`() throws {
    let service = CheckServer.plain { _ in .answer(#"{"statements":[]}"#) }
    let skipped = try check(service, origin: "1.0.0.1").text
    skipped.says(
      .start(
        Self.good + "; Google's service for asset links was not queried (an address for the host "
          + "was given)\n"),
      .lacks("[F123]"))
    try check(service, origin: "1.0.0.1", asksAlways: true).text.says(
      "[F123]", .lacks("was not queried"))
  }
}
