import Diagnostics
import Foundation
import JSON
import Testing

/// The files of nst/JSONTestSuite, when they are beside the package; they are not part of it.
@Suite struct JSONTestSuite {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/json/test_parsing")

  static let names: [String] = {
    let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    if found == nil { print("skipped: there is no JSONTestSuite at \(folder.path)") }
    return (found ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  /// The texts that may be accepted or refused, with the reason for our choice.
  static let decided: [String: Bool] = [
    // The grammar limits no exponent and no digits; only asking for the number rounds it.
    "i_number_double_huge_neg_exp.json": true,
    "i_number_huge_exp.json": true,
    "i_number_neg_int_huge_exp.json": true,
    "i_number_pos_double_huge_exp.json": true,
    "i_number_real_neg_overflow.json": true,
    "i_number_real_pos_overflow.json": true,
    "i_number_real_underflow.json": true,
    "i_number_too_big_neg_int.json": true,
    "i_number_too_big_pos_int.json": true,
    "i_number_very_big_negative_int.json": true,
    // Escaped surrogates alone are within the grammar (RFC 8259 section 8.2); they are U+FFFD.
    "i_object_key_lone_2nd_surrogate.json": true,
    "i_string_1st_surrogate_but_2nd_missing.json": true,
    "i_string_1st_valid_surrogate_2nd_invalid.json": true,
    "i_string_incomplete_surrogate_and_escape_valid.json": true,
    "i_string_incomplete_surrogate_pair.json": true,
    "i_string_incomplete_surrogates_escape_valid.json": true,
    "i_string_invalid_lonely_surrogate.json": true,
    "i_string_invalid_surrogate.json": true,
    "i_string_inverted_surrogates_U+1D11E.json": true,
    "i_string_lone_second_surrogate.json": true,
    // RFC 8259 section 8.1: JSON that is exchanged is UTF-8, and correct UTF-8.
    "i_string_UTF-16LE_with_BOM.json": false,
    "i_string_UTF-8_invalid_sequence.json": false,
    "i_string_UTF8_surrogate_U+D800.json": false,
    "i_string_invalid_utf-8.json": false,
    "i_string_iso_latin_1.json": false,
    "i_string_lone_utf8_continuation_byte.json": false,
    "i_string_not_in_unicode_range.json": false,
    "i_string_overlong_sequence_2_bytes.json": false,
    "i_string_overlong_sequence_6_bytes.json": false,
    "i_string_overlong_sequence_6_bytes_null.json": false,
    "i_string_truncated-utf-8.json": false,
    "i_string_utf16BE_no_BOM.json": false,
    "i_string_utf16LE_no_BOM.json": false,
    // More than the limit of 128 levels.
    "i_structure_500_nested_arrays.json": false,
    // Apple's fetchers refuse a byte order mark, so it must not be served.
    "i_structure_UTF-8_BOM_empty_object.json": false,
  ]

  @Test(arguments: names) func `each file is accepted or refused as it must be`(
    name: String
  ) throws {
    // Not `Data(contentsOf:)`: on Linux it leaks its buffer for an empty file.
    let file = try FileHandle(forReadingFrom: Self.folder.appending(path: name))
    let bytes = [UInt8](try file.readToEnd() ?? Data())
    let source = SourceText(path: name, bytes: bytes)
    let tree = Result { () throws(SyntaxError) in try Document(parsing: source).root.kind }
    switch name.prefix(2) {
    case "y_": #expect(throws: Never.self) { try tree.get() }
    case "n_": #expect(throws: SyntaxError.self) { try tree.get() }
    default:
      let expected = try #require(Self.decided[name] as Bool?)
      #expect(expected == ((try? tree.get()) != nil))
    }
    if case .failure(let error) = tree {
      #expect(error.range.lowerBound >= 0 && error.range.upperBound <= bytes.count)
      let diagnostic = error.diagnostic(in: source)
      #expect(!diagnostic.message.isEmpty && diagnostic.help != nil)
    }
  }
}
