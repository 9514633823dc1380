/// `text` as a JSON string (RFC 8259 section 7), quotes included.
package func jsonString(_ text: String) -> String {
  let escaped = escaped(text) { scalar in
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    // JSON allows these characters from DEL on. But DEL and the C1 controls affect some terminals,
    // and some readers treat the two separators as line ends.
    case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return nil
    }
  }
  return "\"" + escaped + "\""
}

/// Replaces the characters for which `escape` returns a text.
func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if let escape = escape(scalar) {
      result += escape
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Returns a JSON object of values that are already JSON. Omits members with a nil value.
package func jsonObject(_ members: [(String, String?)]) -> String {
  let written = members.compactMap { key, value in value.map { "\(jsonString(key)):\($0)" } }
  return "{" + written.joined(separator: ",") + "}"
}

/// Returns a JSON array of elements that are already JSON.
package func jsonArray(_ elements: [String]) -> String {
  "[" + elements.joined(separator: ",") + "]"
}

/// A JSON array with one element on each line.
func jsonLines(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n" + elements.joined(separator: ",\n") + "\n]"
}
