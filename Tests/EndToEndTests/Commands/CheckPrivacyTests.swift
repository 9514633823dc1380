import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The requests of `aasa check`: Apple's CDN learns no name that is checked before it is public.
@Suite(.manyAtOnce) struct CheckPrivacyTests {
  /// Whether Apple's CDN is asked. All that is asked goes by a proxy, which leads nowhere.
  private func asksApple(_ arguments: [String]) throws -> Bool {
    let proxy = try ScriptedServer { _ in [.text("HTTP/1.1 502 Bad Gateway\r\n\r\n")] }
    let workspace = try Workspace()
    let run = try run(
      Server.program, ["check", "--timeout", "5s"] + arguments,
      environment: ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"], folder: workspace.root)
    #expect([0, 1, 4].contains(run.exitCode) && run.errors.isEmpty, "\(run.errors)")
    return proxy.requests.contains { $0.contains("app-site-association.cdn-apple.com") }
  }

  @Test func `the CDN's copy is checked for a public name`() throws {
    try #expect(asksApple(["shop.example"]))
    try #expect(asksApple(["https://shop.example/"]))
    // Devices ask by HTTPS whatever a link says.
    try #expect(asksApple(["http://shop.example"]))
    try #expect(asksApple(["http://shop.example:80"]))
  }

  @Test(arguments: [
    ["shop.example", "--origin", "127.0.0.1:1"],
    ["shop.example", "--resolve", "shop.example:443:127.0.0.1:1"],
    ["shop.example", "--cdn", "none"], ["shop.example:8443"],
    ["localhost"], ["192.0.2.1"], ["shop"], ["applinks:shop.example?mode=developer"],
  ])
  func `the CDN is not queried about a private name`(arguments: [String]) throws {
    try #expect(!asksApple(arguments))
  }
}
