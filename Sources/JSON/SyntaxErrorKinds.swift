package import Diagnostics

extension Diagnostics.Kind {
  /// All ways to break JSON, in the order of their codes.
  package static let ofSyntaxErrors = SyntaxError.Kind.allCases.map(made)

  private static func made(_ kind: SyntaxError.Kind) -> Diagnostics.Kind {
    let entry = pages[kind]
    return Diagnostics.Kind(
      kind.code, name(of: kind), entry?.what ?? "this is not JSON",
      kind == .wrongEncoding || kind == .byteOrderMark
        ? "Apple's parser may read it; whether devices and the CDN do, Apple does not say"
        : "the file is not read at all: devices read strict JSON only",
      kind == .wrongEncoding
        ? "RFC 8259 asks for UTF-8"
        : "RFC 8259; Apple's documentation asks for JSON (grade D)",
      severity: kind == .byteOrderMark ? .warning : .error, wrong: entry?.wrong,
      right: entry?.right)
  }

  /// `trailing-comma-in-object` for `trailingCommaInObject`.
  private static func name(of kind: SyntaxError.Kind) -> String {
    var name = ""
    var wasUpperCase = true
    for character in "\(kind)" {
      if character.isUppercase && !wasUpperCase { name += "-" }
      wasUpperCase = character.isUppercase
      name += character.lowercased()
    }
    return name
  }
}

private struct SyntaxErrorPage {
  let what: String
  let wrong: String?
  let right: String?

  init(_ what: String, _ wrong: String? = nil, _ right: String? = nil) {
    self.what = what
    self.wrong = wrong
    self.right = right
  }
}

private let right = #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#

/// One for each kind; a test checks that none is missing and that every example has its code.
private let pages: [SyntaxError.Kind: SyntaxErrorPage] = pagesOfFormats.merging(pagesOfStructure) {
  first, _ in first
}.merging(pagesOfTokens) { first, _ in first }

