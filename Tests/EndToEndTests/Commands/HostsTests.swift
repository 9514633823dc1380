import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa hosts`
@Suite(.manyAtOnce) struct HostsTests {
  private let workspace: Workspace
  private static let list = "# Customers.\none.example\n\ntwo.example   # its own\n*.three.example"

  init() throws {
    workspace = try Workspace()
    try workspace.write("links.hosts", Self.list)
  }

  private func hosts(_ arguments: String...) throws -> Finished {
    try workspace.aasa(["hosts"] + arguments + ["--file", "links.hosts"])
  }

  @Test func `hosts are listed, as text and as JSON`() throws {
    try hosts("list").says(
      .whole("one.example\ntwo.example\n*.three.example\n"), exit: 0, errors: .nothing)
    let json = try hosts("list", "--json")
    #expect(json.text == #"{"hosts":["one.example","two.example","*.three.example"]}"# + "\n")
  }

  @Test func `a host is added once, and everything else stays`() throws {
    try hosts("add", "Four.Example", "one.example").says(
      .whole("added four.example\n"), exit: 0,
      errors: .whole("note: one.example is in links.hosts already\n"))
    try #expect(workspace.text("links.hosts") == Self.list + "\nfour.example\n")
    try hosts("add", "four.example", "--json").says(.whole(#"{"added":[]}"# + "\n"), exit: 0)
    try #expect(workspace.text("links.hosts") == Self.list + "\nfour.example\n")
  }

  @Test func `a host is removed with its line, and everything else stays`() throws {
    try hosts("remove", "*.three.example", "TWO.example", "five.example").says(
      .whole("removed *.three.example\nremoved two.example\n"), exit: 0)
    try #expect(workspace.text("links.hosts") == "# Customers.\none.example\n\n")
  }

  @Test func `hosts come from a file, and from standard input`() throws {
    try workspace.write("more.txt", "# From the panel.\nfive.example\n\nsix.example\n")
    let added = try hosts("add", "four.example", "--from", "more.txt")
    #expect(added.text == "added four.example\nadded five.example\nadded six.example\n", "\(added)")
    let piped = try run(
      "/bin/sh",
      [
        "-c",
        "printf 'seven.example\\none.example\\n' | \(Server.program) hosts add - --file "
          + "links.hosts",
      ],
      folder: workspace.root)
    #expect(piped.text == "added seven.example\n", "\(piped)")
    try workspace.write("bad.txt", "eight.example\nhttps://nine.example/\n")
    try hosts("add", "--from", "bad.txt").says(
      exit: 2, errors: "did you mean nine.example?", "Usage: aasa hosts ")
    try #expect(!workspace.text("links.hosts").contains("eight.example"))
  }

  @Test func `remove says what it did not find`() throws {
    try hosts("remove", "one.example", "nine.example").says(
      .whole("removed one.example\n"), exit: 0,
      errors: .whole("note: nine.example is not in links.hosts\n"))
  }

  @Test func `a file that is missing is made by add, and an error for list`() throws {
    try workspace.remove("links.hosts")
    try hosts("list").says(exit: 1, errors: "No such file")
    try hosts("add", "a.example").says(exit: 0)
    try #expect(workspace.text("links.hosts") == "a.example\n")
  }

  @Test(arguments: [
    (["add"], "give the hosts to add"), (["list", "a.example"], "the action list takes no hosts"),
    (["add", "a.example", "not a host"], "not a host is not a host name"),
    (["add", "_default"], "_default is not a host name"), (["rename", "a.example"], "rename"),
  ]) func `wrong usage changes nothing`(arguments: [String], words: String) throws {
    try workspace.aasa(["hosts"] + arguments + ["--file", "links.hosts"])
      .says(exit: 2, errors: .part(words))
    try #expect(workspace.text("links.hosts") == Self.list)
  }

  @Test func `of many edits at once none is lost, and a reader never sees a part`() throws {
    let runs = try (0..<12).map { number in
      try ChildProcess(
        Server.program, ["hosts", "add", "h\(number).example", "--file", "links.hosts"],
        folder: workspace.root)
    }
    while runs.contains(where: \.isRunning) {
      try #expect(workspace.text("links.hosts").hasPrefix(Self.list))
    }
    for run in runs { try #expect(run.waitForExit() == 0) }
    let names = try workspace.text("links.hosts").split(separator: "\n").suffix(12)
    #expect(Set(names.map(String.init)) == Set((0..<12).map { "h\($0).example" }))
  }

  @Test func `a line that the server would not take is refused`() throws {
    try workspace.write("bad.txt", "five.example\nbad host\n")
    try hosts("add", "--from", "bad.txt").says(exit: 2, errors: "bad host is not a host name")
    try #expect(workspace.text("links.hosts") == Self.list)
  }

  @Test func `a list that the server would not read is not made`() throws {
    try workspace.aasa("hosts", "add", "a.example", "--file", "links.txt")
      .says(exit: 2, errors: "must end in .hosts")
    #expect(!workspace.exists("links.txt"))
  }

  @Test func `of many hosts that are there already, the first are named`() throws {
    let names = (10..<40).map { "h\($0).example" }
    try workspace.write("links.hosts", names.joined(separator: "\n") + "\n")
    try workspace.write("more.txt", names.joined(separator: "\n"))
    let lines = try hosts("add", "--from", "more.txt").errors.split(separator: "\n")
    #expect(lines.count == 21 && lines.last == "note: 10 more hosts are in links.hosts already")
  }
}
