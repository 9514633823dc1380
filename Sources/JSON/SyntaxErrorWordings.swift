/// One entry for each kind; a test checks that none is missing.
let wordings: [SyntaxError.Kind: Wording] = wordingsOfFormats.merging(wordingsOfStructure) {
  first, _ in first
}.merging(wordingsOfTokens) { first, _ in first }

private let wordingsOfFormats: [SyntaxError.Kind: Wording] = [
  .empty: Wording(
    "the file is empty",
    help: "write a JSON object, for example `{\"applinks\": {\"details\": []}}`"),
  .onlyWhiteSpace: Wording(
    "the file contains only white space",
    help: "write a JSON object, for example `{\"applinks\": {\"details\": []}}`"),
  .byteOrderMark: Wording(
    "the file begins with a byte order mark (the bytes EF BB BF)",
    help: "save it as “UTF-8” and not as “UTF-8 with BOM”",
    note: "RFC 8259 section 8.1 forbids it"),
  .wrongEncoding: Wording(
    "the file is written in UTF-16 or UTF-32, not in UTF-8", help: "save it as “UTF-8”",
    note: "RFC 8259 section 8.1 demands UTF-8"),
  .html: Wording(
    "this is HTML or XML, not JSON",
    help: "put the JSON itself into the file; if it was downloaded, check what that address"
      + " returns",
    note: "typical sources are a single-page app that answers every path with its start page, a"
      + " login page, and a bot challenge"),
  .pem: Wording(
    "this is a PEM file (`%`), not JSON",
    help: "put certificates and keys into the certificates folder and the JSON here"),
  .propertyList: Wording(
    "this is a property list, not JSON",
    help: "an app's entitlements stay in the app; for a property list that is meant as JSON use"
      + " `plutil -convert json -o OUT.json IN.plist`"),
  .yaml: Wording(
    "this looks like YAML (`%`), not JSON",
    help: "write it as JSON: braces around members, double quotes around keys and strings, commas"
      + " between members"),
  .compressed: Wording(
    "this is a gzip file, not JSON",
    help: "store the file uncompressed, for example with `gunzip`; responses are compressed for"
      + " clients that accept it"),
  .tooDeep: Wording(
    { error, _ in "objects and arrays are nested more than \(error.limit) levels deep" },
    help: "close the ones that are complete; a file that needs this depth is not an association"
      + " file"),
  .tooLarge: Wording(
    { error, _ in "the text is larger than \(error.limit) bytes" },
    help: "make it smaller, or check that it is the right file"),
]

private let wordingsOfStructure: [SyntaxError.Kind: Wording] = [
  .trailingCommaInObject: Wording(
    "a comma follows the last member of the object",
    help: "remove this comma: `{\"a\": 1}`, not `{\"a\": 1,}`"),
  .trailingCommaInArray: Wording(
    "a comma follows the last element of the array",
    help: "remove this comma: `[1, 2]`, not `[1, 2,]`"),
  .missingComma: Wording(
    { error, found in
      let place = error.range.isEmpty ? "is missing here" : "belongs here and not `\(found)`"
      return "a comma \(place)"
    }, help: "put a comma between two members or elements: `[1, 2]`, `{\"a\": 1, \"b\": 2}`"),
  .missingColon: Wording(
    { error, found in
      let place = error.range.isEmpty ? "is missing after this key" : "belongs here, not `\(found)`"
      return "a colon \(place)"
    }, help: "write a colon between key and value: `\"key\": \"value\"`"),
  .extraComma: Wording(
    "there is nothing before this comma",
    help: "remove the comma, or write what is missing: `[1, 2]`, not `[1,, 2]`"),
  .missingValue: Wording(
    "the value of this member is missing before `%`",
    help: "write a value after the colon, for example `\"key\": \"value\"`"),
  .missingKey: Wording(
    "the key of this member is missing before `:`",
    help: "write a key in double quotes: `\"key\": \"value\"`"),
  .colonInArray: Wording(
    "a colon is not allowed in an array",
    help: "write members in braces: `{\"key\": \"value\"}`, or a comma for the colon"),
  .unclosedObject: Wording(
    "the file ends before an object is closed", help: "write the missing `}`"),
  .unclosedArray: Wording(
    "the file ends before an array is closed", help: "write the missing `]`"),
  .mismatchedBracket: Wording(
    { _, found in
      found == "}"
        ? "`}` cannot close an array: it was opened with `[`"
        : "`]` cannot close an object: it was opened with `{`"
    }, help: "close brackets in the reverse order of opening: `{\"a\": [1, 2]}`"),
  .extraClosingBracket: Wording(
    "this `%` has no opening bracket",
    help: "remove it, or write the opening bracket that is missing before it"),
  .textAfterEnd: Wording(
    "something follows the end of the JSON text: `%`",
    help: "remove it: a file contains exactly one value; two objects become one by joining their"
      + " members"),
  .comment: Wording(
    "JSON has no comments",
    help: "remove `%`; in an association file the key `comment` of a"
      + " component holds a remark: `{\"/\": \"/buy/*\", \"comment\": \"the shop\"}`"),
  .ellipsis: Wording(
    "`%` was probably copied from an example where it stands for something left out",
    help: "write out what it stands for, or remove it"),
  .invisibleCharacter: Wording(
    "there is an invisible character (%) between the values",
    help: "delete it and type a space or nothing; text copied from web pages and chats often"
      + " contains such characters"),
  .unexpectedCharacter: Wording(
    { error, found in "`\(found)` is not allowed here: \(error.expected.words)" },
    help: "remove it, or put text into double quotes: `\"text\"`"),
]

