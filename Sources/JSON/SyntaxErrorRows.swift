internal import Diagnostics

/// The kinds of syntax errors that people make. A test checks that every example produces its code.
extension SyntaxError.Kind {
  package static let empty = SyntaxError.Kind(
    "J001", "empty", "the file is empty", wrong: "", right: right,
    help: "write a JSON object, for example `" + example + "`")
  package static let onlyWhiteSpace = SyntaxError.Kind(
    "J002", "only-white-space", "the file contains only white space", wrong: "\n", right: right,
    help: "write a JSON object, for example `" + example + "`")
  package static let byteOrderMark = SyntaxError.Kind(
    "J003", "byte-order-mark",
    "the file begins with the bytes EF BB BF, which some editors write before UTF-8",
    wrong: "\u{FEFF}" + right, right: right,
    message: "the file begins with a byte order mark (the bytes EF BB BF)",
    help: "save the file as “UTF-8”, not as “UTF-8 with BOM”",
    note: "RFC 8259 section 8.1 forbids a byte order mark",
    consequence: unclear, severity: .warning)
  package static let wrongEncoding = SyntaxError.Kind(
    "J004", "wrong-encoding", "the file is written in UTF-16 or UTF-32 instead of UTF-8",
    message: "the file is written in UTF-16 or UTF-32, not in UTF-8",
    help: "save the file as “UTF-8”",
    note: "RFC 8259 section 8.1 demands UTF-8", consequence: unclear,
    source: "RFC 8259 asks for UTF-8")
  package static let html = SyntaxError.Kind(
    "J005", "html",
    "the file is a web page: often the start page of a single-page app, a login page or a bot "
      + "challenge", wrong: "<!DOCTYPE html>\n<html></html>", right: right,
    message: "this is HTML or XML, not JSON",
    help: "put the JSON itself into the file; if you downloaded the file, check what its URL"
      + " returns",
    note: "typical sources are a single-page app that answers every path with its start page, a"
      + " login page, and a bot challenge")
  package static let pem = SyntaxError.Kind(
    "J006", "pem", "the file is a certificate or key in PEM", wrong: "-----BEGIN CERTIFICATE-----",
    right: right,
    message: "this is a PEM file (`%`), not JSON",
    help: "put certificates and keys into the certificates folder, and only JSON into this file")
  package static let propertyList = SyntaxError.Kind(
    "J007", "property-list", "the file is a property list, such as an app's entitlements",
    wrong: "<?xml version=\"1.0\"?><plist version=\"1.0\"></plist>", right: right,
    message: "this is a property list, not JSON",
    help: "keep an app's entitlements in the app; to convert a property list to JSON, use"
      + " `plutil -convert json -o OUT.json IN.plist`")
  package static let yaml = SyntaxError.Kind(
    "J008", "yaml", "the file is YAML", wrong: "webcredentials:\n  apps:", right: right,
    message: "this looks like YAML (`%`), not JSON",
    help: "write the content as JSON: braces around members, double quotes around keys and "
      + "strings, commas between members")
  package static let compressed = SyntaxError.Kind(
    "J009", "compressed", "the file is compressed with gzip",
    message: "this is a gzip file, not JSON",
    help: "store the file uncompressed, for example with `gunzip`; aasa compresses responses"
      + " for clients that accept gzip")
  package static let richText = SyntaxError.Kind(
    "J045", "rich-text", "the file is rich text (RTF), the default format of TextEdit",
    wrong: "{\\rtf1\\ansi {}}", right: right,
    message: "this is rich text (RTF), not JSON",
    help: "in TextEdit choose Format > Make Plain Text, then save the file again")
  package static let archive = SyntaxError.Kind(
    "J046", "archive", "the file is a zip archive", message: "this is a zip archive, not JSON",
    help: "unpack the archive, and serve the file in it")
  package static let base64 = SyntaxError.Kind(
    "J047", "base64", "the file is JSON in Base64",
    wrong: "eyJ3ZWJjcmVkZW50aWFscyI6IHsiYXBwcyI6IFtdfX0=",
    right: right, message: "this is Base64, not JSON",
    help: "decode the text and serve the result: `base64 --decode`")
  package static let javaScript = SyntaxError.Kind(
    "J048", "java-script", "the file is a program in JavaScript", wrong: "module.exports = {}",
    right: right,
    message: "this is JavaScript (`%`), not JSON",
    help: "serve the object alone, as JSON: keys and strings in double quotes, no comma after"
      + " the last member")
  package static let plainText = SyntaxError.Kind(
    "J049", "plain-text", "the file is plain text, such as a server's error message",
    wrong: "404 page not found", right: right, message: "this is plain text (`%`), not JSON",
    help: "put the JSON itself into the file; if you downloaded the file, check what its URL"
      + " returns")
  package static let mergeConflict = SyntaxError.Kind(
    "J050", "merge-conflict", "a merge left conflict markers in the file",
    wrong: "<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> main", right: right,
    message: "this line is a conflict marker of an unfinished merge",
    help:
      "keep one of the two versions, and remove the lines that begin with `<<<<<<<`, `=======` and"
      + " `>>>>>>>`")
  package static let markdown = SyntaxError.Kind(
    "J051", "markdown", "the file is a piece of Markdown", wrong: "```json\n{}\n```", right: right,
    message: "this is Markdown, not JSON: its lines of backquotes enclose code",
    help: "remove the two lines of backquotes, and keep the text between them")
  package static let otherFile = SyntaxError.Kind(
    "J052", "other-file", "the file is a picture or a document",
    message: "this is a picture or a document, not JSON",
    help: "replace this file with the JSON file")
  package static let escapedTwice = SyntaxError.Kind(
    "J053", "escaped-twice", "the quotes are escaped, as inside a string",
    wrong: #"{\"apps\": []}"#,
    right: #"{"apps": []}"#,
    message: "the quotes are escaped: the text was encoded as a string",
    help: "remove the backslashes before the quotes: `{\"key\": \"value\"}`")
  package static let zeroBytes = SyntaxError.Kind(
    "J054", "zero-bytes", "the file contains only zero bytes",
    message: "the file contains only zero bytes, probably because of a crash while the file "
      + "was written",
    help: "copy the file again")
  package static let lfsPointer = SyntaxError.Kind(
    "J055", "lfs-pointer", "the file is a Git LFS pointer",
    wrong: "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 221\n", right: right,
    message: "this is a Git LFS pointer, not the file itself",
    help: "run `git lfs pull`, or keep the file in Git itself")
  package static let comment = SyntaxError.Kind(
    "J039", "comment", "the text contains a comment", wrong: "{} // the shop", right: "{}",
    message: "JSON has no comments",
    help: "remove `%`; in an association file the key `comment` of a"
      + " component holds a remark: `{\"/\": \"/buy/*\", \"comment\": \"the shop\"}`")
  package static let ellipsis = SyntaxError.Kind(
    "J040", "ellipsis", "the text contains `...`, copied from an example",
    wrong: #"{ "apps": [ ... ] }"#,
    right: #"{ "apps": [] }"#,
    message: "`%` was probably copied from an example, where `%` stands for omitted text",
    help: "replace the ellipsis with the omitted text, or remove the ellipsis")
  package static let invisibleCharacter = SyntaxError.Kind(
    "J041", "invisible-character", "there is an invisible character between the values",
    wrong: "{\u{A0}}", right: "{}",
    message: "there is an invisible character (%) between the values",
    help: "delete the character; if a space is needed, type a normal space; text copied from web "
      + "pages and chats often contains invisible characters")
  package static let unexpectedCharacter = SyntaxError.Kind(
    "J042", "unexpected-character", "a character is not allowed at its position",
    wrong: #"{ "apps": @ }"#, right: #"{ "apps": "@" }"#,
    message: { error, found in "`\(found)` is not allowed here: \(error.expected.words)" },
    help: "remove the character, or put text into double quotes: `\"text\"`")
  package static let tooDeep = SyntaxError.Kind(
    "J043", "too-deep", "objects and arrays are nested too deeply",
    message: { error, _ in "objects and arrays are nested more than \(error.limit) levels deep" },
    help: "close the objects and arrays that are complete; a file that needs this depth is not an"
      + " association file")
  package static let tooLarge = SyntaxError.Kind(
    "J044", "too-large", "the text is too large to be read",
    message: { error, _ in "the text is larger than \(error.limit) bytes" },
    help: "make the file smaller, or check that it is the right file")

