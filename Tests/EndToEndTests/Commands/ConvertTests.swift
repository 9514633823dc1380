import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa convert`.
@Suite(.manyAtOnce) struct ConvertTests {
  private let workspace: Workspace
  private static let paths = shopFile(paths: #"["NOT /buy/secret", "/buy/*", "/help/?"]"#)

  init() throws {
    workspace = try Workspace()
    try workspace.write("paths.json", Self.paths)
  }

  @Test func `paths become components, and paths again`() throws {
    try workspace.aasa("convert", "paths.json", "--to", "components", "-o", "components.json")
      .says(.nothing, exit: 0, errors: .nothing)
    #expect(
      try workspace.text("components.json") == """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["\(shop)"],
                "components": [
                  { "/": "/buy/secret", "exclude": true },
                  { "/": "/buy/*" },
                  { "/": "/help/?" }
                ]
              }
            ]
          }
        }

        """)
    let back = Self.paths.replacingOccurrences(of: "\", \"", with: "\",\"") + "\n"
    try workspace.aasa("convert", "components.json", "--to", "paths", "--minify")
      .says(.whole(back), exit: 0)
    for file in ["components.json", "paths.json"] {
      try workspace.aasa("diff", "paths.json", file).says(exit: 0)
      try workspace.aasa("validate", "--strict", "--quiet", file).says(exit: 0)
    }
  }

  @Test func `comments and white space are left out, and nothing else`() throws {
    try workspace.write(
      "large.json",
      """
      { "_comment": "who to ask",
        "applinks": { "substitutionVariables": { "comment": [ "a b" ] }, "details": [
          { "appIDs": ["\(shop)"], "comment": 1,
            "components": [ { "/": "/$(comment)*", "?": { "comment": "?*" }, "comment": "x" } ] } ] } }
      """)
    let small =
      #"{"applinks":{"substitutionVariables":{"comment":["a b"]},"details":[{"appIDs":["\#(shop)"],"#
      + #""components":[{"/":"/$(comment)*","?":{"comment":"?*"}}]}]}}"# + "\n"
    try workspace.aasa("convert", "large.json", "--strip-comments", "--minify")
      .says(.whole(small), exit: 0, errors: .nothing)
    try workspace.aasa("convert", "large.json", "--minify")
      .says(#""_comment":"who to ask""#, exit: 0)
  }

  @Test func `a file that exists is replaced only by force`() throws {
    try workspace.write("out.json", "mine")
    let words = ["convert", "paths.json", "--minify", "-o", "out.json"]
    try workspace.aasa(words).says(
      .nothing, exit: 1,
      errors: .whole("error: out.json exists already; to replace the file, add --force\n"))
    #expect(try workspace.text("out.json") == "mine")
    try workspace.aasa(words + ["--force"]).says(exit: 0)
    #expect(try workspace.text("out.json").hasPrefix(#"{"applinks""#))
    // Its own input.
    let own = ["convert", "paths.json", "--to", "components", "-o", "paths.json"]
    try workspace.aasa(own).says(exit: 1)
    #expect(try workspace.text("paths.json") == Self.paths)
    try workspace.aasa(own + ["--force"]).says(exit: 0)
    #expect(try workspace.text("paths.json").contains("components"))
    #expect(try workspace.names() == ["certificates", "domains", "out.json", "paths.json"])
  }

  @Test(arguments: [
    // Rules that paths cannot express, and why.
    (#"[{"/":"/a","?":{"b":"1"}}]"#, "1:79: the rule tests query items"),
    (##"[{"/":"/a"},{"#":"x"}]"##, "1:90: "),
    (
      #"[{"/":"/a","caseSensitive":false}]"#,
      " the result would not mean the same: /A opens \(shop) now, but stays"
    ),
  ])
  func `a rule that the form cannot express is reported, and nothing is written`(
    components: String, words: String
  ) throws {
    try workspace.write("site.json", shopFile(components: components))
    try workspace.aasa("convert", "site.json", "--to", "paths", "-o", "out.json")
      .says(.nothing, exit: 1, errors: .start("error: site.json:" + words))
    #expect(!workspace.exists("out.json"))
  }

  @Test func `wrong usage of convert is 2`() throws {
    for (arguments, words) in [
      (["paths.json"], "--minify"), (["paths.json", "--to", "path"], "did you mean paths?"),
      (["paths.json", "--to", "json"], "paths, both, assetlinks or"), ([], "Missing expected"),
    ] {
      try workspace.aasa(["convert"] + arguments).says(exit: 2, errors: .part(words))
    }
  }
}
