import AppSiteAssociation
import Diagnostics
import DigitalAssetLinks
import Foundation
import JSON
import Synchronization
import TLS
import TLSTestSupport
import Testing

@testable import aasa

/// A folder of files that goes with the test.
private final class Folder {
  let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory.path + "/aasa-validate-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = path + "/" + name
      let folder = (file as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  /// The inputs, without the folder's path; faults as their codes.
  func inputs(_ names: [String] = [""]) -> [String] {
    collectInputs(names.map { $0.isEmpty ? path : path + "/" + $0 }).map { input in
      if !input.isFile { return input.faults.first?.code ?? "" }
      return input.path == "-" ? "-" : String(input.path.dropFirst(path.count + 1))
    }
  }
}

private let clean = #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#
private let warned: String = clean.dropLast() + #","applinks":{}}"#

@Suite struct ValidateInputTests {
  @Test func `files are found by their names`() throws {
    let folder = try Folder([
      "apple-app-site-association": clean, "a/.well-known/apple-app-site-association": clean,
      "example.com.json": "<html>", "_default.json": clean, "_wildcard.example.com.json": clean,
      // not ours
      "package.json": "{}", "tsconfig.app.json": "{}",
      "readme.md": "", "a/other.example.json": "{}", ".git/apple-app-site-association": clean,
      "node_modules/x/apple-app-site-association": clean,
      // Android's
      "example.com.assetlinks.json": "[]", "a/.well-known/assetlinks.json": "[]",
      // ours by content
      "a/named.json": clean, "a/site.example.json": clean,
      // in a domains folder every host counts
      "domains/localhost.json": "{}",
    ])
    #expect(
      folder.inputs() == [
        "_default.json", "_wildcard.example.com.json",
        "a/.well-known/apple-app-site-association", "a/.well-known/assetlinks.json", "a/named.json",
        "a/site.example.json",
        "apple-app-site-association", "domains/localhost.json",
        "example.com.assetlinks.json", "example.com.json",
      ])
  }

  @Test func `loops end and nothing is read twice`() throws {
    let folder = try Folder(["a/apple-app-site-association": clean])
    try folder.link("a/up", to: "..")
    try folder.link("b", to: "a")
    try folder.link("nowhere", to: "gone")
    #expect(folder.inputs() == ["a/apple-app-site-association"])
    // Out of the folder no link to a folder is followed.
    #expect(folder.inputs(["a", "a", "b", ""]) == ["a/apple-app-site-association", "V004"])
  }

  @Test func `an unreadable path is reported`() throws {
    let folder = try Folder(["x": ""])
    #expect(folder.inputs(["gone"]) == ["V001"])
    #expect(folder.inputs() == ["V002"])
    #expect(folder.inputs(["x"]) == ["x"])
    // A named path is read, whatever it is; a name in a folder only if it is a file.
    #expect(mkfifo(folder.path + "/example.com.json", 0o600) == 0)
    #expect(folder.inputs(["example.com.json"]) == ["example.com.json"])
    #expect(folder.inputs() == ["V002"])
  }

  @Test func `a file in a folder that cannot be inspected is reported`() throws {
    let folder = try Folder([:])
    try folder.link("assetlinks.json", to: "assetlinks.json")
    try folder.link("other.txt", to: "other.txt")
    #expect(folder.inputs() == ["V001"])
  }

  @Test func `a file too large is not read whole`() throws {
    let folder = try Folder(["big.json": ""])
    #expect(truncate(folder.path + "/big.json", 1 << 30) == 0)
    let input = ValidationInput(path: folder.path + "/big.json")
    let file = input.judged(ValidationOptions(), keeping: .note).file
    #expect(file.diagnostics.map(\.code) == ["A001"])
    #expect((file.source?.bytes.count ?? 0) < 4 << 20)
  }
}

@Suite struct ValidateCommandTests {
  @Test(
    arguments: [
      // Content, further arguments, exit code.
      (clean, [], 0), (clean, ["--strict"], 0), (warned, [], 0), (warned, ["--strict"], 1),
      ("[", [], 1), ("[", ["--quiet", "--format", "json"], 1), (warned, ["--quiet"], 0),
      (clean, ["--format", "sarif"], 0), (clean, ["--format", "xml"], 2),
      (clean, ["--trust", "/nonexistent.pem"], 2),
    ] as [(String, [String], Int32)]) func `the exit code follows the worst diagnostic`(
      content: String, arguments: [String], code: Int32
    ) throws
  {
    let folder = try Folder(["example.com.json": content])
    #expect(
      Program.run(["validate", folder.path] + arguments, output: { _ in }, errors: { _ in })
        == code)
  }

  @Test(
    arguments: [
      (["explain", "A044"], 0), (["explain", "j010", "A001"], 0), (["explain", "--list"], 0),
      (["explain", "A999"], 2), (["explain"], 2), (["validate"], 2),
    ] as [([String], Int32)]) func `codes are explained`(arguments: [String], code: Int32)
  {
    #expect(Program.run(arguments, output: { _ in }, errors: { _ in }) == code)
  }

  #if DEBUG
    @Test(arguments: [false, true])
    func `a file is parsed once, and a signed one opened once`(isSigned: Bool) throws {
      let folder = try Folder(["a.json": clean])
      let file = folder.path + "/a.json"
      if isSigned {
        let der = TestSignedMessage.der(Array(clean.utf8), signers: [TestCertificate("a.test")])
        try Data(der).write(to: URL(filePath: file))
      }
      let (parsed, opened) = (Counter(), Counter())
      let code = Document.observer.withValue(parsed.add) {
        CMS.observer.withValue(opened.add) {
          Program.run(["validate", file], output: { _ in }, errors: { _ in })
        }
      }
      #expect(code == 0 && parsed.value == 1 && opened.value == (isSigned ? 1 : 0))
    }

    private final class Counter: Sendable {
      private let count = Mutex(0)

      @Sendable func add() { count.withLock { $0 += 1 } }

      var value: Int { count.withLock { $0 } }
    }
  #endif

  @Test func `the summary counts files by their worst`() {
    func summary(of worst: [Diagnostic.Severity?]) -> String {
      var tally = Tally()
      for (number, severity) in worst.enumerated() { tally.add(severity, in: "\(number)") }
      return tally.summary
    }
    #expect(summary(of: []) == "0 files\n")
    #expect(summary(of: [nil]) == "1 file: 1 clean\n")
    #expect(
      summary(of: [.error, .note, .warning])
        == "3 files: 1 with errors, 1 with warnings, 1 with notes only\n")
  }

  @Test func `what is found in a file later makes no second file of it`() {
    var tally = Tally()
    tally.add(nil, in: "a.json")
    tally.add(.warning, in: "b.json")
    tally.add(.note, in: "a.json")
    tally.add(.note, in: "b.json")
    #expect(tally.summary == "2 files: 1 with warnings, 1 with notes only\n")
  }
}
