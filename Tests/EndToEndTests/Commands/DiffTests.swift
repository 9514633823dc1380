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
      let same = try workspace.aasa(["diff", "old.json", "new.json"] + flags)
      #expect(same.exitCode == 0 && same.errors.isEmpty)
      #expect(
        same.text
          == (flags.isEmpty
            ? "the files mean the same for users\n" : #"{"same":true,"differences":[]}"# + "\n"))
    }
  }

  @Test func `lists for Android are compared by statements and dynamic rules`() throws {
    let rules = #"[{"/": "/buy/internal/*", "exclude": true}, {"/": "/buy/*"}]"#
    try workspace.write("before.json", statements("org.swift.shop", rules))
    try workspace.write(
      "same.json",
      "\n" + statements("org.swift.shop", rules.replacingOccurrences(of: "{\"/\"", with: "{ \"/\""))
    )
    let same = try workspace.aasa("diff", "before.json", "same.json")
    #expect(same.exitCode == 0 && same.text == "the files mean the same for users\n")

    try workspace.write(
      "after.json", statements("org.swift.shop", #"[{"/": "/buy/*"}, {"/": "/sell/?*"}]"#))
    let text = try workspace.aasa("diff", "before.json", "after.json", "--domain", "example.com")
    #expect(text.exitCode == 1)
    #expect(
      text.text == """
        org.swift.shop: browser → opens, for example https://example.com/sell/x
        org.swift.shop: blocked → opens, for example https://example.com/buy/internal/

        """, "\(text.text)")
    let gains = try workspace.aasa("diff", "before.json", "after.json", "--fail-on", "error")
    #expect(gains.exitCode == 0)
    let back = try workspace.aasa("diff", "after.json", "before.json", "--json")
    #expect(back.exitCode == 1)
    #expect(
      back.text.hasPrefix(
        #"{"same":false,"differences":[{"kind":"decision","service":"android","#
          + #""app":"org.swift.shop","old":"opens","new":"browser","example":"/sell/x"}"#),
      "\(back.text)")

    try workspace.write("other.json", statements("org.swift.other", nil))
    let gone = try workspace.aasa("diff", "before.json", "other.json", "--format", "markdown")
    #expect(gone.exitCode == 1 && gone.text.contains("| ❌ `gone: delegate_permission/"))
    #expect(
      gone.text.contains("| ➕ `new: delegate_permission/common.handle_all_urls org.swift.other"))
    let mixed = try workspace.aasa("diff", "before.json", "old.json")
    #expect(mixed.exitCode == 2)
    #expect(mixed.errors == "error: old.json is not a list of statements, as before.json is\n")
  }

  @Test func `dynamic rules that differ without an example are said to`() throws {
    try workspace.write("before.json", statements("org.swift.shop", #"[{"/": "/buy/*"}]"#))
    try workspace.write(
      "after.json", statements("org.swift.shop", #"[{"/": "/buy/*"}, {"/": "/buy/*"}]"#))
    let run = try workspace.aasa("diff", "before.json", "after.json")
    #expect(
      run.text
        == "org.swift.shop: other dynamic rules, and no link was found that they decide otherwise\n"
    )
    #expect(run.exitCode == 1)
  }

  @Test func `each difference has a URL, and the rules that decide it`() throws {
    try workspace.write(
      "new.json", shopFile(components: #"[{"/":"/buy/secret","exclude":true},{"/":"/buy/*"}]"#))
    let text = try workspace.aasa("diff", "old.json", "new.json")
    #expect(text.exitCode == 1 && text.errors.isEmpty)
    #expect(
      text.text == """
        \(shop): opens → browser, for example /help
          old: old.json:1:94: {"/":"/help/*"}
          new: no rule
        \(shop): opens → blocked, for example /buy/secret
          old: old.json:1:79: {"/":"/buy/*"}
          new: new.json:1:79: {"/":"/buy/secret","exclude":true}

        """)

    let json = try workspace.aasa(
      "diff", "old.json", "new.json", "--json", "--domain", "example.com")
    #expect(json.exitCode == 1 && json.errors.isEmpty)
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
        #expect(match.text.contains(outcome), "\(match.text)")
      }
    }
  }

  @Test func `a table for a pull request has the same, and no text becomes markup`() throws {
    try workspace.write(
      "new.json", shopFile(components: #"[{"/":"/a|b","exclude":true},{"/":"/buy/*"}]"#))
    let table = try workspace.aasa(
      "diff", "old.json", "new.json", "--format", "markdown", "--domain", "example.com")
    #expect(table.exitCode == 1 && table.errors.isEmpty)
    #expect(
      table.text == """
        | app | change | for example | old rule | new rule |
        |---|---|---|---|---|
        | `\(shop)` | ❌ opens → browser | `https://example.com/help` | line 1: `{"/":"/help/*"}` | none |

        """)
    let same = try workspace.aasa("diff", "old.json", "old.json", "--format", "markdown")
    #expect(same.exitCode == 0 && same.text == "The files mean the same for users.\n")
    let both = try workspace.aasa("diff", "old.json", "new.json", "--format", "markdown", "--json")
    #expect(both.exitCode == 2 && both.errors.contains("exclude each other"))
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
      let same = try workspace.aasa(["diff"] + arguments, input: Self.old)
      #expect(same.exitCode == 0)
    }
    let added = try workspace.aasa("diff", "-", "old.json", input: "{}")
    #expect(added.exitCode == 1 && added.text.hasPrefix("\(shop): new in applinks"))
    let both = try workspace.aasa("diff", "-", "-", input: "{}")
    #expect(both.exitCode == 2 && both.output.isEmpty && both.errors.contains("standard input"))
  }

  @Test func `a file that cannot be read is 2`() throws {
    try workspace.write("bad.json", #"{"applinks": {},}"#)
    for (arguments, words) in [
      (["old.json", "absent.json"], "absent.json"), (["bad.json", "old.json"], "bad.json:1:16"),
      (["old.json", "."], "Is a directory"), (["old.json"], "Missing expected argument"),
    ] {
      let failed = try workspace.aasa(["diff"] + arguments)
      #expect(failed.exitCode == 2 && failed.output.isEmpty)
      #expect(failed.errors.contains(words), "\(failed.errors)")
    }
  }
}
