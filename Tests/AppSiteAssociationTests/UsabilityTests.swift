import Diagnostics
import Foundation
import Testing

@testable import AppSiteAssociation

@Suite struct UsabilityTests {
  static func source(_ bytes: [UInt8]) -> SourceText { SourceText(path: "f", bytes: bytes) }

  static func options(_ content: SignedContent?) -> ValidationOptions {
    var options = ValidationOptions()
    options.gzipSize = { _ in 1234 }
    options.signedContent = { _ in content }
    return options
  }

  /// The report of `validate`: a file without a form is unusable because of its first error.
  static func expected(_ source: SourceText, _ options: ValidationOptions) -> FileUsability {
    let report = validate(source, options: options)
    let fault = report.diagnostics.first { $0.severity == .error }
    switch report.form {
    case .json: return .json
    case .signed: return .signed
    case nil: return fault.map(FileUsability.unusable) ?? .json
    }
  }

  static let rows = FileFormTests.texts + FileFormTests.binaries

  @Test(arguments: rows) func `it agrees with validation`(_ row: FileFormTests.Row) {
    let source = Self.source(row.bytes)
    let options = Self.options(nil)
    #expect(usability(of: source, options: options) == Self.expected(source, options))
  }

  @Test(arguments: RuleSnapshotTests.codes)
  func `it agrees with validation on the corpus`(code: String) throws {
    for name in ["bad.json", "good.json"] {
      guard let bytes = RuleSnapshotTests.generated(code) ?? RuleSnapshotTests.read(code, name)
      else { continue }
      let source = Self.source(bytes)
      let options = Self.options(nil)
      #expect(usability(of: source, options: options) == Self.expected(source, options))
    }
  }

  @Test(arguments: [
    #"{"applinks": []}"#, #"{"applinks": {"details": "x"}}"#, #"{"webcredentials": 1}"#,
  ]) func `an error of the rules leaves a file usable`(text: String) {
    let source = Self.source(Array(text.utf8))
    #expect(validate(source).count(.error) > 0)
    #expect(usability(of: source) == .json)
  }

  @Test func `a file may have 131072 bytes and not one more`() {
    let atLimit = [0x7B, 0x7D] + [UInt8](repeating: 0x20, count: AppleLimits.fileBytes - 2)
    let options = Self.options(nil)
    #expect(usability(of: Self.source(atLimit), options: options) == .json)
    guard case .unusable(let fault) = usability(of: Self.source(atLimit + [0x20]), options: options)
    else {
      Issue.record("it was taken")
      return
    }
    #expect(fault.code == "A001")
    #expect(fault.note?.contains("1234") == true)
  }

  static let signed = FileFormTests.signed(contentOf: 40)
  static let untrusted = Diagnostic(
    Kind("A191", "x", "x", "x", nil), severity: .warning, "untrusted")
  static let broken = Diagnostic(Kind("A193", "x", "x", "x", nil), severity: .error, "altered")

  @Test(
    arguments: [
      // The content, the report on the signature, the code that makes the file unusable.
      ("{}", [untrusted], nil), ("{}", [broken], nil),
      (#"{"applinks": []}"#, [], nil), (" \n{}", [], nil),
      ("[]", [], "A002"), ("{", [untrusted], "J018"), ("", [], "J001"), ("x", [broken], "A193"),
      (nil, [untrusted, broken], "A193"), (nil, [untrusted], nil),
    ] as [(String?, [Diagnostic], String?)])
  func `of a signed file the content decides`(
    content: String?, diagnostics: [Diagnostic], code: String?
  ) {
    let source = Self.source(Self.signed)
    let bytes = content.map { Array($0.utf8) }
    var options = ValidationOptions()
    options.signedContent = {
      $0.bytes == Self.signed ? SignedContent(bytes: bytes, diagnostics: diagnostics) : nil
    }
    switch usability(of: source, options: options) {
    case .json: Issue.record("taken for JSON")
    case .signed: #expect(code == nil)
    case .unusable(let fault):
      #expect(fault.code == code)
      let report = validate(source, options: options)
      #expect(fault == report.diagnostics.first { $0.severity == .error })
    }
  }

  @Test func `without an extractor the form of a signed file decides`() {
    #expect(usability(of: Self.source(Self.signed)) == .signed)
  }

  @Test func `garbage of any length is unusable and harms nothing`() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for length in 0..<300 {
      var bytes: [UInt8] = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      if length > 0 { bytes[0] = 0x7B }
      let source = Self.source(bytes)
      #expect(usability(of: source) == Self.expected(source, ValidationOptions()))
    }
  }
}
