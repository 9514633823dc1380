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
    let there = try workspace.aasa(
      "convert", "paths.json", "--to", "components", "-o", "components.json")
    #expect(there.exitCode == 0 && there.output.isEmpty && there.errors.isEmpty)
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
    let back = try workspace.aasa("convert", "components.json", "--to", "paths", "--minify")
    #expect(back.exitCode == 0)
    #expect(back.text == Self.paths.replacingOccurrences(of: "\", \"", with: "\",\"") + "\n")
    for file in ["components.json", "paths.json"] {
      #expect(try workspace.aasa("diff", "paths.json", file).exitCode == 0)
      #expect(try workspace.aasa("validate", "--strict", "--quiet", file).exitCode == 0)
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
    let small = try workspace.aasa("convert", "large.json", "--strip-comments", "--minify")
    #expect(small.exitCode == 0 && small.errors.isEmpty)
    #expect(
      small.text
        == #"{"applinks":{"substitutionVariables":{"comment":["a b"]},"details":[{"appIDs":["\#(shop)"],"#
        + #""components":[{"/":"/$(comment)*","?":{"comment":"?*"}}]}]}}"# + "\n")
    let minified = try workspace.aasa("convert", "large.json", "--minify")
    #expect(minified.exitCode == 0 && minified.text.contains(#""_comment":"who to ask""#))
  }

  @Test func `a file that exists is replaced only by force`() throws {
    try workspace.write("out.json", "mine")
    let words = ["convert", "paths.json", "--minify", "-o", "out.json"]
    let refused = try workspace.aasa(words)
    #expect(refused.exitCode == 1 && refused.output.isEmpty)
    #expect(refused.errors == "error: out.json exists already; replace it with --force\n")
    #expect(try workspace.text("out.json") == "mine")
    #expect(try workspace.aasa(words + ["--force"]).exitCode == 0)
    #expect(try workspace.text("out.json").hasPrefix(#"{"applinks""#))
    // Its own input.
    let own = ["convert", "paths.json", "--to", "components", "-o", "paths.json"]
    #expect(try workspace.aasa(own).exitCode == 1)
    #expect(try workspace.text("paths.json") == Self.paths)
    #expect(try workspace.aasa(own + ["--force"]).exitCode == 0)
    #expect(try workspace.text("paths.json").contains("components"))
    #expect(try workspace.names() == ["certificates", "domains", "out.json", "paths.json"])
  }

  @Test(arguments: [
    // Rules that paths cannot express, and why.
    (#"[{"/":"/a","?":{"b":"1"}}]"#, "1:79: the rule asks for query items"),
    (##"[{"/":"/a"},{"#":"x"}]"##, "1:90: "),
    (
      #"[{"/":"/a","caseSensitive":false}]"#,
      " the result would not mean the same: /A opens \(shop), and with the result it stays"
    ),
  ])
  func `a rule that the form cannot express is reported, and nothing is written`(
    components: String, words: String
  ) throws {
    try workspace.write("site.json", shopFile(components: components))
    let refused = try workspace.aasa("convert", "site.json", "--to", "paths", "-o", "out.json")
    #expect(refused.exitCode == 1 && refused.output.isEmpty)
    #expect(refused.errors.hasPrefix("error: site.json:" + words), "\(refused.errors)")
    #expect(!workspace.exists("out.json"))
  }

  @Test func `wrong usage is 2`() throws {
    for (arguments, words) in [
      (["paths.json"], "--minify"), (["paths.json", "--to", "path"], "paths, both, assetlinks or"),
      (["paths.json", "--minify", "--force"], "--force needs -o"), ([], "Missing expected"),
    ] {
      let refused = try workspace.aasa(["convert"] + arguments)
      #expect(refused.exitCode == 2 && refused.errors.contains(words), "\(refused.errors)")
    }
  }
}
