/// Writes JSON. It is here, below the module that reads JSON, so that all modules that write it are
/// above.
package enum JSONText {
  /// A text in quotes (RFC 8259 section 7).
  package static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // JSON allows the characters from DEL on, but DEL and the C1 controls affect some terminals,
      // and the two separators end a line in some readers.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// An object; members whose value is nil are left out.
  package static func object(_ members: [(String, String?)]) -> String {
    "{"
      + members.compactMap { key, value in value.map { "\(string(key)):\($0)" } }
      .joined(separator: ",") + "}"
  }

  package static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// An array with one element on each line.
  static func lines(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n" + elements.joined(separator: ",\n") + "\n]"
  }
}