private let wordingsOfTokens: [SyntaxError.Kind: Wording] = [
  .unclosedString: Wording(
    "this string has no closing quote on its line",
    help: "write `\"` at its end; a line break within a string is written `\\n`"),
  .controlCharacter: Wording(
    "there is a control character (%) in a string",
    help: "remove it or write it as an escape: a tab is `\\t`, any other `\\u` and four"
      + " hexadecimal digits, such as `\\u0001`"),
  .badEscape: Wording(
    "`%` is not an escape sequence of JSON",
    help: "write a backslash itself as `\\\\`; the escapes are `\\\"`, `\\\\`, `\\/`, `\\b`,"
      + " `\\f`, `\\n`, `\\r`, `\\t` and `\\uXXXX`"),
  .badUnicodeEscape: Wording(
    "`%` lacks one of the four hexadecimal digits of a `\\u` escape",
    help: "write all four, for example `\\u00e9` for é, or the character itself"),
  .invalidUTF8: Wording(
    "these bytes are not UTF-8",
    help: "save the file as “UTF-8”: it may be in Latin-1 or Windows-1252 now"),
  .unescapedQuote: Wording(
    "this quote ends the string, but text follows it",
    help: "write a quote within a string as `\\\"`: `\"the \\\"best\\\" shop\"`; between two"
      + " strings write a comma"),
  .singleQuotes: Wording(
    "JSON strings and keys are in double quotes, not in `'`", help: "write `\"text\"` for `%`"),
  .curlyQuotes: Wording(
    "`%` is a typographic quote; JSON needs the straight quote `\"`",
    help: "replace it by `\"` and switch “smart quotes” off in the editor",
    note: "word processors, chats and web pages make them"),
  .unquotedKey: Wording(
    "the key `%` is not in double quotes", help: "write `\"%\": …`"),
  .unquotedText: Wording(
    "`%` is neither a number nor `true`, `false` or `null`",
    help: "put text into double quotes: `\"%\"`"),
  .leadingZero: Wording(
    "the number `%` begins with a zero",
    help: "write it without the zero, or in double quotes when the digits are a text: `\"%\"`"),
  .plusSign: Wording(
    "the number `%` begins with a plus sign", help: "write it without the sign"),
  .bareDecimalPoint: Wording(
    "the number `%` lacks a digit beside its decimal point",
    help: "write a digit on both sides: `0.5`, `5.0`"),
  .malformedNumber: Wording(
    "`%` is not a number of JSON",
    help: "write numbers as `12`, `-1.5` or `2e3`; put text into double quotes: `\"%\"`"),
  .nanOrInfinity: Wording(
    "JSON has no `%`", help: "write `null`, or a number such as `0`"),
  .wrongLiteral: Wording(
    "`%` is a word of another language",
    help: "write `true`, `false` or `null`, in lower case; put text into double quotes: `\"%\"`"),
]

extension SyntaxError.Expected {
  /// For the end of a sentence.
  var words: String {
    switch self {
    case .text: "a JSON text begins with `{`"
    case .element: "an element of an array is expected"
    case .memberValue: "the value of a member is expected"
    case .key: "a key in double quotes is expected"
    case .colon: "a colon is expected"
    case .commaOrBrace: "a comma or `}` is expected"
    case .commaOrBracket: "a comma or `]` is expected"
    case .end: "the text is complete"
    }
  }
}
