import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// A cure names the reader's own apps where the file has them.
@Suite struct OwnIdentifierTests {
  private static let own = "B1B2B3B4B5.com.acme.store"

  private func help(_ text: String, _ code: String) throws -> String {
    let report = validate(SourceText(path: "f", bytes: Array(text.utf8)))
    let found = try #require(
      report.diagnostics.first { $0.code == code }, "\(report.diagnostics.map(\.code))")
    return try #require(found.help)
  }

  private static func links(_ identifiers: String, _ rest: String = "") -> String {
    #"{"applinks":{"details":[{\#(identifiers),"components":[{"/":"/buy/*"}]}]}\#(rest)}"#
  }

  private static let passwords = #","webcredentials":{"apps":["\#(own)"]}"#

  private static let rows: [(code: String, file: String, cure: String)] = [
    ("A029", links(#""appIDs":"\#(own)""#), own),
    ("A030", links(#""appIDs":[]"#, passwords), own),
    ("A032", links(#""appIDs":["TEAMID.com.acme.shop"]"#, passwords), "B1B2B3B4B5.com.acme.shop"),
    ("A032", links(#""appIDs":["TEAMID.com.acme.shop"]"#), "K27TX9P4QD.com.acme.shop"),
    (
      "A032", links(#""appIDs":["$(AppIdentifierPrefix)com.acme.shop"]"#),
      "K27TX9P4QD.com.acme.shop"
    ),
    ("A032", links(#""appIDs":["$(TEAM).com.acme.shop"]"#), "K27TX9P4QD.com.acme.shop"),
    ("A032", links(#""appIDs":["B1B2B3B4B5.<bundle>"]"#), "B1B2B3B4B5.org.swift.shop"),
    ("A036", links(#""appIDs":["C1C2C3C4C5"]"#, passwords), "C1C2C3C4C5.com.acme.store"),
    ("A036", links(#""appIDs":["C1C2C3C4C5"]"#), "C1C2C3C4C5.org.swift.shop"),
    ("A036", links(#""appIDs":["store"]"#, passwords), own),
    ("A038", links(#""appIDs":["1234567890.com.acme.shop"]"#), "K27TX9P4QD.com.acme.shop"),
    ("A037", links(#""appIDs":["org.swift.shop"]"#), "K27TX9P4QD.org.swift.shop"),
    ("A040", links(#""appIDs":["B1B2B3B4B5.com.*"]"#, passwords), own),
    ("A046", links(#""appIDs":["applinks:example.com"]"#, passwords), own),
    (
      "A038", links(#""appIDs":["1234567890.com.acme.shop"]"#, passwords),
      "B1B2B3B4B5.com.acme.shop"
    ),
  ]

  @Test(arguments: rows.indices) func `a cure has the file's own identifier`(index: Int) throws {
    let (code, file, cure) = Self.rows[index]
    let help = try help(file, code)
    #expect(help.contains("`\(cure)`") || help.contains("\"\(cure)\""), "\(help)")
  }

  @Test(arguments: [
    ("com.acme.store", "K27TX9P4QD.com.acme.store"),
    ("B1B2B3B4B5.com.*", "B1B2B3B4B5.org.swift.shop"),
    ("B1B2B3B4.com.acme.store", "K27TX9P4QD.com.acme.store"),
  ])
  func `an app that cannot exist keeps what is good of it`(text: String, cure: String) throws {
    var options = ValidationOptions()
    // Without the causes, the rule has its own cure.
    options.ignored = ["A037", "A040", "A041"]
    let file = Self.links(#""appIDs":["\#(text)"]"#)
    let report = validate(SourceText(path: "f", bytes: Array(file.utf8)), options: options)
    let found = try #require(report.diagnostics.first { $0.code == "A160" })
    #expect(found.help?.contains("`\(cure)`") == true, "\(found.help ?? "")")
  }
}
