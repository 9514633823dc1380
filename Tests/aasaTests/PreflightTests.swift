import AppSiteAssociation
import Diagnostics
import Foundation
import Testing

@testable import aasa

/// `aasa validate FOLDER` finds what `aasa serve` would refuse.
@Suite struct PreflightTests {
  private static let good = #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#
  private static let statements = #"[{"include": "https://example.com/links.json"}]"#
  private static let links =
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["/buy/*"]}]}}"#

  /// The codes that are reported, with the names of the files, and the exit code.
  private static func validate(
    _ files: [String: String], folder name: String = "domains", links: [String: String] = [:]
  ) throws -> (findings: Set<String>, inputs: Int, code: Int32) {
    let base = FileManager.default.temporaryDirectory.path + "/aasa-preflight-\(UUID().uuidString)"
    let folder = base + "/" + name
    defer { try? FileManager.default.removeItem(atPath: base) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: target)
    }
    let inputs = collectInputs([folder])
    var findings: Set<String> = []
    for input in inputs {
      let file = input.judged(.init(), keeping: .warning).file
      for diagnostic in file.diagnostics {
        findings.insert("\(diagnostic.code) \((file.path as NSString).lastPathComponent)")
      }
    }
    let code = Program.run(["validate", folder], output: { _ in }, errors: { _ in })
    return (findings, inputs.count, code)
  }

  @Test(
    arguments: [
      (["example.com.json": good], [], 0),
      (["example.com.assetlinks.json": statements], [], 0),
      (["example.com.assetlinks.json": "[]"], ["D102 example.com.assetlinks.json"], 1),
      (
        ["example.com.json": good, "example.com.assetlinks.json": #"[{"relation": ["x/y"]}]"#],
        ["D107 example.com.assetlinks.json"], 1
      ),
      (
        ["example.com.json": good, "example.com.assetlinks.json": "[1,]"],
        ["J011 example.com.assetlinks.json"], 1
      ),
      (
        ["example.com.json": good, "example.com.assetlinks.json": "{}"],
        ["A004 example.com.assetlinks.json"], 1
      ),
      (["example.com.json": links, "example.com.cases": "/buy/1 opens K27TX9P4QD.a.b"], [], 0),
      (
        ["example.com.json": links, "example.com.cases": "/sell/1 opens K27TX9P4QD.a.b"],
        ["E010 example.com.cases"], 1
      ),
      (
        ["example.com.json": links, "example.com.cases": "/buy/1 opns K27TX9P4QD.a.b"],
        ["E004 example.com.cases"], 1
      ),
      (
        ["example.com.json": good, "example.com.hosts": "not a host"],
        ["H033 example.com.hosts"], 1
      ),
      (["example.com.json": good, "other.txt": ""], ["H004 other.txt"], 0),
      (
        ["apple-app-site-association.json": good],
        ["H004 apple-app-site-association.json", "V002 domains"], 2
      ),
      (
        ["example.com/.well-known/apple-app-site-association": "{}"],
        ["A010 apple-app-site-association"], 1
      ),
      // what was meant is named, and nothing is green although nothing is served
      (
        ["example.com/apple-app-site-association.json": good, "a.test.json": good],
        ["V005 apple-app-site-association.json"], 1
      ),
      (
        ["example.com/apple-app-site-assocation": good, "a.test.json": good],
        ["V005 apple-app-site-assocation"], 1
      ),
      (
        ["example.com/.well-known/Apple-App-Site-Association": good, "a.test.json": good],
        ["V005 Apple-App-Site-Association"], 1
      ),
      (
        ["example.com/well-known/apple-app-site-association": good, "a.test.json": good],
        ["V006 apple-app-site-association"], 1
      ),
      (
        [
          "example.com/.well-known/apple-app-site-association": good,
          "example.com/.well-known/assetlink.json": "[]",
        ], ["V005 assetlink.json"], 1
      ),
      (
        ["example.com/.well_known/assetlinks.json": "[]", "a.test.json": good],
        ["V006 assetlinks.json"], 1
      ),
      // a copy for other servers, a backup and a file of a similar name
      (
        [
          "example.com/apple-app-site-association": good,
          "example.com/apple-app-site-association.json": good,
          "example.com/apple-app-site-association.bak": good,
          "example.com/.well-known/apple-touch-icon.png": "",
          "example.com/.well-known/assetlist.json": "[]",
        ], [], 0
      ),
      (["example.com/index.html": "", "a.test.json": good], ["H008 example.com"], 0),
      ([:], ["V002 domains"], 2),
    ] as [([String: String], Set<String>, Int32)])
  func `a folder of domains is read as the server reads it`(
    files: [String: String], findings: Set<String>, code: Int32
  ) throws {
    let result = try Self.validate(files)
    #expect(result.findings == findings && result.code == code)
  }

  @Test func `an empty list of statements is right if it is meant`() throws {
    let files = ["a.test.assetlinks.json": "[]", ".aasa.json": #"{"ignore": ["D102"]}"#]
    #expect(try Self.validate(files).code == 0)
  }

  @Test(
    arguments: [
      (".well-known/apple-app-site-association", []),
      ("apple-app-site-association", []),
      ("apple-app-site-association.json", ["V005 apple-app-site-association.json"]),
      ("apple-app-site-assocation", ["V005 apple-app-site-assocation"]),
      ("well-known/apple-app-site-association", ["V006 apple-app-site-association"]),
      ("well-known/assetlinks.json", ["V006 assetlinks.json"]),
      (".wellknown/apple-app-site-association", ["V006 apple-app-site-association"]),
      (".well_known/apple-app-site-association", ["V006 apple-app-site-association"]),
      (".Well-Known/assetlinks.json", ["V006 assetlinks.json"]),
      (".well-known/assetlink.json", ["V005 assetlink.json"]),
    ] as [(String, Set<String>)]) func `names and places that devices do not ask for are reported`(
      name: String, findings: Set<String>
    ) throws
  {
    let content = name.contains("link") ? Self.statements : Self.good
    let result = try Self.validate([name: content, "index.html": ""], folder: "public")
    #expect(result.findings == findings && result.code == 0)
  }

  @Test(
    arguments: [
      ("example.com.txt", good, ["H004 example.com.txt"]),
      ("example.com.json.txt", good, ["H004 example.com.json.txt"]),
      ("example.com.txt", "see example.com", []),
      ("notes.txt", "write applinks like this", []),
    ] as [(String, String, Set<String>)])
  func `a text file with the content of a host's file is reported in any folder`(
    name: String, text: String, findings: Set<String>
  ) throws {
    let result = try Self.validate(
      ["example.org.json": Self.good, name: text, "index.html": ""], folder: "sites")
    #expect(result.findings == findings && result.code == 0)
  }

  @Test(arguments: ["example.com.assetlinks.json", ".well-known/assetlinks.json"])
  func `a broken Android file is reported in any folder`(name: String) throws {
    let files = ["apple-app-site-association": Self.good, name: "[1,]", "index.html": ""]
    let result = try Self.validate(files, folder: "public")
    let last = (name as NSString).lastPathComponent
    #expect(result.findings == ["J011 \(last)"] && result.code == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a link to everything is reported and not followed`() throws {
    let files = ["apple-app-site-association": Self.good, "index.html": ""]
    let result = try Self.validate(files, folder: "public", links: ["all": "/"])
    #expect(result.findings == [] && result.inputs == 2 && result.code == 0)
  }

  @Test func `an association file with too many rules for its page is reported`() throws {
    let rules = (0..<450).map { #"{"/":"/a/\#($0)/*"}"# }.joined(separator: ",")
    let file =
      #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"components":[\#(rules)]}]}}"#
    let page = ["example.com.page.html": "<!doctype html><title>Shop</title>"]
    let many = try Self.validate(page.merging(["example.com.json": file]) { one, _ in one })
    #expect(many.findings.contains("H047 example.com.json"), "\(many.findings)")
    let few = try Self.validate(page.merging(["example.com.json": Self.links]) { one, _ in one })
    #expect(few.findings == [])
  }
}
