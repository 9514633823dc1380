import Diagnostics
import Foundation
import Rules
import Synchronization
import Testing

@testable import AppSiteAssociation

/// Whether devices can read a file, and what `validate` says if not.
@Suite struct UsabilityTests {
  static func source(_ bytes: [UInt8]) -> SourceText { SourceText(path: "f", bytes: bytes) }

  static func options(_ content: SignedContent?) -> ValidationOptions {
    var options = ValidationOptions()
    options.gzipSize = { _ in 1234 }
    options.signedContent = { _ in content }
    return options
  }

  static let rows = FileFormTests.texts + FileFormTests.binaries

  @Test(arguments: rows) func `it agrees with validation`(_ row: FileFormTests.Row) {
    expectAgreement(Self.source(row.bytes))
  }

  @Test(arguments: RuleSnapshotTests.codes)
  func `it agrees with validation on the corpus`(code: String) throws {
    for name in ["bad.json", "good.json"] {
      guard let bytes = RuleSnapshotTests.generated(code) ?? RuleSnapshotTests.read(code, name)
      else { continue }
      expectAgreement(Self.source(bytes))
    }
  }

  @Test(arguments: [
    #"{"applinks": []}"#, #"{"applinks": {"details": "x"}}"#, #"{"webcredentials": 1}"#,
  ]) func `an error of the rules leaves a file usable`(text: String) {
    let source = Self.source(Array(text.utf8))
    #expect(validate(source).count(.error) > 0)
    #expect(AssociationFile(source).fault == nil)
  }

  @Test func `a usable file may have 131072 bytes and not one more`() {
    let atLimit = [0x7B, 0x7D] + [UInt8](repeating: 0x20, count: AppleLimits.fileBytes - 2)
    let options = Self.options(nil)
    #expect(AssociationFile(Self.source(atLimit), options: options).fault == nil)
    let fault = AssociationFile(Self.source(atLimit + [0x20]), options: options).fault
    #expect(fault?.code == "A001")
    #expect(fault?.note?.contains("1234") == true)
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
    let options = Self.options(SignedContent(bytes: bytes, diagnostics: diagnostics))
    let file = AssociationFile(source, options: options)
    #expect(file.fault?.code == code)
    #expect(file.form == .signed || code != nil)
    #expect((file.document != nil) == (code == nil && content != nil))
    if let fault = file.fault {
      #expect(fault == file.report(options).diagnostics.first { $0.severity == .error })
    }
  }

  @Test func `a signed file in a signed file is not opened`() {
    var options = ValidationOptions()
    options.signedContent = { SignedContent(bytes: $0.bytes, diagnostics: []) }
    #expect(AssociationFile(Self.source(Self.signed), options: options).fault?.code == "A003")
  }

  /// Reading, validating and using a file open it once in all.
  @Test func `a signed file is opened once`() {
    let count = Mutex(0)
    var options = ValidationOptions()
    options.signedContent = { _ in
      count.withLock { $0 += 1 }
      return SignedContent(bytes: Array("{}".utf8), diagnostics: [])
    }
    let file = AssociationFile(Self.source(Self.signed), options: options)
    #expect(file.report(options).diagnostics.contains { $0.code == "A010" })
    #expect(file.document != nil)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `without an extractor the form of a signed file decides`() {
    #expect(AssociationFile(Self.source(Self.signed)).form == .signed)
  }

  @Test func `garbage of any length is unusable and harms nothing`() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for length in 0..<300 {
      var bytes: [UInt8] = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      if length > 0 { bytes[0] = 0x7B }
      expectAgreement(Self.source(bytes))
    }
  }

  /// A file that cannot be read gets one report, and only such a file has no form.
  private func expectAgreement(_ source: SourceText) {
    let options = Self.options(nil)
    let file = AssociationFile(source, options: options)
    let report = file.report(options)
    #expect((file.fault == nil) == report.isReadable)
    if let fault = file.fault { #expect(report.diagnostics == [fault]) }
  }
}
