import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// README.md and the pages of Documentation/: everything that can be checked without a reader.
@Suite("documents") struct DocumentTests {
  private struct Page: CustomStringConvertible {
    let path: String
    let lines: [Line]

    var description: String { path }

    /// Whether `Tests/Tools/reference` makes it from the program's texts, which have checks of their own.
    var isMade: Bool {
      path.hasPrefix("Documentation/Codes-") || path.hasSuffix("/Commands.md")
        || path.hasSuffix("/LinkCode.md") || path.hasSuffix("/Metrics.md")
    }

    /// The anchors of its headings, as GitHub makes them.
    var anchors: Set<String> {
      Set(
        prose.filter { $0.hasPrefix("#") }.map { heading in
          heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
            .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .replacing(" ", with: "-")
        })
    }

    /// Lines outside blocks of code.
    var prose: [String] { lines.filter { $0.language == nil }.map(\.text) }
  }

  private struct Line {
    let text: String
    /// Of the block of code that it is in.
    let language: String?
  }

  private static func pages() throws -> [Page] {
    let folder = repositoryFile("Documentation")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let paths = ["README.md"] + names.filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
    return try paths.map { try page($0) }
  }

  private static func page(_ path: String) throws -> Page {
    let text = try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
    var language: String?
    var lines: [Line] = []
    for line in text.components(separatedBy: "\n") {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("```") {
        language = language == nil ? String(trimmed.dropFirst(3)) : nil
      } else {
        lines.append(Line(text: line, language: language))
      }
    }
    return Page(path: path, lines: lines)
  }