private let pagesOfFormats: [SyntaxError.Kind: SyntaxErrorPage] = [
  .empty: .init("the file is empty", "", right),
  .onlyWhiteSpace: .init("the file contains only white space", "\n", right),
  .byteOrderMark: .init(
    "the file begins with the bytes EF BB BF, which some editors write before UTF-8",
    "\u{FEFF}" + right, right),
  .wrongEncoding: .init("the file is written in UTF-16 or UTF-32 instead of UTF-8"),
  .html: .init(
    "the file is a web page: often the start page of a single-page app, a login page or a bot "
      + "challenge", "<!DOCTYPE html>\n<html></html>", right),
  .pem: .init("the file is a certificate or key in PEM", "-----BEGIN CERTIFICATE-----", right),
  .propertyList: .init(
    "the file is a property list, such as an app's entitlements",
    "<?xml version=\"1.0\"?><plist version=\"1.0\"></plist>", right),
  .yaml: .init("the file is YAML", "webcredentials:\n  apps:", right),
  .compressed: .init("the file is compressed with gzip"),
  .tooDeep: .init("objects and arrays are nested too deeply"),
  .tooLarge: .init("the text is too large to be read"),
  .comment: .init("the text contains a comment", "{} // the shop", "{}"),
  .ellipsis: .init(
    "the text contains `...`, copied from an example", #"{ "apps": [ ... ] }"#,
    #"{ "apps": [] }"#),
  .invisibleCharacter: .init(
    "there is an invisible character between the values", "{\u{A0}}", "{}"),
  .unexpectedCharacter: .init(
    "a character is not allowed in its place", #"{ "apps": @ }"#, #"{ "apps": "@" }"#),
]

private let pagesOfStructure: [SyntaxError.Kind: SyntaxErrorPage] = [
  .trailingCommaInObject: .init(
    "a comma follows the last member of an object", #"{ "apps": [], }"#, #"{ "apps": [] }"#),
  .trailingCommaInArray: .init(
    "a comma follows the last element of an array", #"{ "apps": ["a",] }"#,
    #"{ "apps": ["a"] }"#),
  .missingComma: .init(
    "a comma between two members or elements is missing", #"{ "apps": ["a" "b"] }"#,
    #"{ "apps": ["a", "b"] }"#),
  .missingColon: .init(
    "the colon between a key and its value is missing", #"{ "apps" [] }"#, #"{ "apps": [] }"#),
  .extraComma: .init(
    "a comma has nothing before it", #"{ "apps": ["a",, "b"] }"#, #"{ "apps": ["a", "b"] }"#),
  .missingValue: .init(
    "a key has no value", #"{ "apps": }"#, #"{ "apps": [] }"#),
  .missingKey: .init("a value has no key", #"{ : [] }"#, #"{ "apps": [] }"#),
  .colonInArray: .init(
    "there is a colon in an array", #"{ "apps": ["a": "b"] }"#, #"{ "apps": { "a": "b" } }"#),
  .unclosedObject: .init("an object is not closed", #"{ "apps": []"#, #"{ "apps": [] }"#),
  .unclosedArray: .init("an array is not closed", #"{ "apps": ["#, #"{ "apps": [] }"#),
  .mismatchedBracket: .init(
    "a bracket closes another kind than was opened", #"{ "apps": [} ]"#, #"{ "apps": [] }"#),
  .extraClosingBracket: .init("a bracket closes nothing", "{}}", "{}"),
  .textAfterEnd: .init("something follows the end of the JSON text", "{} {}", "{}"),
]

private let pagesOfTokens: [SyntaxError.Kind: SyntaxErrorPage] = [
  .unclosedString: .init(
    "a string has no closing quote on its line", "{ \"apps\": \"a\n}", #"{ "apps": "a" }"#),
  .controlCharacter: .init(
    "a control character, such as a tab, is in a string", "{ \"apps\": \"a\tb\" }",
    #"{ "apps": "a\tb" }"#),
  .badEscape: .init(
    "a backslash is not followed by one of JSON's escapes", #"{ "apps": "\d" }"#,
    #"{ "apps": "\\d" }"#),
  .badUnicodeEscape: .init(
    #"a `\u` is not followed by four hexadecimal digits"#, #"{ "apps": "\u12" }"#,
    #"{ "apps": "\u0012" }"#),
  .invalidUTF8: .init("bytes are not UTF-8"),
  .unescapedQuote: .init(
    "a quote within a string is not escaped", #"{ "apps": "a "b" c" }"#,
    #"{ "apps": "a \"b\" c" }"#),
  .singleQuotes: .init(
    "a string or key is in single quotes", "{ 'apps': [] }", #"{ "apps": [] }"#),
  .curlyQuotes: .init(
    "a string or key is in typographic quotes", "{ “apps”: [] }", #"{ "apps": [] }"#),
  .unquotedKey: .init("a key is not in quotes", "{ apps: [] }", #"{ "apps": [] }"#),
  .unquotedText: .init("a text is not in quotes", #"{ "apps": shop }"#, #"{ "apps": "shop" }"#),
  .leadingZero: .init("a number begins with a zero", #"{ "id": 012 }"#, #"{ "id": 12 }"#),
  .plusSign: .init("a number begins with a plus sign", #"{ "id": +1 }"#, #"{ "id": 1 }"#),
  .bareDecimalPoint: .init(
    "a number lacks a digit beside its point", #"{ "id": .5 }"#, #"{ "id": 0.5 }"#),
  .malformedNumber: .init(
    "a number is not written as JSON asks", #"{ "id": 1e }"#, #"{ "id": 1 }"#),
  .nanOrInfinity: .init("JSON has no NaN and no Infinity", #"{ "id": NaN }"#, #"{ "id": 0 }"#),
  .wrongLiteral: .init(
    "a word of another language stands for true, false or null", #"{ "exclude": True }"#,
    #"{ "exclude": true }"#),
]

extension SyntaxError.Kind {
  package var diagnosticKind: Diagnostics.Kind {
    byKind[self] ?? Diagnostics.Kind.ofSyntaxErrors[0]
  }
}

private let byKind = Dictionary(
  uniqueKeysWithValues: zip(SyntaxError.Kind.allCases, Diagnostics.Kind.ofSyntaxErrors))
