import Diagnostics
import JSON
import Testing

/// One way to break JSON: the text, the reader's message, and its place.
struct Broken: Sendable, CustomTestStringConvertible {
  let text: [UInt8]
  let kind: SyntaxError.Kind
  let range: Range<Int>
  let place: String
  /// Something that the message, and something that the help must say.
  let message: String
  let help: String

  init(
    _ text: String, _ kind: SyntaxError.Kind, _ range: Range<Int>, _ place: String,
    _ message: String, _ help: String
  ) {
    self.init(Array(text.utf8), kind, range, place, message, help)
  }

  init(
    _ text: [UInt8], _ kind: SyntaxError.Kind, _ range: Range<Int>, _ place: String,
    _ message: String, _ help: String
  ) {
    self.text = text
    self.kind = kind
    self.range = range
    self.place = place
    self.message = message
    self.help = help
  }

  var testDescription: String { escapingInvisible(String(decoding: text, as: UTF8.self)) }
}

@Suite struct SyntaxErrorTests {
  @Test(arguments: brokenFormats + brokenStructure + brokenTokens)
  func `each mistake has its kind, its place and its fix`(row: Broken) throws {
    let source = SourceText(path: "a.json", bytes: row.text)
    let error = try #require(throws: SyntaxError.self) { try Document(parsing: source) }
    #expect(error.kind == row.kind)
    #expect(error.range == row.range)
    let diagnostic = error.diagnostic(in: source)
    let place = try #require(diagnostic.location?.place)
    #expect("\(place.line):\(place.column)" == row.place)
    #expect(diagnostic.message.contains(row.message), "\(diagnostic.line)")
    #expect(diagnostic.help?.contains(row.help) == true, "\(diagnostic.line)")
    #expect(diagnostic.code == error.kind.diagnosticKind.code)
    #expect(diagnostic.message.first?.isUppercase == false || diagnostic.message.hasPrefix("JSON"))
    #expect(!diagnostic.message.hasSuffix("."))
  }

  @Test func `each kind has a row`() {
    let rows = Set((brokenFormats + brokenStructure + brokenTokens).map(\.kind))
    // Too large is in the tests of limits: its text would be large.
    #expect(Set(SyntaxError.Kind.all).subtracting(rows) == [.tooLarge])
  }

  @Test func `codes are distinct and have three digits`() {
    let codes = SyntaxError.Kind.all.map(\.diagnosticKind.code)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.count == 4 })
    #expect(SyntaxError.Kind.empty.diagnosticKind.code == "J001")
    #expect(SyntaxError.Kind.tooLarge.diagnosticKind.code == "J044")
  }

  @Test(arguments: [
    ("{\n  \"a\": [1, 2\n", "the array begins at line 2, column 8"),
    ("{\n  \"a\": 1\n", "the object begins at line 1, column 1"),
    ("{\n  \"a\": [1, 2}\n", "the array begins at line 2, column 8"),
    ("{\n  \"a\": \"\t\"}\n", "the string begins at line 2, column 8"),
  ]) func `a note points at the opening bracket`(text: String, note: String) throws {
    let source = SourceText(path: "a.json", bytes: Array(text.utf8))
    let error = try #require(throws: SyntaxError.self) { try Document(parsing: source) }
    #expect(error.diagnostic(in: source).note == note)
  }
}

