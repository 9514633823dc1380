import AppSiteAssociation
import Diagnostics
import Rules
import TestRunning
import Testing

@testable import DigitalAssetLinks

@Suite struct StatementDifferenceTests {
  private static func source(_ text: String) -> AssetLinksFile {
    AssetLinksFile(SourceText(path: "l", bytes: Array(text.utf8)))
  }

  private static func list(_ rules: String) -> AssetLinksFile {
    source(
      Example.dynamic(
        #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [\#(rules)]}"#
      ))
  }

  @Test func `white space, order and what no device reads make no difference`() {
    let other = Example.right.replacing("{", with: "{ \"comment\": 1, ")
    #expect(
      statementDifferences(old: Self.source(Example.right), new: Self.source(other)) == [])
    #expect(
      statementDifferences(
        old: Self.list(#"{"/": "/a", "?": {"x": "1", "y": "2"}, "exclude": false}"#),
        new: Self.list(#"{"comments": "a", "?": {"y": "2", "x": "1"}, "/": "/a"}"#)) == [])
  }

  @Test func `the letters of a fingerprint may be small`() {
    let small = Self.source(Example.with(fingerprint: Example.fingerprint.lowercased()))
    #expect(statementDifferences(old: Self.source(Example.right), new: small) == [])
    #expect(statementLines(of: small) == statementLines(of: Self.source(Example.right)))
  }

  @Test func `statements are new or gone`() throws {
    let other = Self.source(Example.right.replacing("org.swift.shop", with: "org.swift.other"))
    let found = try #require(
      statementDifferences(old: Self.source(Example.right), new: other))
    #expect(found.map(\.kind.code) == ["D002", "D001"])
    #expect(found.map(\.kind.severity) == [.error, .note])
    let include = Self.source(Example.list(#""include": "https://example.com/links.json""#))
    #expect(
      statementDifferences(old: Self.source("[]"), new: include)
        == [Difference(.appAdded, service: nil, app: "include https://example.com/links.json")])
  }

  @Test(arguments: [
    (#"{"/": "/a"}"#, #"{"/": "/b"}"#, ["/a opens browser", "/b browser opens"]),
    (#"{"/": "/a*"}"#, #"{"/": "/a?*"}"#, ["/a opens browser"]),
    (#"{"/": "/a"}"#, #"{"/": "/a", "?": {"x": "?*"}}"#, ["/a opens browser"]),
    (
      #"{"/": "/a", "?": {"x": "1"}}"#, #"{"/": "/b"}"#,
      ["/b browser opens", "/a?x=1 opens browser"]
    ),
    (##"{"/": "/a", "#": "f"}"##, #"{"/": "/b"}"#, ["/b browser opens", "/a#f opens browser"]),
    (#"{"/": "/a b"}"#, #"{"/": "/a b", "exclude": true}"#, ["/a%20b opens blocked"]),
    (#"{"/": "/ä*c"}"#, #"{"/": "/b"}"#, ["/b browser opens", "/%C3%A4c opens browser"]),
  ])
  func `links that are decided otherwise have an example`(
    old: String, new: String, changes: [String]
  ) throws {
    let found = try #require(statementDifferences(old: Self.list(old), new: Self.list(new)))
    let words = found.map { difference in
      difference.change.map { "\($0.example) \($0.old.rawValue) \($0.new.rawValue)" }
        ?? difference.kind.code
    }
    #expect(words == changes)
  }

  @Test(arguments: [
    (#"{"/": "/a"}"#, #"{"/": "/"}"#, ["D004", "D003"]),
    (#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}"#, ["D004"]),
    (#"{"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a"}"#, ["D003"]),
    (#"{"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a", "exclude": true}"#, ["D005"]),
  ])
  func `the code says whether a link is lost, or new, or stays in the browser`(
    old: String, new: String, codes: [String]
  ) throws {
    let found = try #require(statementDifferences(old: Self.list(old), new: Self.list(new)))
    #expect(Set(found.map(\.kind.code)) == Set(codes))
  }

  @Test func `rules that come or go are compared with the manifest's own scope`() throws {
    let found = try #require(
      statementDifferences(old: Self.source(Example.right), new: Self.list(#"{"/": "/a"}"#)))
    #expect(
      found == [
        Difference(
          .linksLost, service: "android", app: "org.swift.shop",
          change: DecisionChange(old: .opens, new: .browser, example: "/"))
      ])
  }

  @Test func `what is no list is not compared`() {
    #expect(statementDifferences(old: Self.source("{}"), new: Self.source("[]")) == nil)
    #expect(statementDifferences(old: Self.source("[]"), new: Self.source("[")) == nil)
  }

  @Test func `ten thousand rules are compared in a moment`() throws {
    let rules = (0..<10_000).map { #"{"/": "/a\#($0)/*"}"# }
    let new = rules.dropLast() + [#"{"/": "/b/*"}"#]
    let time = try processorTime {
      let found = try #require(
        statementDifferences(
          old: Self.list(rules.joined(separator: ",")), new: Self.list(new.joined(separator: ","))))
      #expect(!found.isEmpty)
    }
    #expect(time < .seconds(120))
  }
}
