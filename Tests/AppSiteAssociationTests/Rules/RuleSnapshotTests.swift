import Diagnostics
import Foundation
import Rules
import Testing

@testable import AppSiteAssociation

/// Every rule has a folder `Tests/Corpus/rules/CODE` with a file that breaks it, a file that does
/// not, and the report on the first. With `UPDATE_SNAPSHOTS=1` missing files are made from the
/// rule's documentation and `bad.txt` is written again.
@Suite struct RuleSnapshotTests {
  static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1"

  static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus/rules")

  /// Inputs that are too large or no text: they are not kept as files.
  static func generated(_ code: String) -> [UInt8]? {
    switch code {
    case "A005":
      let comment = String(repeating: "x", count: 110_000)
      return Array(#"{"applinks":{"details":[]},"_comment":"\#(comment)"}"#.utf8)
    case "A154":
      let comment = String(repeating: "x", count: 20_000)
      return Array(#"{"applinks":{"details":[]},"_comment":"\#(comment)"}"#.utf8)
    case "A086", "A136":
      let values = (0..<2_000).map { "\"value\($0)\"" }.joined(separator: ",")
      let rules = (0..<(code == "A136" ? 900 : 2)).map { #"{"/":"/\#($0)/$(v)"}"# }
        .joined(separator: ",")
      return Array(
        (#"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"components":["#
          + rules + #"]}],"substitutionVariables":{"v":["# + values + "]}}}").utf8)
    case "A001": return [UInt8](repeating: 0x20, count: AppleLimits.fileBytes + 1)
    case "A003": return [0x30, 0x82]
    case "A009":
      return [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x00,
      ]
    case "J004": return [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]
    case "J009": return [0x1F, 0x8B, 0x08, 0x00]
    case "J027": return Array(#"{"a":""#.utf8) + [0xE9] + Array(#""}"#.utf8)
    case "J054": return [UInt8](repeating: 0, count: 16)
    case "J052": return Array("%PDF-1.4".utf8)
    case "J046": return Array("PK\u{3}\u{4}".utf8)
    case "J043": return Array(String(repeating: "[", count: 300).utf8)
    default: return nil
    }
  }

  /// A004 is of another file, J044 cannot be reached (files are refused for their size before), and
  /// paths are not judged here.
  static let codes = associationKinds.map(\.code).filter {
    !["A004", "J044"].contains($0) && !$0.hasPrefix("V")
  }

  static let ruleCodes = associationRules.map(\.kind.code)

  /// The examples of the documentation, as whole files.
  static func examples(of code: String) -> (wrong: String, right: String)? {
    guard let kind = associationKinds.first(where: { $0.code == code }), let wrong = kind.wrong,
      let right = kind.right
    else { return nil }
    return (kind.context.file(with: wrong), kind.context.file(with: right))
  }

  static func read(_ code: String, _ name: String) -> [UInt8]? {
    (try? Data(contentsOf: corpus.appending(path: "\(code)/\(name)"))).map { Array($0) }
  }

  static func write(_ bytes: [UInt8], _ code: String, _ name: String) throws {
    let folder = corpus.appending(path: code)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: name))
  }

  static func report(_ bytes: [UInt8], _ path: String) -> (ValidationReport, SourceText) {
    let source = SourceText(path: path, bytes: bytes)
    var options = ValidationOptions()
    options.gzipSize = { _ in 1234 }
    return (validate(source, options: options), source)
  }

  @Test(arguments: codes) func `the report on a bad file matches the snapshot`(code: String) throws
  {
    if Self.isUpdating, Self.generated(code) == nil, Self.read(code, "bad.json") == nil,
      let example = Self.examples(of: code)
    {
      try Self.write(Array(example.wrong.utf8), code, "bad.json")
    }
    let bytes = try #require(
      Self.generated(code) ?? Self.read(code, "bad.json"), "\(code)/bad.json is missing")
    let (report, source) = Self.report(bytes, "bad.json")
    #expect(report.diagnostics.contains { $0.code == code }, "\(report.diagnostics.map(\.line))")
    let text = TerminalRenderer().render(
      SubjectReport(
        path: "bad.json", source: source, diagnostics: report.diagnostics,
        omitted: report.omitted))
    if Self.isUpdating { try Self.write(Array(text.utf8), code, "bad.txt") }
    let expected = Self.read(code, "bad.txt").map { String(decoding: $0, as: UTF8.self) }
    #expect(text == expected)
  }

  @Test(arguments: codes) func `a good file does not get the code`(code: String) throws {
    if Self.isUpdating, Self.read(code, "good.json") == nil, let example = Self.examples(of: code) {
      try Self.write(Array(example.right.utf8), code, "good.json")
    }
    guard let bytes = Self.read(code, "good.json") else {
      #expect(Self.generated(code) != nil, "\(code)/good.json is missing")
      return
    }
    let (report, _) = Self.report(bytes, "good.json")
    #expect(!report.diagnostics.contains { $0.code == code }, "\(report.diagnostics.map(\.line))")
    // Examples of JSON's grammar need not do anything.
    let idle = code.hasPrefix("J") ? ["A007", "A010", "A160"] : []
    let errors = report.diagnostics.filter { $0.severity == .error && !idle.contains($0.code) }
    #expect(errors.isEmpty, "\(report.diagnostics.map(\.line))")
  }

  @Test(arguments: ruleCodes)
  func `the examples of the documentation do what they show`(code: String) throws {
    guard Self.generated(code) == nil, let example = Self.examples(of: code) else { return }
    let (wrong, _) = Self.report(Array(example.wrong.utf8), "wrong.json")
    let (right, _) = Self.report(Array(example.right.utf8), "right.json")
    #expect(wrong.diagnostics.contains { $0.code == code })
    if wrong.diagnostics.contains(where: { $0.code == code && $0.severity > .note }) {
      var options = ValidationOptions()
      options.includesNotes = false
      let source = SourceText(path: "wrong.json", bytes: Array(example.wrong.utf8))
      let found = validate(source, options: options).diagnostics
      #expect(found.contains { $0.code == code }, "the server does not report it")
    }
    let worse = right.diagnostics.filter { $0.severity > .note }.map(\.line)
    #expect(worse == [])
    #expect(!right.diagnostics.contains { $0.code == code })
  }
}
