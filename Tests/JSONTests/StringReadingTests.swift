import Diagnostics
import TestRunning
import Testing

@testable import JSON

/// Strings are read eight bytes at a time: the place of a special byte must not matter.
@Suite struct StringReadingTests {
  /// A text of one string, and whether it is one: by the grammar alone (RFC 8259 section 7).
  @Test func `each byte at each place of strings of all small lengths is judged alike`() {
    for length in 0...19 {
      for place in 0..<length {
        for byte: UInt8 in 0...0xFF {
          var text = [UInt8](repeating: UInt8(ascii: "x"), count: length + 2)
          text[0] = UInt8(ascii: "\"")
          text[length + 1] = UInt8(ascii: "\"")
          text[place + 1] = byte
          // A quote ends the string, a backslash takes the next byte, 0x80 and up want others.
          let isString = byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
          let document = try? Document(parsing: SourceText(path: "t", bytes: text))
          let kind = document?.root.kind
          #expect((kind == .string) == isString, "byte \(byte) at \(place) of \(length)")
        }
      }
    }
  }

  @Test(arguments: isStress ? Array(0...20) : [0, 1, 7, 8, 15, 16])
  func `a sequence of several bytes is read whole at any place`(place: Int) throws {
    let before = String(repeating: "x", count: place)
    for special in ["\\n", "\\u00e9", "\\\"", "é", "€", "😀", "\\ud83d\\ude00"] {
      for after in ["", "y", "yyyyyyyyyyyy"] {
        let source = "\"" + before + special + after + "\""
        let document = try Document(
          parsing: SourceText(path: "t", bytes: Array(source.utf8)))
        let meant = ["\\n": "\n", "\\u00e9": "é", "\\\"": "\"", "\\ud83d\\ude00": "😀"]
        #expect(document.root.string == before + (meant[special] ?? special) + after)
        // Cut anywhere it is not a string.
        for end in 1..<source.utf8.count {
          let cut = SourceText(path: "t", bytes: Array(source.utf8.prefix(end)))
          #expect(throws: SyntaxError.self) { try Document(parsing: cut) }
        }
      }
    }
  }
}
