import AppFiles
import AppSiteAssociation
import Diagnostics
import DigitalAssetLinks
import JSON
import Rules
import TestRunning
import Testing

@testable import Checking

/// What strangers write costs no more for each byte if there is more of it.
@Suite(.stress) struct CostTests {
  /// Measures the processor time at a size and at four times that size, the best of three times.
  private static func growth(_ size: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    func best(_ size: Int) throws -> Duration {
      try (0..<3).map { _ in try processorTime { try work(size) } }.min() ?? .zero
    }
    return try best(4 * size) / best(size)
  }

  /// Linear work grows to four times, work with the square to sixteen.
  private static let mostGrowth = 9.0

  private static func entitlements(_ domains: [String]) throws -> AppFile {
    try AppFile(
      Array(
        """
        <plist><dict><key>com.apple.developer.associated-domains</key><array>
        \(domains.map { "<string>\($0)</string>" }.joined(separator: "\n"))
        </array></dict></plist>
        """.utf8))
  }

  @Test func `associated domains`() throws {
    let growth = try Self.growth(500) { size in
      let file = try Self.entitlements((0..<size).map { "applinks:h\($0).example" })
      #expect(AssociatedDomains(file).subjects.count == size)
    }
    #expect(growth < Self.mostGrowth)
  }

  @Test func `a label of many letters beyond ASCII`() {
    let growth = Self.growth(2_000) { size in
      let label = String(
        String.UnicodeScalarView((0..<size).compactMap { Unicode.Scalar(0x4E00 + $0) }))
      #expect((try? HostTarget(label + ".example")) == nil)
    }
    #expect(growth < Self.mostGrowth)
  }

  @Test func `a device's domains, and the lines about the user's choice`() {
    let growth = Self.growth(500) { size in
      let names = (0..<size).map { "h\($0).example" }
      let text =
        "  com.example.app:\n    ID: 1\n    Signatures: [AA]\n    Domain verification state:\n"
        + names.map { "      \($0): verified\n" }.joined() + "    User 0:\n"
        + String(repeating: "      Verification link handling allowed: false\n", count: size)
        + "      Selection state:\n        Enabled:\n" + names.map { "          \($0)\n" }.joined()
      #expect(DeviceText(Array(text.utf8)).records.count == size)
    }
    #expect(growth < Self.mostGrowth)
  }

  @Test func `query items, and rules about them`() throws {
    let rules = (0..<200).map { #"{"?":{"k\#($0)":"v"}}"# }.joined(separator: ",")
    let text = #"{"applinks":{"details":[{"appID":"ABCDE12345.a","components":[\#(rules)]}]}}"#
    let links = try AppleLinks(Document(parsing: SourceText(path: "a", bytes: Array(text.utf8))))
    func time(_ items: Int) -> Duration {
      let url = "/?" + (0..<items).map { "x\($0)" }.joined(separator: "&")
      return processorTime {
        for _ in 0..<5 { #expect(links.decide(url, for: links.apps).first?.outcome == .browser) }
      }
    }
    // The rules look the item up; they do not go through all items.
    #expect(time(1_600) / time(100) < 24)
  }

  @Test func `a word that resembles none`() {
    let growth = Self.growth(20_000) { size in
      for _ in 0..<20 {
        #expect(
          nearest(to: String(repeating: "applinks", count: size / 8), among: ["applinks"]) == nil)
      }
    }
    #expect(growth < Self.mostGrowth)
  }
}
