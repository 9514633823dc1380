import AppSiteAssociation
import Diagnostics
import Foundation
import Rules
import TestRunning
import Testing

@Suite struct ValidationTests {
  static func report(_ text: String, limit: Int = 200) -> ValidationReport {
    var options = ValidationOptions()
    options.limit = limit
    return validate(SourceText(path: "f", bytes: Array(text.utf8)), options: options)
  }

  static func codes(_ text: String) -> [String] { report(text).diagnostics.map(\.code) }

  static func components(_ text: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"components":[\#(text)]}]}}"#
  }

  static func paths(_ text: String) -> String {
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.shop","paths":[\#(text)]}]}}"#
  }

  @Test(arguments: [
    // only passkeys
    #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#,
    // the oldest array form, `apps` included
    #"{"applinks":{"apps":[],"details":[{"appID":"K27TX9P4QD.org.swift.shop","paths":["/buy/*"]}]}}"#,
    paths(#""NOT /buy/secret","/buy/*""#),
    components(#"{"/":"/file.*"},{"/":"/a/?*","?":{"a":"?*"}}"#),
    components(##"{"#":"x","exclude":true,"comment":"see /help"},{"/":"*","?":{"id":"????"}}"##),
    components(#"{"/":"/caf%C3%A9/$(digit)$(digit)","caseSensitive":false}"#),
    components(#"{"/":"/café d'or/*","percentEncoded":false}"#),
    components(#"{"/":"/$(lang)_$(region)/*"}"#),
    // remarks of people at any place
    #"{"_comment":"x","$schema":"y","webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#,
  ]) func `a correct file is clean`(text: String) {
    #expect(Self.report(text).diagnostics.map(\.line) == [])
  }

  @Test(arguments: [
    // File, its codes in the order of the file.
    ("{}", ["A010"]),
    ("[]", ["A002"]),
    ("{,}", ["J014"]),
    (#"{"applinks":{"apps":[],"details":[]}}"#, ["A007"]),
    // A typo is reported once, and that nothing is left.
    (#"{"Applinks":{"details":[]}}"#, ["A011", "A160"]),
    (paths(#""NOT\t/x","/y""#), ["A066"]),
    (paths(#"" NOT /x","/y""#), ["A066"]),
    (paths(#""NOTES/*","NOT /x/*""#), []),
    (paths(#""/NOT/x""#), []),
    (components(#"{"/":"/a","casesensitive":false,"priority":1}"#), ["A020", "A021"]),
    (components(#"{"path":"/a"}"#), ["A057", "A072", "A020"]),
    (components(#"{"?":"a=1"}"#), []),
    (components(#"{"/":"/$(nope)/*"}"#), ["A120", "A160"]),
    (components(#"{"/":"/100%zz"}"#), ["A097", "A160"]),
    (components(#"{"/":"/a%2"}"#), ["A097", "A160"]),
    (components(#"{"/":"/a%??b"}"#), []),
    (components(#"{"/":"//cdn.example.com/x"}"#), []),
  ]) func `each mistake has its code`(text: String, expected: [String]) {
    #expect(Self.codes(text) == expected)
  }

  @Test func `a span within a string is found through escapes`() {
    let text = Self.components(#"{"/":"/caf\u00e9\/\ud83d\ude00 x"}"#)
    let report = Self.report(text)
    let place = report.diagnostics.first { $0.code != "A160" }?.location?.place
    let bytes = Array(text.utf8)
    #expect(place.map { String(decoding: bytes[$0.range], as: UTF8.self) } == #"\u00e9"#)
    let space = Self.components(#"{"/":"\/\t$(a\u0062c)"}"#)
    let variable = Self.report(space).diagnostics.last?.location?.place
    #expect(
      variable.map { String(decoding: Array(space.utf8)[$0.range], as: UTF8.self) }
        == #"$(a\u0062c)"#)
  }

  @Test func `of many diagnostics the worst are kept, in order`() {
    let paths = (0..<500).map { _ in #""a b""# }.joined(separator: ",")
    let text = #"{"webcredentials":[],"applinks":{"details":[{"appID":"x","paths":[\#(paths)]}]}}"#
    let report = Self.report(text, limit: 20)
    #expect(report.diagnostics.count == 20)
    #expect(report.diagnostics.first?.code == "A012")
    #expect(report.omitted == 500 + 2 - 20)
    let offsets = report.diagnostics.map { $0.location?.place?.range.lowerBound ?? -1 }
    #expect(offsets == offsets.sorted())
  }

  /// A file that could keep the rules busy, made when it is tested: a test prints its arguments.
  enum HostileFile: CaseIterable {
    case openVariables, variables, escapedVariables, braces, misspelt, repeated, entries, paths

    /// Of the largest size if there is time for it, else a quarter.
    private static let size = rounds(1, stress: 4)

    var text: String {
      switch self {
      case .openVariables: components(path: many("$(", 15_000))
      case .variables: components(path: many("$(a)", 7_500))
      case .escapedVariables: components(path: many("\\u0024(", 3_750))
      case .braces: components(path: many("{", 30_000))
      case .misspelt: "{" + list(1_875) { #""applink\#($0)":1"# } + "}"
      case .repeated: "{" + list(5_000) { _ in #""a":1"# } + "}"
      case .entries:
        #"{"applinks":{"details":[\#(list(2_000) { _ in #"{"appids":""}"# })]}}"#
      case .paths: ValidationTests.paths(list(3_750) { _ in #""/a b""# })
      }
    }

    private func components(path: String) -> String {
      ValidationTests.components(##"{"/":"\##(path)"}"##)
    }

    private func many(_ piece: String, _ count: Int) -> String {
      String(repeating: piece, count: count * Self.size)
    }

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
      (0..<count * Self.size).map(element).joined(separator: ",")
    }
  }

  @Test(arguments: HostileFile.allCases)
  func `a hostile file of the largest size takes no long time`(file: HostileFile) {
    let text = file.text
    #expect(text.utf8.count <= AppleLimits.fileBytes)
    let time = processorTime { #expect(Self.report(text).diagnostics.count <= 200) }
    // In a debug build; with all of the size a quadratic rule takes minutes.
    #expect(time < .seconds(60))
  }

  @Test func `a place is the same as the source counts it`() {
    let text = "{\r\n\"é\": 1,\r\"webcredentials\": []\n}"
    let source = SourceText(path: "f", bytes: Array(text.utf8))
    for diagnostic in Self.report(text).diagnostics {
      guard let place = diagnostic.location?.place else { continue }
      #expect(place == source.place(of: place.range))
    }
  }

  @Test func `garbage of any shape harms nothing`() {
    let pieces = [
      "\"applinks\"", "\"details\"", "\"appIDs\"", "\"components\"", "\"paths\"", "\"/\"", "\"?\"",
      "\"NOT \"", "\"$(\"", "\"%\"", "\"\\ud800\"", "\"a.b\"", "\"defaults\"",
      "\"substitutionVariables\"", "\"exclude\"", "1", "null", "true", "[]", "{}",
    ]
    var state: UInt64 = 7
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    func value(_ depth: Int) -> String {
      switch depth > 5 ? 2 : next(3) {
      case 0:
        return "{"
          + (0..<next(5)).map { _ in pieces[next(15)] + ":" + value(depth + 1) }
          .joined(separator: ",") + "}"
      case 1: return "[" + (0..<next(5)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
      default: return pieces[next(pieces.count)]
      }
    }
    for _ in 0..<rounds(500, stress: 3_000) {
      let text = "{" + pieces[next(5)] + ":" + value(0) + "}"
      let report = Self.report(text)
      #expect(report.isReadable || report.diagnostics.count == 1, "\(text)")
    }
  }

  /// The collected files beside the package, and their reports; empty if absent.
  static let field: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "shared/corpus")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { folder.path + "/" + $0 }
  }()

  @Test(.enabled(if: !field.isEmpty, "there is no ../shared/corpus beside the package"))
  func `every file from the field gets a verdict`() throws {
    var counts: [String: Int] = [:]
    for path in Self.field {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let report = validate(SourceText(path: path, bytes: bytes))
      counts[report.worst?.rawValue ?? "clean", default: 0] += 1
    }
    #expect(counts.values.reduce(0, +) == Self.field.count)
    // A note never fails anything.
    let fine = (counts["clean"] ?? 0) + (counts["note"] ?? 0)
    #expect(fine > Self.field.count / 2, "\(counts)")
  }
}