  package static let trailingCommaInObject = SyntaxError.Kind(
    "J010", "trailing-comma-in-object", "a comma follows the last member of an object",
    wrong: #"{ "apps": [], }"#,
    right: #"{ "apps": [] }"#, message: "a comma follows the last member of the object",
    help: "remove this comma: `{\"a\": 1}`, not `{\"a\": 1,}`")
  package static let trailingCommaInArray = SyntaxError.Kind(
    "J011", "trailing-comma-in-array", "a comma follows the last element of an array",
    wrong: #"{ "apps": ["a",] }"#,
    right: #"{ "apps": ["a"] }"#, message: "a comma follows the last element of the array",
    help: "remove this comma: `[1, 2]`, not `[1, 2,]`")
  package static let missingComma = SyntaxError.Kind(
    "J012", "missing-comma", "a comma between two members or elements is missing",
    wrong: #"{ "apps": ["a" "b"] }"#,
    right: #"{ "apps": ["a", "b"] }"#,
    message: { error, found in
      let place = error.range.isEmpty ? "is missing here" : "belongs here and not `\(found)`"
      return "a comma \(place)"
    }, help: "put a comma between two members or elements: `[1, 2]`, `{\"a\": 1, \"b\": 2}`")
  package static let missingColon = SyntaxError.Kind(
    "J013", "missing-colon", "the colon between a key and its value is missing",
    wrong: #"{ "apps" [] }"#,
    right: #"{ "apps": [] }"#,
    message: { error, found in
      let place = error.range.isEmpty ? "is missing after this key" : "belongs here, not `\(found)`"
      return "a colon \(place)"
    }, help: "write a colon between key and value: `\"key\": \"value\"`")
  package static let extraComma = SyntaxError.Kind(
    "J014", "extra-comma", "a comma has nothing before it", wrong: #"{ "apps": ["a",, "b"] }"#,
    right: #"{ "apps": ["a", "b"] }"#, message: "there is nothing before this comma",
    help: "remove the comma, or write what is missing: `[1, 2]`, not `[1,, 2]`")
  package static let missingValue = SyntaxError.Kind(
    "J015", "missing-value", "a key has no value", wrong: #"{ "apps": }"#,
    right: #"{ "apps": [] }"#,
    message: "the value of this member is missing before `%`",
    help: "write a value after the colon, for example `\"key\": \"value\"`")
  package static let missingKey = SyntaxError.Kind(
    "J016", "missing-key", "a value has no key", wrong: #"{ : [] }"#, right: #"{ "apps": [] }"#,
    message: "the key of this member is missing before `:`",
    help: "write a key in double quotes: `\"key\": \"value\"`")
  package static let colonInArray = SyntaxError.Kind(
    "J017", "colon-in-array", "there is a colon in an array", wrong: #"{ "apps": ["a": "b"] }"#,
    right: #"{ "apps": { "a": "b" } }"#, message: "a colon is not allowed in an array",
    help: "write members in braces: `{\"key\": \"value\"}`, or replace the colon with a comma")
  package static let unclosedObject = SyntaxError.Kind(
    "J018", "unclosed-object", "an object is not closed", wrong: #"{ "apps": []"#,
    right: #"{ "apps": [] }"#,
    message: "the file ends before an object is closed", help: "write the missing `}`")
  package static let unclosedArray = SyntaxError.Kind(
    "J019", "unclosed-array", "an array is not closed", wrong: #"{ "apps": ["#,
    right: #"{ "apps": [] }"#,
    message: "the file ends before an array is closed", help: "write the missing `]`")
  package static let mismatchedBracket = SyntaxError.Kind(
    "J020", "mismatched-bracket", "a closing bracket does not match the opening bracket",
    wrong: #"{ "apps": [} ]"#,
    right: #"{ "apps": [] }"#,
    message: { _, found in
      found == "}"
        ? "`}` cannot close an array that was opened with `[`"
        : "`]` cannot close an object that was opened with `{`"
    }, help: "close brackets in the reverse order of opening: `{\"a\": [1, 2]}`")
  package static let extraClosingBracket = SyntaxError.Kind(
    "J021", "extra-closing-bracket", "a closing bracket has no opening bracket",
    wrong: "{}}", right: "{}",
    message: "this `%` has no opening bracket",
    help: "remove this bracket, or write the missing opening bracket before it")
  package static let textAfterEnd = SyntaxError.Kind(
    "J022", "text-after-end", "something follows the end of the JSON text", wrong: "{} {}",
    right: "{}",
    message: "something follows the end of the JSON text: `%`",
    help: "remove this text: a file contains exactly one value; to merge two objects, join their"
      + " members")

