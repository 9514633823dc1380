import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa diff`.
@Suite(.manyAtOnce) struct DiffTests {
  private let workspace: Workspace
  private static let old = shopFile(components: #"[{"/":"/buy/*"},{"/":"/help/*"}]"#)

  init() throws {
    workspace = try Workspace()
    try workspace.write("old.json", Self.old)
  }

  @Test(arguments: [
    // the same bytes
    old,
    // white space, order of keys, comments
    """
    { "x": [1],
      "applinks": { "apps": [], "details": [
        {"components": [{"comment": "the shop", "/": "/buy/*"}, {"/": "/help/*"}],
         "appIDs": ["K27TX9P4QD.org.swift.shop"]}]}
    }
    """,
    // the form of before iOS 13, as an array and as a dictionary
    shopFile(paths: #"["/buy/*", "/help/*"]"#),
    #"{"applinks":{"details":{"K27TX9P4QD.org.swift.shop":{"paths":["buy/*","/help/*/"]}}}}"#,
    // a rule that an earlier one covers
    shopFile(components: #"[{"/":"/buy/*"},{"/":"/buy/a"},{"/":"/help/*"}]"#),
  ])
  func `files that mean the same are the same`(new: String) throws {
    try workspace.write("new.json", new)
    for flags in [[], ["--json"]] {
      let same =
        flags.isEmpty
        ? "the files mean the same for users\n" : #"{"same":true,"differences":[]}"# + "\n"
      try workspace.aasa(["diff", "old.json", "new.json"] + flags)
        .says(.whole(same), exit: 0, errors: .nothing)
    }
  }

  @Test func `lists for Android are compared by statements and dynamic rules`() throws {
    let rules = #"[{"/": "/buy/internal/*", "exclude": true}, {"/": "/buy/*"}]"#
    try workspace.write("before.json", statements("org.swift.shop", rules))
    try workspace.write(
      "same.json",
      "\n" + statements("org.swift.shop", rules.replacingOccurrences(of: "{\"/\"", with: "{ \"/\""))
    )
    try workspace.aasa("diff", "before.json", "same.json")
      .says(.whole("the files mean the same for users\n"), exit: 0)

    try workspace.write(
      "after.json", statements("org.swift.shop", #"[{"/": "/buy/*"}, {"/": "/sell/?*"}]"#))
    try workspace.aasa("diff", "before.json", "after.json", "--domain", "example.com").says(
      .whole(
        """
        org.swift.shop: browser → opens, for example https://example.com/sell/x
        org.swift.shop: blocked → opens, for example https://example.com/buy/internal/

        """), exit: 1)
    try workspace.aasa("diff", "before.json", "after.json", "--fail-on", "error").says(exit: 0)
    try workspace.aasa("diff", "after.json", "before.json", "--json").says(
      .start(
        #"{"same":false,"differences":[{"kind":"decision","service":"android","#
          + #""app":"org.swift.shop","old":"opens","new":"browser","example":"/sell/x"}"#), exit: 1)

    try workspace.write("other.json", statements("org.swift.other", nil))
    try workspace.aasa("diff", "before.json", "other.json", "--format", "markdown").says(
      "| ❌ `gone: delegate_permission/",
      "| ➕ `new: delegate_permission/common.handle_all_urls org.swift.other", exit: 1)
    try workspace.aasa("diff", "before.json", "old.json").says(
      exit: 2,
      errors: .whole(
        "error: before.json is a list of statements, but old.json is not; give two files of the "
          + "same kind\n"))
  }

  @Test func `dynamic rules that differ without an example are said to`() throws {
    try workspace.write("before.json", statements("org.swift.shop", #"[{"/": "/buy/*"}]"#))
    try workspace.write(
      "after.json", statements("org.swift.shop", #"[{"/": "/buy/*"}, {"/": "/buy/*"}]"#))
    try workspace.aasa("diff", "before.json", "after.json").says(
      .whole(
        "org.swift.shop: changed dynamic rules, but aasa found no link with a changed decision\n"),
      exit: 1)
  }

  @Test func `each difference has a URL, and the rules that decide it`() throws {
    try workspace.write(
      "new.json", shopFile(components: #"[{"/":"/buy/secret","exclude":true},{"/":"/buy/*"}]"#))
    try workspace.aasa("diff", "old.json", "new.json").says(
      .whole(
        """
        \(shop): opens → browser, for example /help
          old: old.json:1:94: {"/":"/help/*"}
          new: no rule
        \(shop): opens → blocked, for example /buy/secret
          old: old.json:1:79: {"/":"/buy/*"}
          new: new.json:1:79: {"/":"/buy/secret","exclude":true}

        """), exit: 1, errors: .nothing)

    let json = try workspace.aasa(
      "diff", "old.json", "new.json", "--json", "--domain", "example.com"
    ).says(exit: 1, errors: .nothing)
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
    #expect(!report.same)
    #expect(
      report.differences == [
        Change(old: "opens", new: "browser", example: "https://example.com/help"),
        Change(old: "opens", new: "blocked", example: "https://example.com/buy/secret"),
      ])
    // The files decide about the examples as the report says.
    for change in report.differences {
      for (file, outcome) in [("old.json", change.old), ("new.json", change.new)] {
        let match = try workspace.aasa("match", file, change.example)
        match.text.says(.part(outcome))
      }
    }
  }

  @Test func `a table for a pull request has the same, and no text becomes markup`() throws {
    try workspace.write(
      "new.json", shopFile(components: #"[{"/":"/a|b","exclude":true},{"/":"/buy/*"}]"#))
    try workspace.aasa(
      "diff", "old.json", "new.json", "--format", "markdown", "--domain", "example.com"
    ).says(
      .whole(
        """
        | app | change | for example | old rule | new rule |
        |---|---|---|---|---|
        | `\(shop)` | ❌ opens → browser | `https://example.com/help` | line 1: `{"/":"/help/*"}` | none |

        """), exit: 1, errors: .nothing)
    try workspace.aasa("diff", "old.json", "old.json", "--format", "markdown")
      .says(.whole("The files mean the same for users.\n"), exit: 0)
    try workspace.aasa("diff", "old.json", "new.json", "--format", "markdown", "--json")
      .says(exit: 2, errors: "give --json or --format markdown, not both")
  }

  private struct Report: Decodable {
    let same: Bool
    let differences: [Change]
  }

  private struct Change: Decodable, Equatable {
    let old: String
    let new: String
    let example: String
  }

  @Test func `one of the files may be the standard input`() throws {
    for arguments in [["-", "old.json"], ["old.json", "-"]] {
      try workspace.aasa(["diff"] + arguments, input: Self.old).says(exit: 0)
    }
    try workspace.aasa("diff", "-", "old.json", input: "{}")
      .says(.start("\(shop): new in applinks"), exit: 1)
    try workspace.aasa("diff", "-", "-", input: "{}")
      .says(.nothing, exit: 2, errors: "standard input")
  }

  @Test func `a file that cannot be read is 2`() throws {
    try workspace.write("bad.json", #"{"applinks": {},}"#)
    for (arguments, words) in [
      (["old.json", "absent.json"], "absent.json"), (["bad.json", "old.json"], "bad.json:1:16"),
      (["old.json", "."], "Is a directory"), (["old.json"], "Missing expected argument"),
    ] {
      try workspace.aasa(["diff"] + arguments).says(.nothing, exit: 2, errors: .part(words))
    }
  }
}