private let brokenFormats: [Broken] = [
  Broken("", .empty, 0..<0, "1:1", "is empty", "write a JSON object"),
  Broken("{\\rtf1\\ansi}", .richText, 0..<5, "1:1", "rich text", "Make Plain Text"),
  Broken("PK\u{3}\u{4}x", .archive, 0..<2, "1:1", "zip archive", "unpack the archive"),
  Broken(
    "eyJhcHBsaW5rcyI6IHt9LCAid2Vi\n", .base64, 0..<28, "1:1", "Base64", "base64 --decode"),
  Broken("module.exports = {}", .javaScript, 0..<19, "1:1", "JavaScript", "as JSON"),
  Broken(
    "\n404 page not found", .plainText, 1..<19, "2:1", "404 page not found", "the JSON itself"),
  Broken("echo '{}' > f", .plainText, 0..<13, "1:1", "echo '{}' > f", "the JSON itself"),
  Broken("callback({})", .javaScript, 0..<12, "1:1", "JavaScript", "as JSON"),
  Broken(
    "data:application/json;base64,e30=", .base64, 0..<33, "1:1", "Base64", "base64 --decode"),
  Broken(
    "<<<<<<< HEAD\n{}", .mergeConflict, 0..<12, "1:1", "an unfinished merge",
    "one of the two versions"),
  Broken("```json\n{}\n```", .markdown, 0..<7, "1:1", "Markdown", "remove the two lines"),
  Broken([0, 0, 0, 0, 0], .zeroBytes, 0..<1, "1:1", "only zero bytes", "copy the file again"),
  Broken(
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", .lfsPointer, 0..<42, "1:1",
    "Git LFS", "git lfs pull"),
  Broken("%PDF-1.4", .otherFile, 0..<4, "1:1", "a document", "replace this file"),
  Broken(
    [0x89, 0x50, 0x4E, 0x47, 13], .otherFile, 0..<4, "1:1", "a picture", "replace this file"),
  Broken("{\\\"a\\\": 1}", .escapedTwice, 1..<3, "1:2", "as a string", "remove the backslashes"),
  Broken(" \r\n\t", .onlyWhiteSpace, 0..<4, "1:1", "only white space", "write a JSON object"),
  Broken("\u{FEFF}{}", .byteOrderMark, 0..<3, "1:1", "byte order mark", "save the file as"),
  // UTF-16 with a mark in either order, without one, and UTF-32.
  Broken([0xFF, 0xFE, 0x7B, 0], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0xFE, 0xFF, 0, 0x7B], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0x7B, 0, 0x7D, 0], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0, 0x7B, 0, 0x7D], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0x0A, 0, 0x7B, 0], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0x22, 0, 0x22, 0], .wrongEncoding, 0..<4, "1:1", "UTF-16", "UTF-8"),
  Broken([0, 0, 0, 0x7B], .wrongEncoding, 0..<4, "1:1", "UTF-32", "UTF-8"),
  Broken([0, 0, 0xFE, 0xFF], .wrongEncoding, 0..<4, "1:1", "UTF-32", "UTF-8"),
  Broken([0x7B, 0, 0, 0], .wrongEncoding, 0..<4, "1:1", "UTF-32", "UTF-8"),
  // A page instead of the file.
  Broken("<!doctype html>\n<p>", .html, 0..<15, "1:1", "HTML", "what its URL"),
  Broken("\n <html>", .html, 2..<8, "2:2", "HTML", "what its URL"),
  Broken("<Error/>", .html, 0..<8, "1:1", "XML", "what its URL"),
  Broken("-----BEGIN CERTIFICATE-----\n", .pem, 0..<27, "1:1", "PEM", "certificates folder"),
  Broken(
    "<?xml version=\"1.0\"?>\n<plist>", .propertyList, 0..<21, "1:1", "property list", "plutil"),
  Broken("bplist00\u{1}", .propertyList, 0..<6, "1:1", "property list", "plutil"),
  Broken("applinks:\n  details: []\n", .yaml, 0..<9, "1:1", "YAML", "as JSON"),
  Broken("---\na: 1\n", .yaml, 0..<3, "1:1", "YAML", "as JSON"),
  Broken("- a\n- b\n", .yaml, 0..<3, "1:1", "YAML", "as JSON"),
  Broken([0x1F, 0x8B, 8, 0, 0], .compressed, 0..<2, "1:1", "gzip", "gunzip"),
  Broken(
    String(repeating: "{\"a\":", count: 129), .tooDeep, 640..<641, "1:641", "more than 128",
    "close"),
]

