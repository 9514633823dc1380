import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Completions for the shell, and pages for man(1).
@Suite("manual and completions", .manyAtOnce) struct ManualTests {
  /// The commands that the overview lists.
  static let commands = listed(in: ["--help"])

  private static func listed(in arguments: [String]) -> [String] {
    ((try? run(Server.program, arguments).text) ?? "")
      .matches(of: /\n  ([a-z]+) {2}/).map { String($0.output.1) }
  }

  /// The script for each shell. Writing one takes a debug build two seconds.
  private static let completions = Dictionary(
    uniqueKeysWithValues: ["bash", "zsh", "fish"].map { shell in
      (shell, (try? run(Server.program, ["--generate-completion-script", shell]).text) ?? "")
    })

  private func aasa(_ arguments: String...) throws -> String {
    let finished = try run(Server.program, arguments)
    try #require(finished.exitCode == 0 && finished.errors == "", "\(arguments): \(finished)")
    return finished.text
  }

  @Test func `a page is written for the program and for each command`() throws {
    let workspace = try Workspace()
    let finished = try workspace.aasa("man", "--output", ".")
    #expect(finished.exitCode == 0 && finished.errors == "" && finished.text == "")
    let pages = try workspace.names().filter { $0.hasSuffix(".1") }
    let ofAcme = Self.listed(in: ["acme", "--help"])
    #expect(Self.commands.count > 20 && ofAcme.count > 5 && ofAcme.contains("status"))
    let names = Self.commands + ofAcme.map { "acme-\($0)" }
    #expect(Set(pages) == Set(names.map { "aasa-\($0).1" } + ["aasa.1"]))
    for page in pages {
      let text = try workspace.text(page)
      text.says(.start(".TH "))
      for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "SEE ALSO"] {
        #expect(text.contains("\n.SH \(section)\n"), "\(page) has no \(section)")
      }
    }
    // The same on standard output.
    try #expect(aasa("man", "serve") == workspace.text("aasa-serve.1"))
    try #expect(aasa("man") == workspace.text("aasa.1"))
    // Once more over those that are there.
    try #expect(workspace.aasa("man", "-o", ".").exitCode == 0)
  }

  @Test(.enabled(if: access("/usr/bin/groff", X_OK) == 0, "groff is not installed"))
  func `pages are typeset without a warning, and have the text of the help`() throws {
    let workspace = try Workspace()
    try #require(try workspace.aasa("man", "--output", ".").exitCode == 0)
    for page in try workspace.names() where page.hasSuffix(".1") {
      let finished = try run(
        "/usr/bin/groff", ["-k", "-man", "-ww", "-Tutf8", "-P-cbou", page], folder: workspace.root)
      #expect(finished.exitCode == 0 && finished.errors == "", "\(page): \(finished.errors)")
      if page == "aasa-serve.1" {
        let text = finished.text
        for words in [
          "--http ADDRESS:PORT", "AASA_LOG_FORMAT", "aasa serve [options]",
          "aasa serve --https '[::]:443' --https 192.0.2.1:8443",
        ] { #expect(text.contains(words), "\(words)") }
      }
    }
  }

  @Test(
    arguments: [
      // Arguments, exit code, message.
      (["man", "serv"], 2, "did you mean `serve`?"), (["man", "zzzzzzzzzz"], 2, "aasa --help"),
      (["man", "serve", "--output", "."], 2, "leave the command out"),
      (["man", "--output", "/nonexistent/folder"], 1, "cannot write into /nonexistent/folder"),
    ] as [([String], Int32, String)])
  func `a page that does not exist is reported`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let finished = try run(Server.program, arguments)
    #expect(finished.exitCode == code && finished.text == "")
    #expect(finished.errors.contains(words))
  }

  @Test(arguments: commands)
  func `the help of each command has examples that exist`(command: String) throws {
    let help = try aasa(command, "--help")
    let lines = help.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasSuffix("EXAMPLES:") })
    let examples = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
      .filter { $0.contains("aasa ") }
    #expect(!examples.isEmpty)
    for example in examples {
      // The last command of a pipe, up to a comment or a redirection.
      guard let range = example.range(of: "aasa ", options: .backwards) else { continue }
      let words = example[range.upperBound...].split(separator: " ").prefix {
        !["|", ">", "<", "#", "&&"].contains($0)
      }
      guard let used = words.first.map(String.init), Self.commands.contains(used) else { continue }
      let known = used == command ? help : try aasa(used, "--help")
      for flag in words where flag.hasPrefix("--") {
        #expect(known.contains(String(flag)), "\(example): \(flag)")
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell gets its completions`(shell: String) throws {
    let script = try #require(Self.completions[shell])
    for word in Self.commands + ["log-format"] { #expect(script.contains(word)) }
    guard access("/usr/bin/\(shell)", X_OK) == 0 else { return }
    let workspace = try Workspace()
    try workspace.write("completions", script)
    let check = try run("/usr/bin/\(shell)", ["-n", workspace.path("completions")])
    #expect(check.exitCode == 0 && check.errors == "")
  }

  @Test(
    .enabled(if: access("/usr/bin/bash", X_OK) == 0, "bash is not installed"),
    arguments: [
      // The line, some of the offers, and others that must be absent.
      ("aasa ", ["serve", "validate", "man"], "--http"),
      ("aasa ser", ["serve"], "validate"),
      ("aasa serve --log-format ", ["auto", "json", "text"], "a.json"),
      ("aasa serve --config ", ["a.json", "domains/"], "auto"),
      ("aasa serve --domains ", ["domains/"], "a.json"),
      ("aasa validate --format ", ["sarif", "junit"], "a.json"),
      ("aasa validate ", ["a.json"], "sarif"),
      ("aasa convert --to ", ["components", "paths"], "a.json"),
      ("aasa explain A04", ["A044"], "J001"),
      ("aasa man ser", ["serve"], "config"),
    ] as [(String, [String], String)])
  func `bash offers commands, files and words where each fits`(
    line: String, offered: [String], other: String
  ) throws {
    let workspace = try Workspace()
    try workspace.write("a.json", "{}")
    try workspace.write("completions", try #require(Self.completions["bash"]))
    let script = #"""
      source completions
      COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}
      read -ra COMP_WORDS <<< "$1"
      [[ "$1" == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      function=$(complete -p aasa | grep -oE -- '-F [^ ]+' | cut -c4-)
      "$function" aasa "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> errors
      for word in "${COMPREPLY[@]}"; do
        if [ -d "$word" ]; then echo "${word%/}/"; else echo "${word% }"; fi
      done
      """#
    let finished = try run("/usr/bin/bash", ["-c", script, "bash", line], folder: workspace.root)
    let words = finished.text.split(separator: "\n").map(String.init)
    #expect(Set(words).isSuperset(of: offered), "\(words) \(finished.errors)")
    #expect(!words.contains(other))
  }
}