  package static let unclosedString = SyntaxError.Kind(
    "J023", "unclosed-string", "a string has no closing quote on its line",
    wrong: "{ \"apps\": \"a\n}",
    right: #"{ "apps": "a" }"#, message: "this string has no closing quote on its line",
    help: "write `\"` at the end of the string; a line break within a string is written `\\n`")
  package static let controlCharacter = SyntaxError.Kind(
    "J024", "control-character", "a control character, such as a tab, is in a string",
    wrong: "{ \"apps\": \"a\tb\" }",
    right: #"{ "apps": "a\tb" }"#, message: "there is a control character (%) in a string",
    help: "remove the character or write it as an escape: a tab is `\\t`, any other character "
      + "`\\u` and four hexadecimal digits, such as `\\u0001`")
  package static let badEscape = SyntaxError.Kind(
    "J025", "bad-escape", "a backslash is not followed by one of JSON's escapes",
    wrong: #"{ "apps": "\d" }"#,
    right: #"{ "apps": "\\d" }"#, message: "`%` is not an escape sequence of JSON",
    help: "write a backslash itself as `\\\\`; the escapes are `\\\"`, `\\\\`, `\\/`, `\\b`,"
      + " `\\f`, `\\n`, `\\r`, `\\t` and `\\uXXXX`")
  package static let badUnicodeEscape = SyntaxError.Kind(
    "J026", "bad-unicode-escape", #"a `\u` is not followed by four hexadecimal digits"#,
    wrong: #"{ "apps": "\u12" }"#,
    right: #"{ "apps": "\u0012" }"#,
    message: "`%` lacks one of the four hexadecimal digits of a `\\u` escape",
    help: "write all four digits, for example `\\u00e9` for é, or the character itself")
  package static let invalidUTF8 = SyntaxError.Kind(
    "J027", "invalid-utf8", "bytes are not UTF-8", message: "these bytes are not UTF-8",
    help: "save the file as “UTF-8”: the file may now be in Latin-1 or Windows-1252")
  package static let unescapedQuote = SyntaxError.Kind(
    "J028", "unescaped-quote", "a quote within a string is not escaped",
    wrong: #"{ "apps": "a "b" c" }"#,
    right: #"{ "apps": "a \"b\" c" }"#, message: "this quote ends the string, but text follows it",
    help: "write a quote within a string as `\\\"`: `\"the \\\"best\\\" shop\"`; between two"
      + " strings write a comma")
  package static let singleQuotes = SyntaxError.Kind(
    "J029", "single-quotes", "a string or key is in single quotes", wrong: "{ 'apps': [] }",
    right: #"{ "apps": [] }"#,
    message: "JSON strings and keys are in double quotes, not in `'`",
    help: "write `\"text\"` for `%`")
  package static let curlyQuotes = SyntaxError.Kind(
    "J030", "curly-quotes", "a string or key is in typographic quotes", wrong: "{ “apps”: [] }",
    right: #"{ "apps": [] }"#,
    message: "`%` is a typographic quote; JSON needs the straight quote `\"`",
    help: "replace the quote with `\"` and turn off “smart quotes” in the editor",
    note: "word processors, chats and web pages produce typographic quotes")
  package static let unquotedKey = SyntaxError.Kind(
    "J031", "unquoted-key", "a key is not in quotes", wrong: "{ apps: [] }",
    right: #"{ "apps": [] }"#,
    message: "the key `%` is not in double quotes", help: "write `\"%\": …`")
  package static let unquotedText = SyntaxError.Kind(
    "J032", "unquoted-text", "text is not in quotes", wrong: #"{ "apps": shop }"#,
    right: #"{ "apps": "shop" }"#,
    message: "`%` is neither a number nor `true`, `false` or `null`",
    help: "put text into double quotes: `\"%\"`")
  package static let leadingZero = SyntaxError.Kind(
    "J033", "leading-zero", "a number begins with a zero", wrong: #"{ "id": 012 }"#,
    right: #"{ "id": 12 }"#,
    message: "the number `%` begins with a zero",
    help: "write the number without the zero, or in double quotes if the digits are text: `\"%\"`")
  package static let plusSign = SyntaxError.Kind(
    "J034", "plus-sign", "a number begins with a plus sign", wrong: #"{ "id": +1 }"#,
    right: #"{ "id": 1 }"#,
    message: "the number `%` begins with a plus sign", help: "write the number without the sign")
  package static let bareDecimalPoint = SyntaxError.Kind(
    "J035", "bare-decimal-point", "a number has no digit before or after its decimal point",
    wrong: #"{ "id": .5 }"#, right: #"{ "id": 0.5 }"#,
    message: "the number `%` has no digit before or after its decimal point",
    help: "write a digit on both sides: `0.5`, `5.0`")
  package static let malformedNumber = SyntaxError.Kind(
    "J036", "malformed-number", "a number is not valid JSON", wrong: #"{ "id": 1e }"#,
    right: #"{ "id": 1 }"#,
    message: "`%` is not a valid JSON number",
    help: "write numbers as `12`, `-1.5` or `2e3`; put text into double quotes: `\"%\"`")
  package static let nanOrInfinity = SyntaxError.Kind(
    "J037", "nan-or-infinity", "JSON has no NaN and no Infinity", wrong: #"{ "id": NaN }"#,
    right: #"{ "id": 0 }"#,
    message: "JSON has no `%`", help: "write `null`, or a number such as `0`")
  package static let wrongLiteral = SyntaxError.Kind(
    "J038", "wrong-literal", "true, false or null is written as in another programming language",
    wrong: #"{ "exclude": True }"#,
    right: #"{ "exclude": true }"#, message: "`%` is a word of another programming language",
    help: "write `true`, `false` or `null`, in lower case; put text into double quotes: `\"%\"`")

