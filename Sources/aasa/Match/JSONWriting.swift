/// `text` as a JSON string (RFC 8259 section 7), quotes included.
func jsonString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    // DEL and the C1 controls are allowed but steer some terminals.
    case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// An object of members whose values are JSON already; those without a value are left out.
func jsonObject(_ members: [(String, String?)]) -> String {
  let texts = members.compactMap { name, value in value.map { jsonString(name) + ":" + $0 } }
  return "{" + texts.joined(separator: ",") + "}"
}

func jsonArray(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }
