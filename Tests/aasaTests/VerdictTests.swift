import Foundation
import Testing

@testable import aasa

/// The verdict and the exit code: the same for every command.
@Suite struct VerdictTests {
  private static let good = #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#
  private static let warned =
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["/café"]}]},"#
    + #""webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#
  private static let noted: String = good.dropLast() + #","x":1}"#

  /// Runs in a folder of its own; `FOLDER` in arguments is its path.
  private static func run(_ arguments: [String], _ files: [String: String]) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.path + "/aasa-verdict-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    }
    return Program.run(
      arguments.map { $0.replacing("FOLDER", with: folder) }, output: { _ in }, errors: { _ in })
  }

  @Test(
    arguments: [
      (good, [], 0), (good, ["--fail-on", "note"], 0), (noted, ["--fail-on", "note"], 1),
      (noted, ["--strict"], 0), (warned, [], 0), (warned, ["--fail-on", "warning"], 1),
      (warned, ["--strict"], 1), (warned, ["--strict", "--ignore", "A094"], 0),
      (warned, ["--strict", "--ignore", "a085,A094"], 0), (warned, ["--ignore", "A001"], 2),
      (warned, ["--ignore", "A999"], 2), (warned, ["--ignore", "x"], 2),
      // Codes about signatures are known, and one of them says that the file cannot be used.
      (warned, ["--strict", "--ignore", "A190,A094"], 0), (warned, ["--ignore", "A193"], 2),
      (warned, ["--fail-on", "cdn"], 2), (warned, ["--fail-on", "warnings"], 2),
      (warned, ["--strict", "--fail-on", "note"], 2),
      ("{}", [], 1), ("{}", ["--ignore", "A010"], 0), (#"{"message":"Not Found"}"#, [], 1),
      (#"{"x":{}}"#, [], 0), (#"{"x":{}}"#, ["--strict"], 1),
    ] as [(String, [String], Int32)]) func `flags decide which severity fails`(
      content: String, arguments: [String], code: Int32
    ) throws
  {
    let files = ["example.com.json": content]
    #expect(try Self.run(["validate", "FOLDER/example.com.json"] + arguments, files) == code)
    #expect(try Self.run(["validate", "FOLDER"] + arguments, files) == code)
  }

  @Test(
    arguments: [
      (#"{"failOn":"warning"}"#, [], 1), (#"{"failOn":"warning"}"#, ["--fail-on", "error"], 0),
      (#"{"failOn":"warning","ignore":["A094"]}"#, [], 0), (#"{"failOn":"error"}"#, [], 0),
      (#"{"failOn":"warning","ignore":["A094","A190"]}"#, [], 0),
      (#"{"failOn":"error","ignore":["A193"]}"#, [], 1),
      (#"{"failOn":"warning"}"#, ["--quiet", "--format", "junit"], 1), ("[]", [], 1),
    ] as [(String, [String], Int32)]) func `a file beside it says the same`(
      policy: String, arguments: [String], code: Int32
    ) throws
  {
    let files = ["example.com.json": Self.warned, ".aasa.json": policy]
    #expect(try Self.run(["validate", "FOLDER"] + arguments, files) == code)
  }

  @Test func `when nothing was checked the code is 2`() throws {
    #expect(try Self.run(["validate", "FOLDER"], [:]) == 2)
    #expect(try Self.run(["validate", "FOLDER/gone.json"], [:]) == 2)
    let one = ["example.com.json": Self.good]
    #expect(try Self.run(["validate", "FOLDER/gone.json", "FOLDER"], one) == 1)
  }

  @Test func `expectations that say nothing are wrong usage`() throws {
    let files = ["later.cases": "# later\n", "empty.cases": ""]
    for option in [
      ["--cases", "FOLDER/later.cases"], ["--cases", "FOLDER/empty.cases"], ["--url", ""],
      ["--expect", ""],
    ] {
      #expect(try Self.run(["check", "example.com"] + option, files) == 2, "\(option)")
    }
  }

  @Test(
    arguments: [
      // A loss is an error, a gain is a note.
      ("/a/*", "/a/*", [], 0), ("/a/*", "/b/*", [], 1),
      ("/a/*", "/b/*", ["--fail-on", "error"], 1),
      ("/a/b", "/a/*", [], 1), ("/a/b", "/a/*", ["--fail-on", "error"], 0),
      ("/a/b", "/a/*", ["--ignore", "D003"], 0), ("/a/*", "/a/b", ["--ignore", "D003"], 1),
    ] as [(String, String, [String], Int32)]) func `diff fails as it is asked to`(
      old: String, new: String, arguments: [String], code: Int32
    ) throws
  {
    func file(_ path: String) -> String {
      #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["\#(path)"]}]}}"#
    }
    let files = ["old.json": file(old), "new.json": file(new)]
    #expect(
      try Self.run(["diff", "FOLDER/old.json", "FOLDER/new.json"] + arguments, files) == code)
  }

  @Test func `two apps that change places are a difference`() throws {
    func file(_ apps: [String]) -> String {
      let entries = apps.map { #"{"appID":"K27TX9P4QD.\#($0)","paths":["/nom/*"]}"# }
      return #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#
    }
    let files = ["o.json": file(["a.b", "c.d"]), "n.json": file(["c.d", "a.b"])]
    #expect(try Self.run(["diff", "FOLDER/o.json", "FOLDER/n.json"], files) == 1)
    #expect(try Self.run(["diff", "FOLDER/o.json", "FOLDER/o.json"], files) == 0)
  }
}
