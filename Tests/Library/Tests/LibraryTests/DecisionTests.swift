import AppSiteAssociation
import Foundation
import Testing

/// What a package that only sees the public part of the library can rely on.
@Suite struct DecisionTests {
  /// Recorded runs of Apple's own tool and examples of its documentation, in which the host of the
  /// URL does not decide.
  static let cases: [(id: String, file: Data, url: String, app: String, expected: Decision)] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Corpus/matching-cases.json").standardized
    guard let data = try? Data(contentsOf: path),
      let cases = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    else { return [] }
    return cases.compactMap { one in
      guard let id = one["id"] as? String, let url = one["url"] as? String,
        let domain = one["domain"] as? String, let app = one["app"] as? String,
        let content = one["aasa"], let expected = one["expected"] as? String,
        let file = try? JSONSerialization.data(withJSONObject: content),
        URL(string: url)?.host()?.lowercased().hasSuffix(domain.lowercased()) ?? true
      else { return nil }
      let decision: Decision =
        switch expected {
        case "match": .opens
        case "block": .blocked
        default: .browser
        }
      return (id, file, url, app, decision)
    }
  }()

  @Test func `a hundred recorded decisions and more are as recorded`() throws {
    #expect(Self.cases.count >= 100)
    for one in Self.cases {
      let file = try AssociationFile(one.file, name: one.id)
      #expect(file.decision(for: one.url, app: one.app) == one.expected, "\(one.id)")
      #expect(file.explanation(for: one.url, app: one.app).decision == one.expected, "\(one.id)")
    }
  }

  static let text = """
    {"applinks": {"details": [
      {"appIDs": ["ABCDE12345.com.example.other"], "components": [{"/": "*", "exclude": true}]},
      {"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/buy/*"}]}
    ]}}
    """

  @Test(arguments: [
    ("https://example.com/buy/42", "ABCDE12345.com.example.app", Decision.opens),
    ("https://elsewhere.example/buy/42", "ABCDE12345.com.example.app", .opens),
    ("https://example.com/help", "ABCDE12345.com.example.app", .browser),
    ("https://example.com/buy/42", "ABCDE12345.com.example.other", .blocked),
    ("https://example.com/buy/42", "ABCDE12345.com.example.third", .browser),
    ("not a URL", "ABCDE12345.com.example.app", .browser), ("", "", .browser),
  ])
  func `only the entry of the app and the link count`(url: String, app: String, expected: Decision)
    throws
  {
    let file = try AssociationFile(Self.text.utf8, name: "file")
    #expect(file.decision(for: url, app: app) == expected)
    #expect(!file.explanation(for: url, app: app).reason.isEmpty)
  }

  @Test func `an explanation names entry, rule and place`() throws {
    let file = try AssociationFile(Self.text.utf8, name: "file")
    let why = file.explanation(
      for: "https://example.com/buy/42", app: "ABCDE12345.com.example.app")
    #expect(why.reason == "path matched `/buy/*`")
    #expect(why.entry == 1)
    #expect(why.rule == #"{"/": "/buy/*"}"#)
    #expect(why.line == 3)
    let other = file.explanation(for: "https://example.com/help", app: "ABCDE12345.com.example.app")
    #expect(other.reason == "the only rule does not match")
    #expect(other.entry == 1)
    #expect(other.rule == nil)
  }

  @Test func `a finding has a code, a place and help`() throws {
    let file = try AssociationFile(
      #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.org.swift.shop"]}]}, "webcredential": 1}"#
        .utf8,
      name: "file")
    let finding = try #require(file.validate().warnings.first { $0.code == "A011" })
    #expect(finding.line == 1)
    #expect(finding.column == 72)
    #expect(finding.help != nil)
    let empty = try AssociationFile("{}".utf8, name: "file")
    #expect(empty.validate().errors.map(\.code) == ["A010"])
  }

  @Test func `a file that cannot be read says where`() {
    #expect(
      throws: AssociationFileError.unreadable(
        message: "a comma follows the last member of the object", line: 2, column: 15)
    ) {
      try AssociationFile("{\n\"applinks\": {},\n}".utf8, name: "file")
    }
    #expect(throws: AssociationFileError.self) { try AssociationFile("[]".utf8, name: "file") }
    #expect(throws: AssociationFileError.self) { try AssociationFile([], name: "file") }
    // The beginning of a signed file: CMS in DER.
    let signed: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x00,
    ]
    #expect(throws: AssociationFileError.signed) { try AssociationFile(signed, name: "file") }
  }

  @Test func `patterns too large to match are an error`() {
    let values = (0..<2_000).map { "\"value\($0)\"" }.joined(separator: ",")
    let rules = (0..<900).map { #"{"/":"/\#($0)/$(v)"}"# }.joined(separator: ",")
    let text =
      #"{"applinks":{"details":[{"appIDs":["ABCDE12345.org.swift.shop"],"components":[\#(rules)]}]"#
      + #","substitutionVariables":{"v":[\#(values)]}}}"#
    #expect(throws: AssociationFileError.patternsTooLarge) {
      try AssociationFile(text.utf8, name: "file")
    }
  }

  @Test func `files that decide alike do not differ`() throws {
    let old = try AssociationFile(Self.text.utf8, name: "old")
    let new = try AssociationFile(
      Self.text.replacingOccurrences(of: "/buy/*", with: "/shop/*").utf8, name: "new")
    #expect(old.differences(from: old).isEmpty)
    #expect(Set(new.differences(from: old).map(\.code)) == ["D003", "D004"])
    let app = "ABCDE12345.com.example.app"
    for example in new.differences(from: old).compactMap(\.example) {
      let url = "https://example.com" + example
      #expect(old.decision(for: url, app: app) != new.decision(for: url, app: app), "\(url)")
    }
  }
}