  /// All kinds of syntax errors, in the order of their codes.
  package static let all: [SyntaxError.Kind] = [
    .empty, .onlyWhiteSpace, .byteOrderMark, .wrongEncoding, .html, .pem, .propertyList, .yaml,
    .compressed, .trailingCommaInObject, .trailingCommaInArray, .missingComma, .missingColon,
    .extraComma, .missingValue, .missingKey, .colonInArray, .unclosedObject, .unclosedArray,
    .mismatchedBracket, .extraClosingBracket, .textAfterEnd, .unclosedString, .controlCharacter,
    .badEscape, .badUnicodeEscape, .invalidUTF8, .unescapedQuote, .singleQuotes, .curlyQuotes,
    .unquotedKey, .unquotedText, .leadingZero, .plusSign, .bareDecimalPoint, .malformedNumber,
    .nanOrInfinity, .wrongLiteral, .comment, .ellipsis, .invisibleCharacter, .unexpectedCharacter,
    .tooDeep, .tooLarge, .richText, .archive, .base64, .javaScript, .plainText, .mergeConflict,
    .markdown, .otherFile, .escapedTwice, .zeroBytes, .lfsPointer,
  ]
}

private let unclear =
  "Apple's parser may accept the file; Apple does not say whether devices and the CDN do"

private let right = #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#

private let example =
  #"{"applinks": {"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": "#
  + #"[{"/": "/buy/*"}]}]}}"#