private let brokenStructure: [Broken] = [
  // The comma itself must go.
  Broken("{\"a\": 1,\n}", .trailingCommaInObject, 7..<8, "1:8", "last member", "`{\"a\": 1}`"),
  Broken("[1, 2 ,\n\n]", .trailingCommaInArray, 6..<7, "1:7", "last element", "`[1, 2]`"),
  // The comma belongs after the value before it, not before the next one.
  Broken("{\"a\": 1\n \"b\": 2}", .missingComma, 7..<7, "1:8", "missing here", "a comma between"),
  Broken("[\"é\" \"b\"]", .missingComma, 5..<5, "1:5", "missing here", "a comma between"),
  Broken("[{} {}]", .missingComma, 3..<3, "1:4", "missing here", "a comma between"),
  Broken("[true false]", .missingComma, 5..<5, "1:6", "missing here", "a comma between"),
  Broken("[1; 2]", .missingComma, 2..<3, "1:3", "not `;`", "a comma between"),
  Broken("{\"a\" 1}", .missingColon, 4..<4, "1:5", "missing after this key", "between key and"),
  Broken("{\"a\"}", .missingColon, 4..<4, "1:5", "missing after this key", "between key and"),
  Broken("{\"a\" = 1}", .missingColon, 5..<6, "1:6", "not `=`", "between key and value"),
  Broken("{\"a\" => 1}", .missingColon, 5..<7, "1:6", "not `=>`", "between key and value"),
  Broken("[1,, 2]", .extraComma, 3..<4, "1:4", "nothing before", "remove the comma"),
  Broken("[,1]", .extraComma, 1..<2, "1:2", "nothing before", "remove the comma"),
  Broken("{\"a\":1,,\"b\":2}", .extraComma, 7..<8, "1:8", "nothing before", "remove"),
  Broken("{,}", .extraComma, 1..<2, "1:2", "nothing before", "remove the comma"),
  Broken("{\"a\":, \"b\": 1}", .missingValue, 5..<6, "1:6", "before `,`", "after the colon"),
  Broken("{\"a\": }", .missingValue, 6..<7, "1:7", "before `}`", "after the colon"),
  Broken("{: 1}", .missingKey, 1..<2, "1:2", "before `:`", "\"key\": \"value\""),
  Broken("[\"a\": 1]", .colonInArray, 4..<5, "1:5", "colon", "in braces"),
  // The fault is at the end; the note says which bracket is open.
  Broken("{\"a\": 1\n", .unclosedObject, 8..<8, "2:1", "before an object is closed", "`}`"),
  Broken("{\"a\":", .unclosedObject, 5..<5, "1:6", "before an object is closed", "`}`"),
  Broken("{", .unclosedObject, 1..<1, "1:2", "before an object is closed", "`}`"),
  Broken(
    #"{"a{": [{"b\"[": [1], "c": [2"#, .unclosedArray, 29..<29, "1:30", "before an array is closed",
    "write the missing `]}]}`; if the file is cut off, save or copy the whole file again"),
  Broken("[1,", .unclosedArray, 3..<3, "1:4", "before an array is closed", "`]`"),
  Broken("{\"a\": [1}", .mismatchedBracket, 8..<9, "1:9", "cannot close an array", "reverse"),
  Broken("[{\"a\": 1]", .mismatchedBracket, 8..<9, "1:9", "cannot close an object", "reverse"),
  Broken("[1, }", .mismatchedBracket, 4..<5, "1:5", "cannot close an array", "reverse"),
  Broken("{\"a\": 1}}\n", .extraClosingBracket, 8..<9, "1:9", "`}`", "remove this bracket"),
  Broken("]", .extraClosingBracket, 0..<1, "1:1", "`]`", "remove this bracket"),
  Broken("{}\n{}\n", .textAfterEnd, 3..<5, "2:1", "follows the end", "exactly one value"),
  Broken("{} // x \n", .comment, 3..<7, "1:4", "no comments", "remove `// x`"),
  Broken("{ /* a\nb */ }", .comment, 2..<11, "1:3", "no comments", "remove"),
  Broken("/* a", .comment, 0..<4, "1:1", "no comments", "remove"),
  Broken("[1, # x\n2]", .comment, 4..<7, "1:5", "no comments", "remove `# x`"),
  Broken("[1, ...]", .ellipsis, 4..<7, "1:5", "an example", "omitted text"),
  Broken("{\"a\": 1, …}", .ellipsis, 9..<12, "1:10", "an example", "omitted text"),
  Broken("{\u{A0}\"a\": 1}", .invisibleCharacter, 1..<3, "1:2", "U+00A0", "delete the character"),
  Broken("[\u{200B}1]", .invisibleCharacter, 1..<4, "1:2", "U+200B", "delete the character"),
  Broken("{}\0", .invisibleCharacter, 2..<3, "1:3", "U+0000", "delete the character"),
  Broken("[1 *]", .unexpectedCharacter, 3..<4, "1:4", "a comma or `]`", "remove the character"),
  Broken("{[1]: 2}", .unexpectedCharacter, 1..<2, "1:2", "a key in double", "remove the character"),
  Broken("{\"a\": :}", .unexpectedCharacter, 6..<7, "1:7", "the value of a member", "remove"),
]

