import Catalog
import Posix
import Server
import TestRunning
import Testing

@testable import Keeping
@testable import Serving
@testable import Settings

/// What `aasa serve` prints at its start.
@Suite struct ScreenTests {
  private static let now: Int64 = 1_780_272_000

  private static func served(_ name: String) -> Site {
    let maker = ContentMaker(cacheControl: "max-age=60")
    let content = maker.content(
      of: Array(#"{"applinks":{}}"#.utf8), kind: .file(WellKnownFiles.association))
    let file = ServedFile(content: content, lastModified: now - 90_000)
    return Site(
      name: DomainName(entryName: name) ?? .any, answers: [.served(file)], now: now - 90_000)
  }

  private static let catalog = Catalog(
    sites: [
      served("a.example"), served("links.customer.example"),
      Site(name: .host("broken.example"), answers: [.unavailable], now: now),
    ], material: nil)

  @Test func `the start of serve`() throws {
    let endpoints = try [(false, UInt16(80)), (true, 443)].map { isSecure, port in
      Server.Endpoint(
        address: try #require(SocketAddress(literal: "::", port: port)), isSecure: isSecure)
    }
    let certificates = CertificateSummary(
      folder: "certificates", count: 2, total: 2, names: ["a.example", "links.customer.example"],
      firstExpiry: Clock.wallSeconds() + 45 * 86_400 + 60)
    let counts = DomainCounts([(.served, 2), (.refused, 1)])
    let text =
      banner(
        Self.catalog, counts, certificates, endpoints, ["admin http://127.0.0.1:12272"],
        Configuration())
      + (trial(Self.catalog, endpoints, isTrusted: true) ?? "")
    try expectScreen(text, "serve")
  }
}
