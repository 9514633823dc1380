import AppSiteAssociation
import Diagnostics
import Testing

@testable import DigitalAssetLinks

/// Links that open on one platform only.
@Suite struct PlatformAgreementTests {
  /// - Parameter other: A list whose statements follow.
  private func notes(
    _ components: String, _ rules: String?, beside other: String = "[]", budget: Int = 1_000_000
  ) -> [String] {
    let association =
      #"{"applinks": {"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": "#
      + components + "}]}}"
    let links =
      rules.map {
        Example.dynamic(
          #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#($0)}"#)
      } ?? Example.right
    let more = other.dropFirst().dropLast()
    let all = more.isEmpty ? links : links.dropLast() + "," + more + "]"
    let agreement = PlatformAgreement(
      association: AssociationFile(SourceText(path: "a", bytes: Array(association.utf8))),
      assetLinks: AssetLinksFile(SourceText(path: "l", bytes: Array(all.utf8))),
      budget: Budget(operations: budget))
    return agreement?.notes.map { "\($0.code) \($0.message)" } ?? []
  }

  @Test func `the same rules agree`() {
    #expect(notes(#"[{"/": "/buy/*"}]"#, #"[{"/": "/buy/*"}]"#) == [])
    #expect(
      notes(
        #"[{"/": "/buy/x", "exclude": true}, {"/": "/buy/*"}]"#,
        #"[{"/": "/buy/x", "exclude": true}, {"/": "/buy/*"}]"#) == [])
  }

  @Test func `each side has an example`() {
    #expect(
      notes(#"[{"/": "/a"}, {"/": "/buy/1"}]"#, #"[{"/": "/sell/?*", "?": {"id": "1"}}]"#) == [
        "D180 `/a` opens an app on iOS only, and so does a link that another rule opens",
        "D181 `/sell/x?id=1` opens an app on Android only",
      ])
  }

  /// Each example costs the rules that it is compared with, and one.
  @Test func `of too many rules only a part is compared`() {
    func android(_ budget: Int) -> [String] {
      notes(
        #"[{"/": "/buy/*"}]"#, #"[{"/": "/a"}, {"/": "/b"}, {"/": "/c"}, {"/": "/d"}]"#,
        budget: budget
      ).filter { $0.hasPrefix("D181") }
    }
    #expect(android(5) == [])
    #expect(android(11) == ["D181 `/a` opens an app on Android only"])
    #expect(android(12).first?.hasSuffix("and so does a link that another rule opens") == true)
    #expect(android(24).first?.hasSuffix("and so do links that 3 other rules open") == true)

    func apple(_ budget: Int) -> [String] {
      notes(#"[{"/": "/a"}, {"/": "/b"}]"#, #"[{"/": "/buy/*"}]"#, budget: budget)
        .filter { $0.hasPrefix("D180") }
    }
    #expect(apple(3) == [])
    #expect(apple(4) == ["D180 `/a` opens an app on iOS only"])
    #expect(apple(1_000).first?.hasSuffix("and so does a link that another rule opens") == true)
  }

  @Test func `nothing is said of apps whose manifest decides`() {
    #expect(notes(#"[{"/": "/buy/*"}]"#, nil) == [])
    #expect(notes(#"[{"/": "/buy/*"}]"#, "[]") == [])
    let other = Example.right.replacing("org.swift.shop", with: "org.swift.other")
    #expect(notes(#"[{"/": "/buy/*"}]"#, #"[{"/": "/sell/*"}]"#, beside: other) == [])
  }
}
