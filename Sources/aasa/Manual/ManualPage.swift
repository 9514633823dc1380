internal import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Settings

/// A manual page in the markup of man(7).
struct ManualPage {
  /// The name of the page, for example `aasa-serve`.
  let name: String
  let text: String
}

/// Returns the pages for the program and for each command, including the commands of `aasa acme`.
/// The pages are generated from the help of the commands.
func manualPages() -> [ManualPage] {
  let dump = SourceText(path: "help", bytes: Array(AASA._dumpHelp().utf8))
  guard let root = try? Document(parsing: dump).root.member("command") else { return [] }
  return pages(of: root)
}

private func pages(of command: Value) -> [ManualPage] {
  let commands = elements(command.member("subcommands")).filter {
    $0.member("commandName")?.string != "help"
  }
  var writer = ManualWriter(command)
  return [writer.page(commands: commands)] + commands.flatMap { pages(of: $0) }
}

/// Returns the name of a command's page, for example `aasa-acme-status`.
private func pageName(_ command: Value) -> String {
  let above = elements(command.member("superCommands")).compactMap(\.string)
  return (above + [command.member("commandName")?.string ?? ""]).joined(separator: "-")
}

/// Writes the markup of one page.
private struct ManualWriter {
  private let command: Value
  private let name: String
  private let isWhole: Bool
  private var text = ""

  init(_ command: Value) {
    self.command = command
    isWhole = command.member("superCommands") == nil
    name = pageName(command)
  }

  mutating func page(commands: [Value]) -> ManualPage {
    let title = name.uppercased()
    text = ".TH \(Roff.text(title)) 1 \"\" \"aasa \(programVersion)\" \"User Commands\"\n"
    heading("NAME")
    // man-db reads this line for the commands whatis and apropos.
    line(Roff.text(name) + " \\- " + Roff.text(abstract(command)))
    heading("SYNOPSIS")
    synopsis(hasCommands: !commands.isEmpty)
    let (prose, sections) = parts(of: command.member("discussion")?.string ?? "")
    if !prose.isEmpty {
      heading("DESCRIPTION")
      line(Roff.text(prose))
    }
    if !commands.isEmpty {
      heading("COMMANDS")
      for other in commands {
        text += ".TP\n\(Roff.bold(pageName(other)))(1)\n"
        line(Roff.text(abstract(other)))
      }
    }
    options()
    for section in sections { self.section(section) }
    environment()
    heading("SEE ALSO")
    let others = commands.isEmpty ? ["aasa"] : commands.map(pageName)
    line(others.map { Roff.bold($0) + "(1)" }.joined(separator: ", "))
    return ManualPage(name: name, text: text)
  }

  private func abstract(_ command: Value) -> String {
    var text = command.member("abstract")?.string ?? ""
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  private mutating func heading(_ title: String) { text += ".SH \(title)\n" }
  private mutating func line(_ words: String) { text += Roff.guarded(words) + "\n" }

  // MARK: Arguments

  private var arguments: [Value] {
    command.member("arguments")?.elements.filter { $0.member("shouldDisplay")?.bool != false } ?? []
  }

  private mutating func synopsis(hasCommands: Bool) {
    var words = [Roff.bold(isWhole ? "aasa" : "aasa " + name.dropFirst("aasa-".count))]
    if hasCommands { words.append("\\fIcommand\\fR") }
    let positional = arguments.filter { $0.member("kind")?.string == "positional" }
    if arguments.count > positional.count { words.append("[\\fIoptions\\fR]") }
    for argument in positional {
      var word = "\\fI" + Roff.text(argument.member("valueName")?.string ?? "") + "\\fR"
      if argument.member("isRepeating")?.bool == true { word += " ..." }
      if argument.member("isOptional")?.bool == true { word = "[" + word + "]" }
      words.append(word)
    }
    line(words.joined(separator: " "))
  }

  private mutating func options() {
    if arguments.isEmpty { return }
    heading("OPTIONS")
    for argument in arguments {
      text += ".TP\n"
      line(names(of: argument))
      let help = argument.member("abstract")?.string ?? ""
      line(help.isEmpty ? "\\&" : Roff.text(help))
    }
  }

  /// Returns the names of an option and the placeholder of its value, for example `-o, --output
  /// FILE`.
  private func names(of argument: Value) -> String {
    let value = "\\fI" + Roff.text(argument.member("valueName")?.string ?? "") + "\\fR"
    guard let names = argument.member("names") else { return value }
    let words = names.elements.map { name in
      let hyphens = name.member("kind")?.string == "long" ? "--" : "-"
      return Roff.bold(hyphens + (name.member("name")?.string ?? ""))
    }
    let isFlag = argument.member("kind")?.string == "flag"
    return words.joined(separator: ", ") + (isFlag ? "" : " " + value)
  }

  // MARK: Discussion

  private struct Section {
    let title: String
    var lines: [Substring] = []
  }

  /// Splits a text into the part before the first heading, and sections. Each section has a heading
  /// such as `EXAMPLES:` and the lines below the heading.
  private func parts(of discussion: String) -> (prose: String, sections: [Section]) {
    var prose: [Substring] = []
    var sections: [Section] = []
    for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      let isTitle = line.last == ":" && line.dropLast().allSatisfy { $0.isUppercase || $0 == " " }
      if isTitle {
        sections.append(Section(title: String(line.dropLast())))
      } else if sections.isEmpty {
        prose.append(line)
      } else if !line.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return (prose.filter { !$0.isEmpty }.joined(separator: " "), sections)
  }

  private mutating func section(_ section: Section) {
    heading(section.title == "EXIT CODES" ? "EXIT STATUS" : section.title)
    // Output these lines unchanged. `.nf` turns off the filling of lines.
    text += ".nf\n"
    for words in section.lines { line(Roff.text(words.drop { $0 == " " })) }
    text += ".fi\n"
  }

  /// Writes the environment variables for the command's settings.
  private mutating func environment() {
    let names = Set(
      arguments.flatMap { $0.member("names")?.elements.map { $0 } ?? [] }
        .compactMap { $0.member("name")?.string })
    let settings = Setting.all.filter { names.contains($0.flagName) }
    // Only commands that have the options for all settings get this section.
    guard settings.count == Setting.all.count else { return }
    heading("ENVIRONMENT")
    line("The option overrides the variable, and the variable overrides the file:")
    for setting in settings {
      text += ".TP\n\(Roff.bold(setting.variable))\nas \(Roff.bold(setting.flag))\n"
    }
    heading("FILES")
    text += ".TP\n\(Roff.bold("Config/server.json")), \(Roff.bold("/etc/aasa/server.json"))\n"
    line("the configuration is the first of these files that exists, unless you pass --config")
  }
}

/// Functions that escape text for roff(7).
private enum Roff {
  /// Escapes plain text. Text between backquotes becomes bold.
  static func text(_ words: some StringProtocol) -> String {
    var result = ""
    var isBold = false
    for character in words {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case "`":
        isBold.toggle()
        result += isBold ? "\\fB" : "\\fR"
      default: result.append(character)
      }
    }
    return result + (isBold ? "\\fR" : "")
  }

  static func bold(_ words: some StringProtocol) -> String { "\\fB" + text(words) + "\\fR" }

  /// Escapes a dot at the beginning of a line, because the dot would begin a roff request.
  static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
