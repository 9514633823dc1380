import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// `*` accepts the absent parts of a URL.
@Suite struct AbsentItemTests {
  private static func diagnostics(_ components: String) -> [Diagnostic] {
    let text = ValidationTests.components(components)
    return validate(SourceText(path: "f", bytes: Array(text.utf8))).diagnostics
  }

  @Test(
    arguments: [
      (#"{"/":"/a","?":{"q":"*"}}"#, ["A113"]), (#"{"/":"/a","?":"*"}"#, ["A113"]),
      (##"{"/":"/a","#":"*"}"##, ["A113"]),
      (#"{"/":"/a","?":{"q":"?*","r":"1*"}}"#, []), (#"{"/":"/a","?":{"q":""}}"#, []),
      (#"{"/":"/a/*","?":{"q":"*"},"exclude":true},{"/":"/a/*"}"#, ["A112", "A080"]),
      (#"{"/":"/a/b","?":{"q":"*"},"exclude":true},{"/":"/a/*"}"#, ["A112"]),
      (#"{"/":"/a/b","?":{"q":"?*"},"exclude":true},{"/":"/a/*"}"#, []),
    ] as [(String, [String])])
  func `an item that may be absent is reported`(components: String, codes: [String]) {
    let found = Self.diagnostics(components).map(\.code)
    #expect(found.filter { $0 != "A160" && $0 != "A084" } == codes)
  }

  @Test func `advice names the asterisk, and obeying it opens the app`() throws {
    let wrong = #"{"?":{"web":"*"},"exclude":true},{"/":"/buy/*"}"#
    let advice = Self.diagnostics(wrong).filter { $0.code != "A160" }
    #expect(advice.contains { $0.code == "A084" })
    for diagnostic in advice {
      #expect(diagnostic.help?.contains("write `?*`") == true, "\(diagnostic)")
    }
    #expect(Self.diagnostics(wrong.replacing("\"*\"", with: "\"?*\"")) == [])
  }

  @Test(arguments: [
    ("/search", "query `q` is absent and treated as empty, which `*` accepts"),
    ("/search?q=", "query `q` is empty, which `*` accepts"),
    ("/search?q=x", "query `q` matched `*`"),
  ]) func `an explanation says that the item is absent`(url: String, sentence: String) throws {
    let text = ValidationTests.components(#"{"/":"/search","?":{"q":"*"}}"#)
    let trials = try AppleLinks(document(text)).trials(of: url, app: "K27TX9P4QD.org.swift.shop")
    #expect(trials.map(\.sentence) == ["path matched `/search`; " + sentence])
  }
}
