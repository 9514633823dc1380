import ArgumentParser
import Foundation
import Settings
import Testing

@testable import aasa

@Suite struct CommandLineTests {
  @Test func `each setting has its flag`() throws {
    let options = try ServerOptions.parse(Setting.all.flatMap { [$0.flag, "x of \($0.key)"] })
    let expected = Setting.all.map { ($0.key, ["x of \($0.key)"]) }
    #expect(options.flags == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func `a flag for a list may be repeated`() throws {
    let repeatable = Setting.all.filter(\.isRepeatable)
    let options = try ServerOptions.parse(
      repeatable.flatMap { [$0.flag, "x of \($0.key)", $0.flag, "y"] })
    let expected = repeatable.map { ($0.key, ["x of \($0.key)", "y"]) }
    #expect(options.flags == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func `of another flag the last one counts`() throws {
    let options = try ServerOptions.parse(["--threads", "1", "--threads", "2"])
    #expect(options.flags == ["threads": ["2"]])
  }

  @Test func `help names each flag, its value and its default`() {
    let words = ServeCommand.helpMessage(columns: 1000)
    for setting in Setting.all {
      #expect(words.contains("\(setting.flag) <\(setting.valueName)>"))
      #expect(words.contains(setting.help))
      #expect(words.contains("(default: \(setting.defaultDescription)"))
    }
  }

  /// An example that is broken cannot be copied, and its comment cannot be read.
  @Test func `help fits in 80 columns, and no example is broken in two`() {
    var commands: [any ParsableCommand.Type] = [AASA.self]
    var count = 0
    while let command = commands.popLast() {
      count += 1
      commands += command.configuration.subcommands
      let name = command._commandName
      for line in command.helpMessage(columns: 80).split(separator: "\n") {
        #expect(line.count <= 80, "\(name): \(line)")
      }
      for line in command.configuration.discussion.split(separator: "\n")
      where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(name): \(line)")
      }
    }
    #expect(count > 25)
  }

  @Test(arguments: [[], ["--help"], ["--version"], ["serve", "--help"], ["help", "config"]])
  func `help goes to the standard output and is success`(arguments: [String]) {
    var output = ""
    let code = Program.run(
      arguments, output: { output += $0 }, errors: { Issue.record("\($0)") })
    #expect(code == 0)
    #expect(output.contains("aasa"))
  }

  @Test(arguments: [
    // Arguments, and a part of the message.
    (["serv"], "serv"), (["serve", "--htp", "1"], "--http"), (["serve", "--http"], "ADDRESS:PORT"),
    (["serve", "extra"], "extra"), (["config", "--json", "--markdown"], "not both"),
  ]) func `wrong usage goes to the standard error stream and is 2`(
    arguments: [String], words: String
  ) {
    var errors = ""
    let code = Program.run(
      arguments, output: { Issue.record("\($0)") }, errors: { errors += $0 })
    #expect(code == 2)
    #expect(errors.contains(words) && errors.contains("Usage:"))
  }

  @Test(arguments: [
    (
      ["acme", "statsu"], "there is no command statsu; did you mean aasa acme status?", "aasa acme"
    ),
    (["acme", "xyzzy"], "there is no command xyzzy; write one of status, try", "aasa acme"),
    (["srve"], "did you mean aasa serve?", "aasa"),
    (["dev", "--app", "ABCDE12345.a.b", "--tunnel", "nosuch"], "nosuch", "aasa dev"),
  ]) func `a mistyped word is answered with the nearest, and the usage of its command`(
    arguments: [String], words: String, command: String
  ) {
    var errors = ""
    let code = Program.run(
      arguments, output: { Issue.record("\($0)") }, errors: { errors += $0 })
    #expect(code == 2 && (errors + "\n").contains(words), "\(errors)")
    #expect(errors.contains("Usage: \(command) "), "\(errors)")
  }

  @Test func `the help of a command that has its own few options is short`() {
    for command in AcmeCommand.configuration.subcommands {
      let help = command.helpMessage(columns: 80)
      #expect(help.split(separator: "\n").count < 40, "\(command): \(help)")
      #expect(help.contains("aasa config") && help.contains("EXAMPLES:"), "\(command)")
    }
  }

  @Test(arguments: [
    ["config", "--threads", "x"], ["serve", "--config", "/nonexistent/server.json"],
  ]) func `a wrong configuration is 2`(arguments: [String]) {
    #expect(Program.run(arguments) == 2)
  }

  @Test(arguments: [
    ("$Format:%H %cI$\n", nil), ("", nil), ("unknown unknown\n", nil),
    ("0c37136f0f 2026-11-22T23:16:35+00:00\n", "0c37136f0f"),
  ]) func `a build that does not know its commit does not invent one`(
    text: String, commit: String?
  ) {
    #expect(revision(from: Array(text.utf8))?.commit == commit)
  }

  @Test func `the versions that are printed are those that are linked`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let resolved = try String(
      contentsOf: root.appendingPathComponent("Package.resolved"), encoding: .utf8)
    for component in components where component.name.hasPrefix("swift-") {
      let part = try #require(resolved.components(separatedBy: "\"\(component.name)\"").last)
      #expect(part.contains("\"version\" : \"\(component.version)\""), "\(component.name)")
    }
    #expect(components.allSatisfy { !$0.version.isEmpty && !$0.licence.isEmpty })
  }
}
