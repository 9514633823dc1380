import AppSiteAssociation
import Diagnostics
import JSON
import Testing

@Suite struct FileFormTests {
  /// Which form a file has, or the code of the diagnostic that refuses it; `J` for all of the JSON
  /// grammar's.
  enum Outcome: Equatable {
    case json, signed
    case refused(String)
  }

  static func outcome(of bytes: [UInt8]) -> Outcome {
    let file = AssociationFile(SourceText(path: "file", bytes: bytes))
    if let fault = file.fault {
      return .refused(Kind.ofSyntaxErrors.contains(fault.kind) ? "J" : fault.code)
    }
    return file.form == .signed ? .signed : .json
  }

  struct Row: CustomTestStringConvertible {
    let bytes: [UInt8]
    let expected: Outcome
    let testDescription: String

    init(_ text: String, _ expected: Outcome, _ why: String) {
      self.init(Array(text.utf8), expected, why)
    }

    init(_ bytes: [UInt8], _ expected: Outcome, _ why: String) {
      self.bytes = bytes
      self.expected = expected
      testDescription = why
    }
  }

  static let texts = [
    Row("{}", .json, "the smallest object"),
    Row(#"{"applinks":{"details":[]}}"#, .json, "an association"),
    Row(" \t\r\n{} \t\r\n", .json, "white space around"),
    Row("[]", .refused("A002"), "an array at the top"),
    Row(#""applinks""#, .refused("A002"), "a string at the top"),
    Row("true", .refused("A002"), "a literal at the top"),
    Row("17", .refused("A002"), "a number at the top"),
    // The first byte of DER is the digit 0: these are texts nevertheless.
    Row("0", .refused("A002"), "the number 0"),
    Row("0\n", .refused("A002"), "the number 0 and a line end"),
    Row("0\r\n", .refused("A002"), "the number 0 and CR LF"),
    Row("0\t", .refused("A002"), "the number 0 and a tab"),
    Row("0 ", .refused("A002"), "the number 0 and a space"),
    Row("0.5", .refused("A002"), "a fraction"),
    Row("00", .refused("J"), "a leading zero"),
    Row("0x10", .refused("J"), "a hexadecimal number"),
    Row("", .refused("J"), "nothing"),
    Row(" \n", .refused("J"), "white space only"),
    Row("{", .refused("J"), "cut off"),
    Row("{}{}", .refused("J"), "two texts"),
    Row("\u{FEFF}{}", .json, "a byte order mark"),
    Row("\u{FEFF}\u{FEFF}{}", .refused("J"), "two byte order marks"),
    Row([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .refused("J"), "no UTF-8"),
    Row("<html></html>", .refused("J"), "a web page"),
    Row("-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----\n", .refused("J"), "PEM"),
  ]

  @Test(arguments: texts)
  func `a text is usable when its top level is an object`(_ row: Row) {
    #expect(Self.outcome(of: row.bytes) == row.expected)
  }

  /// id-signedData, 1.2.840.113549.1.7.2
  static let signedData: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]
  /// id-data, 1.2.840.113549.1.7.1
  static let plainData: [UInt8] = Array(signedData.dropLast()) + [0x01]

  /// A DER element: tag, length in the shortest form, content.
  static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    var octets: [UInt8] = []
    var rest = count
    while rest > 0 {
      octets.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(octets.count)] + octets + content
  }

  static func signed(contentOf count: Int) -> [UInt8] {
    der(0x30, signedData + der(0xA0, [UInt8](repeating: 0x55, count: count)))
  }

  static let binaries = [
    Row(signed(contentOf: 0), .signed, "the shortest form of length"),
    // A length of 0x20 to 0x7E looks like a letter of a text.
    Row(signed(contentOf: 0x40 - 13), .signed, "a length that is the letter @"),
    Row(signed(contentOf: 0x7B - 13), .signed, "a length that is a brace"),
    Row(signed(contentOf: 200), .signed, "a length of one octet"),
    Row(signed(contentOf: 4_000), .signed, "a length of two octets"),
    Row(signed(contentOf: 100_000), .signed, "a length of three octets"),
    Row([0x30, 0x84, 0, 0, 0, 13] + signedData + [0xA0, 0], .signed, "a length of four octets"),
    Row(signed(contentOf: 4_000).dropLast(), .refused("A003"), "cut off by one byte"),
    Row(signed(contentOf: 4_000) + [0x0A], .refused("A003"), "a line end appended"),
    Row([0x30, 0x82], .refused("A003"), "cut off in the length"),
    Row(
      [0x30, 0x80] + signedData + [0, 0], .refused("A003"), "an indefinite length (streaming BER)"),
    Row([0x30, 0x85, 0, 0, 0, 0, 0], .refused("A003"), "a length of five octets"),
    Row([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .refused("A003"), "the largest length"),
    Row([0x30, 0xFF], .refused("A003"), "a reserved length"),
    Row(der(0x30, plainData + der(0xA0, [1, 2, 3])), .refused("A003"), "CMS, not signed"),
    Row(der(0x30, [UInt8](repeating: 2, count: 300)), .refused("A003"), "DER, but no CMS"),
    Row([0x30, 0x00], .refused("A003"), "an empty sequence"),
  ]

  @Test(arguments: binaries)
  func `a signed file is taken whole or not at all`(_ row: Row) {
    #expect(Self.outcome(of: Array(row.bytes)) == row.expected)
  }

  @Test func `a file may have 131072 bytes and not one more`() {
    #expect(AppleLimits.fileBytes == 131_072)
    let atLimit = [0x7B, 0x7D] + [UInt8](repeating: 0x20, count: AppleLimits.fileBytes - 2)
    #expect(Self.outcome(of: atLimit) == .json)
    #expect(Self.outcome(of: atLimit + [0x20]) == .refused("A001"))
    #expect(Self.outcome(of: Self.signed(contentOf: AppleLimits.fileBytes)) == .refused("A001"))
  }

  @Test func `garbage of any length is refused and harms nothing`() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for length in 0..<300 {
      var bytes: [UInt8] = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      for first in [nil, 0x30, 0x7B] as [UInt8?] {
        if let first, length > 0 { bytes[0] = first }
        guard case .refused = Self.outcome(of: bytes) else {
          Issue.record("taken: \(bytes)")
          continue
        }
      }
    }
  }

  @Test func `a refusal says where`() throws {
    let source = SourceText(path: "d/example.com.json", bytes: Array("\n\n  []".utf8))
    let diagnostic = try #require(AssociationFile(source).fault)
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.location?.path == "d/example.com.json")
    #expect(diagnostic.location?.place?.line == 3)
    #expect(diagnostic.location?.place?.column == 3)
  }
}
