import Diagnostics
import Testing

@testable import Development

/// Links to tap, made from the rules.
@Suite struct ExampleLinkTests {
  /// Components, and the links made of them.
  @Test(
    arguments: [
      (#"[{"/":"/buy/*"}]"#, ["/buy/1"]), (#"["/a"]"#, []), (#"[{"/":"/a?/b*c"}]"#, ["/a1/b1c"]),
      (#"[{"/":"*"}]"#, ["/"]), (#"[{}]"#, ["/"]),
      // Links that are excluded before are left out; for an app without any, one is searched for.
      (#"[{"/":"/a/1","exclude":true},{"/":"/a/*"}]"#, ["/a"]),
      (#"[{"/":"/a","exclude":true},{"/":"/a"},{"/":"/b"}]"#, ["/b"]),
      (#"[{"/":"/$(lang)/x"}]"#, ["/aa/x"]), (#"[{"/":"/a b"},{"/":"/ok"}]"#, ["/ok"]),
      (#"[{"?":{"n":"?*"}}]"#, ["/?n=a"]), (#"[{"/":"/a"},{"/":"/a"}]"#, ["/a"]),
      (#"[{"/":"/x","exclude":true}]"#, []),
    ] as [(String, [String])])
  func `each rule gives a link`(components: String, links: [String]) {
    let text =
      #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"components":\#(components)}]}}"#
    let found = Examination(SourceText(path: "x", bytes: Array(text.utf8)), now: 0)
    #expect(found.version?.examples.map(\.reference) ?? [] == links, "\(found.diagnostics)")
  }
}