  @Test func `the README has at most 150 lines`() throws {
    let text = try String(contentsOfFile: repositoryFile("README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func `every page is reached from the README`() throws {
    let readme = try Self.page("README.md").prose.joined(separator: "\n")
    for page in try Self.pages().dropFirst() {
      #expect(readme.contains("(\(page.path))"), "no link leads to \(page)")
    }
  }

  @Test func `every link leads to a file, and to a heading in it`() throws {
    for page in try Self.pages() {
      let folder = URL(filePath: "/" + page.path).deletingLastPathComponent()
      for target in page.prose.flatMap(Self.targets) where !target.contains("://") {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let path =
          parts[0].isEmpty
          ? page.path : String(folder.appending(path: parts[0]).standardized.path.dropFirst())
        guard FileManager.default.fileExists(atPath: repositoryFile(path)) else {
          Issue.record("\(page): \(target) leads to no file")
          continue
        }
        if parts.count == 2 {
          let isThere = try Self.page(path).anchors.contains(parts[1])
          #expect(isThere, "\(page): \(target) leads to no heading")
        }
      }
    }
  }

  /// The targets of links and pictures in a line.
  private static func targets(in line: String) -> [String] {
    ["](", "src=\"", "srcset=\""].flatMap { mark in
      line.components(separatedBy: mark).dropFirst().map { rest in
        String(rest.prefix { !")\" ".contains($0) })
      }
    }
  }

  @Test func `every file of the repository that is named exists`() throws {
    let folders = ["Sources/", "Tests/", "Config/", "Documentation/"]
    for page in try Self.pages() {
      let shell = page.lines.filter { $0.language == "sh" }.flatMap {
        $0.text.split(separator: " ")
      }
      let words = page.prose.flatMap(Self.inlineCode).flatMap { $0.split(separator: " ") } + shell
      for word in words where folders.contains(where: { word.hasPrefix($0) }) {
        // Capitals stand for a name, as in `Rules/GROUP/NAME.swift`.
        if word.split(separator: "/").contains(where: { $0.allSatisfy(\.isUppercase) }) { continue }
        let isThere = FileManager.default.fileExists(atPath: repositoryFile(String(word)))
        #expect(isThere, "\(page): there is no \(word)")
      }
    }
  }

  @Test
  func `the page about hosting services says when it was read, and what no test runs`() throws {
    let prose = try Self.page("Documentation/HostingServices.md").prose
    // Before the list of its sections.
    let head = prose.prefix { !$0.hasPrefix("[") }.joined(separator: " ")
    head.says("no test runs the others")
    let date = head.range(of: #"read on \d{4}-\d\d-\d\d"#, options: .regularExpression)
    #expect(date != nil, "\(head)")
  }

  /// The texts between backticks in a line.
  private static func inlineCode(in line: String) -> [String] {
    line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  @Test func `every command that is shown exists, with its flags`() throws {
    var helps: [String: String] = [:]
    for page in try Self.pages() {
      for words in Self.commands(in: page) {
        let name = words[0]
        if helps[name] == nil {
          let finished = try run(Server.program, [name, "--help"])
          // An unknown command gets the help of the whole program.
          guard finished.exitCode == 0, finished.text.contains("USAGE: aasa \(name) ") else {
            Issue.record("\(page): there is no command `aasa \(name)`")
            continue
          }
          helps[name] = finished.text
        }
        for flag in words.dropFirst() where flag.hasPrefix("-") && flag.count > 1 {
          let name = String(flag.prefix { $0 != "=" })
          let known = Self.flags(in: helps[words[0]] ?? "")
          #expect(known.contains(name), "\(page): `aasa \(words[0])` has no flag \(name)")
        }
      }
    }
    #expect(helps.count > 10, "commands are not found in the documents")
  }

  private static func flags(in help: String) -> Set<String> {
    let separators: Set<Character> = [" ", "\n", ",", "[", "]", "<", ">", "(", ")", ".", ";"]
    return Set(help.split { separators.contains($0) }.map(String.init).filter { $0.hasPrefix("-") })
  }

  /// The words after `aasa` of every command in blocks of shell code and in inline code.
  private static func commands(in page: Page) -> [[String]] {
    let shells = ["sh", "console", "yaml"]
    let blocks = page.lines.filter { $0.language.map(shells.contains) ?? false }.map(\.text)
    let inline = page.prose.flatMap(inlineCode)
    // A line that ends with a backslash continues.
    let lines = blocks.joined(separator: "\n").replacing("\\\n", with: " ").split(separator: "\n")
    return (lines.map(String.init) + inline).flatMap(commands)
  }

  private static func commands(of line: String) -> [[String]] {
    var result: [[String]] = []
    var isOpen = false
    for word in line.split(separator: " ").map(String.init) {
      let ends = ["|", ">", "<", "#", "&&", "&", ";"].contains(word)
      if word == "aasa" || word == "/aasa" {
        isOpen = true
        result.append([])
      } else if ends {
        isOpen = false
      } else if isOpen, let last = result.indices.last {
        result[last].append(word)
      }
    }
    return result.filter { words in
      words.first.map { $0.allSatisfy { $0.isLowercase && $0.isASCII } } ?? false
    }
  }

  @Test func `every code of a message that is named can be explained`() throws {
    let list = try run(Server.program, ["explain", "--list"]).text
    let known = Set(list.split(separator: "\n").map { $0.prefix(4) })
    for page in try Self.pages() {
      for word in page.prose.joined(separator: " ").split(whereSeparator: { !$0.isASCIIWord }) {
        let isCode =
          word.count == 4 && "AJVEHTFC".contains(word.prefix(1))
          && word.dropFirst().allSatisfy(\.isNumber)
        if isCode { #expect(known.contains(word), "\(page): there is no code \(word)") }
      }
    }
  }

  @Test func `no document has a word that the list of words advises against`() throws {
    let contributing = try Self.page("Documentation/Contributing.md")
    let words = Self.block("words", in: contributing.prose).dropFirst(2).flatMap { row in
      row.split(separator: "|").first.map {
        $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      } ?? []
    }
    try #require(words.count > 10)
    for page in try Self.pages() where !page.isMade {
      let generated = Self.block("words", in: page.prose) + Self.block("settings", in: page.prose)
      let text = " " + page.prose.filter { !generated.contains($0) }.joined(separator: " ") + " "
      let plain = " " + text.lowercased().split { !$0.isLetter }.joined(separator: " ") + " "
      for word in words {
        let isThere = plain.contains(" \(word) ")
        #expect(!isThere, "\(page): “\(word)”")
      }
    }
  }

  /// The lines between two marks.
  private static func block(_ name: String, in lines: [String]) -> [String] {
    guard let start = lines.firstIndex(of: "<!-- \(name) -->"),
      let end = lines.firstIndex(of: "<!-- /\(name) -->")
    else { return [] }
    return Array(lines[(start + 1)..<end])
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
