import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Which links get a host's page, and what one decision costs.
@Suite struct PageMatchTests {
  private static func match(_ file: String) -> PageMatch {
    let maker = ContentMaker(cacheControl: "no-cache")
    return PageMatch(
      maker.content(of: Array(file.utf8), kind: .file(WellKnownFiles.association)), path: "file")
  }

  private static func file(_ rules: String, variables: String = "") -> String {
    #"{"applinks":{\#(variables)"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"#
      + #""components":[\#(rules)]}]}}"#
  }

  private static func rules(_ count: Int, _ rule: (Int) -> String) -> String {
    (0..<count).map(rule).joined(separator: ",")
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  /// `count` values of two letters each.
  private static func values(_ count: Int) -> String {
    let values = (0..<count).map { #""\#(letters[$0 / 26 % 26])\#(letters[$0 % 26])""# }
    return #""substitutionVariables":{"x":[\#(values.joined(separator: ","))]},"#
  }

  /// The files that cost most, each at the most rules with which it has a page, and links that cost
  /// most for them.
  private static let worst: [(name: String, most: Int, file: @Sendable (Int) -> String)] = [
    ("rules", 1_000, { file(rules($0) { #"{"/":"/*\#($0)z"}"# }) }),
    ("long pattern", 700, { file(#"{"/":"*\#(String(repeating: "a", count: $0))z"}"#) }),
    ("stars", 400, { file(#"{"/":"/\#(String(repeating: "*a", count: $0))*z"}"#) }),
    ("values", 676, { file(#"{"/":"*$(x)*z"}"#, variables: values($0)) }),
    ("languages at one place", 40, { file(rules($0) { #"{"/":"/$(lang)/\#($0)*z"}"# }) }),
    ("languages", 20, { file(rules($0) { #"{"/":"*$(lang)*\#($0)z"}"# }) }),
    ("items", 200, { file(#"{"?":{\#(rules($0) { #""k\#($0)":"*a*a*z""# })}}"#) }),
    (
      "decoded", 20,
      {
        file(
          rules($0) {
            #"{"/":"*\#(String(repeating: "a", count: 70))\#($0)z","percentEncoded":false}"#
          })
      }
    ),
  ]

  private static func links(_ length: Int) -> [String] {
    func link(_ start: String, _ part: String) -> [UInt8] {
      let text = "https://host" + start
      return Array((text + String(repeating: part, count: length)).utf8.prefix(length))
    }
    return [
      link("/", "a"), link("/en/1", "z1"), link("/", "ab"), link("/", "%61"), link("/x?", "a&"),
      link("/x?", "k1=a&"),
    ].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Seventy nanoseconds for each rule, sixty for each byte of the link, and three more for each byte
  /// and short pattern, as an optimized build took them: 200 µs in all, and no byte more would fit.
  @Test(arguments: [1, 10, 100, 400])
  func `the longest link that is compared takes 200 µs by the reckoned cost`(count: Int) {
    let match = Self.match(Self.file(Self.rules(count) { #"{"/":"/path\#($0)/*"}"# }))
    func cost(_ bytes: Int) -> Int { count * 70 + bytes * (60 + 3 * count) }
    #expect(match.opensApp != nil && match.longestLink >= 128)
    #expect(cost(match.longestLink) <= 200_000 && cost(match.longestLink + 1) > 200_000)
  }

  @Test func `one decision has a limit of time, with the worst file that has a page`()
    throws
  {
    // What is allowed is not the 200 µs, which are reckoned above: a debug build takes up to
    // a thousand times as long, and so may one with AddressSanitizer beside other work. This finds
    // a form of file whose cost grows faster than it is reckoned.
    let allowance = Duration.milliseconds(200)
    for (name, most, file) in Self.worst {
      // The largest of this form that still has a page.
      var (low, high) = (1, most)
      while low < high {
        let middle = (low + high + 1) / 2
        if Self.match(file(middle)).opensApp == nil { high = middle - 1 } else { low = middle }
      }
      let match = Self.match(file(low))
      let opensApp = try #require(match.opensApp, "\(name)")
      for link in Self.links(match.longestLink) {
        let bytes = Array(link.utf8)
        // The shortest of several, because others use the processor too.
        let time = (0..<5).map { _ in
          ContinuousClock().measure { _ = opensApp(bytes) }
        }.min()
        #expect(try #require(time) < allowance, "\(name), \(low): \(link.prefix(40))")
      }
    }
  }

  @Test func `a longer link than can be compared in that time gets no page`() throws {
    let match = Self.match(Self.file(#"{"/":"/buy/*"}"#))
    let opensApp = try #require(match.opensApp)
    let start = "https://host/buy/"
    func link(_ count: Int) -> [UInt8] {
      Array((start + String(repeating: "x", count: count - start.utf8.count)).utf8)
    }
    #expect(match.longestLink > 2_000)
    #expect(opensApp(link(match.longestLink)) && !opensApp(link(match.longestLink + 1)))
  }

  @Test(arguments: [
    ("/path", 400, true), ("/path", 600, false), ("/path", 2_000, false), ("/$(lang)/x", 12, true),
    ("/$(lang)/x", 60, false),
  ])
  func `usual files have a page, and those with hundreds of rules have none`(
    start: String, count: Int, hasPage: Bool
  ) {
    let match = Self.match(Self.file(Self.rules(count) { #"{"/":"\#(start)\#($0)/*"}"# }))
    #expect((match.opensApp != nil) == hasPage)
    #expect((match.fault?.code == "H047") == !hasPage)
  }
}