private let brokenTokens: [Broken] = [
  Broken("[\"abc\n]", .unclosedString, 1..<5, "1:2", "no closing quote", "write `\"`"),
  Broken("[\"abc", .unclosedString, 1..<5, "1:2", "the file ends within it", "cut off"),
  Broken("[\"abc\r\n", .unclosedString, 1..<5, "1:2", "the file ends within it", "cut off"),
  Broken("[\"abc\\", .unclosedString, 1..<6, "1:2", "the file ends within it", "cut off"),
  Broken("[\"a\tb\"]", .controlCharacter, 3..<4, "1:4", "(U+0009)", "`\\t`"),
  Broken("[\"\u{1}\"]", .controlCharacter, 2..<3, "1:3", "(U+0001)", "`\\u0001`"),
  Broken(#"["/a\d"]"#, .badEscape, 4..<6, "1:5", #"`\d`"#, #"`\\`"#),
  Broken(#"["\é"]"#, .badEscape, 2..<5, "1:3", #"`\é`"#, #"`\\`"#),
  Broken(#"["\u00g0"]"#, .badUnicodeEscape, 2..<6, "1:3", #"`\u00`"#, "write all four"),
  // Latin-1, overlong, a surrogate, beyond U+10FFFF, cut short; in a string and outside.
  Broken([0x22, 0xE9, 0x22], .invalidUTF8, 1..<2, "1:2", "not UTF-8", "Latin-1"),
  Broken([0x22, 0xC0, 0x80, 0x22], .invalidUTF8, 1..<2, "1:2", "not UTF-8", "Latin-1"),
  Broken([0x22, 0xE0, 0x80, 0x80, 0x22], .invalidUTF8, 1..<4, "1:2", "not UTF-8", "Latin-1"),
  Broken([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, 1..<4, "1:2", "not UTF-8", "Latin-1"),
  Broken(
    [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, 1..<5, "1:2", "not UTF-8", "Latin-1"),
  Broken([0x22, 0xE2, 0x82, 0x22], .invalidUTF8, 1..<3, "1:2", "not UTF-8", "Latin-1"),
  Broken([0x5B, 0xFF, 0x5D], .invalidUTF8, 1..<2, "1:2", "not UTF-8", "Latin-1"),
  Broken(
    "[\"the \"best\" shop\"]", .unescapedQuote, 6..<7, "1:7", "ends the string", "\\\"best\\\""),
  Broken("{'a': 1}", .singleQuotes, 1..<4, "1:2", "double quotes", "for `'a'`"),
  Broken("['a b', 'c']", .singleQuotes, 1..<6, "1:2", "double quotes", "for `'a b'`"),
  Broken("{“a”: 1}", .curlyQuotes, 1..<4, "1:2", "`“` is a typographic", "smart quotes"),
  Broken("[‘a’]", .curlyQuotes, 1..<4, "1:2", "`‘` is a typographic", "smart quotes"),
  // Opened straight, closed curly.
  Broken("{\"a”: 1\n}", .curlyQuotes, 3..<6, "1:4", "`”` is a typographic", "smart quotes"),
  Broken("{a: 1}", .unquotedKey, 1..<2, "1:2", "`a`", "`\"a\": …`"),
  Broken("{1: 1}", .unquotedKey, 1..<2, "1:2", "`1`", "`\"1\": …`"),
  Broken("{my-key.x: 1}", .unquotedKey, 1..<9, "1:2", "`my-key.x`", "`\"my-key.x\": …`"),
  Broken("{\"a\": ABC.x}", .unquotedText, 6..<11, "1:7", "`ABC.x`", "`\"ABC.x\"`"),
  Broken("[tru]", .unquotedText, 1..<4, "1:2", "`tru`", "`\"tru\"`"),
  Broken("[truth]", .unquotedText, 1..<6, "1:2", "`truth`", "`\"truth\"`"),
  Broken("[trueish]", .unquotedText, 1..<8, "1:2", "`trueish`", "`\"trueish\"`"),
  Broken("[012]", .leadingZero, 1..<4, "1:2", "`012`", "without the zero"),
  Broken("[-01]", .leadingZero, 1..<4, "1:2", "`-01`", "without the zero"),
  Broken("[+1]", .plusSign, 1..<3, "1:2", "`+1`", "without the sign"),
  Broken("[.5]", .bareDecimalPoint, 1..<3, "1:2", "`.5`", "`0.5`"),
  Broken("[-.5]", .bareDecimalPoint, 1..<4, "1:2", "`-.5`", "`0.5`"),
  Broken("[5.]", .bareDecimalPoint, 1..<3, "1:2", "`5.`", "`5.0`"),
  Broken("[5.e1]", .bareDecimalPoint, 1..<5, "1:2", "`5.e1`", "`5.0`"),
  Broken("[1_000]", .malformedNumber, 1..<6, "1:2", "`1_000`", "write numbers as"),
  Broken("[0x1F]", .malformedNumber, 1..<5, "1:2", "`0x1F`", "write numbers as"),
  Broken("[1.2.3]", .malformedNumber, 1..<6, "1:2", "`1.2.3`", "write numbers as"),
  Broken("[1e]", .malformedNumber, 1..<3, "1:2", "`1e`", "write numbers as"),
  Broken("[- 1]", .malformedNumber, 1..<2, "1:2", "`-`", "write numbers as"),
  Broken("[NaN]", .nanOrInfinity, 1..<4, "1:2", "`NaN`", "write `null`"),
  Broken("[-Infinity]", .nanOrInfinity, 1..<10, "1:2", "`-Infinity`", "write `null`"),
  Broken("[True]", .wrongLiteral, 1..<5, "1:2", "`True`", "lower case"),
  Broken("{\"a\": None}", .wrongLiteral, 6..<10, "1:7", "`None`", "lower case"),
  Broken("[undefined]", .wrongLiteral, 1..<10, "1:2", "`undefined`", "lower case"),
]
