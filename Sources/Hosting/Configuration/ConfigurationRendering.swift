internal import Diagnostics

extension Configuration {
  /// One line for each setting: `key = value   # origin`, the signs below each other.
  package var lines: [String] {
    let rows = Setting.allCases.map { setting in
      (
        key: setting.key,
        value: escapingControls(text(of: setting).isEmpty ? "none" : text(of: setting)),
        origin: escapingControls(origin(of: setting).description)
      )
    }
    let keyWidth = rows.map(\.key.count).max() ?? 0
    let valueWidth = min(rows.map(\.value.count).max() ?? 0, 40)
    return rows.map { row in
      padded(row.key, keyWidth) + " = " + padded(row.value, valueWidth) + "   # " + row.origin
    }
  }

  /// One object with a member for each setting: its value as text, and its origin.
  package var json: String {
    let members = Setting.allCases.map { setting in
      let value = quoted(text(of: setting))
      let origin = quoted(origin(of: setting).description)
      return "  \(quoted(setting.key)): {\"value\": \(value), \"origin\": \(origin)}"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}"
  }
}

extension Setting {
  /// The table for the README.
  package static var markdown: String {
    var lines = [
      "| Setting | Flag | Variable | Default | Meaning |", "| --- | --- | --- | --- | --- |",
    ]
    for setting in allCases {
      let key = setting == .config ? "–" : "`\(setting.key)`"
      let flag = "`\(setting.flag) \(setting.valueName)`"
      let help = setting.isRepeatable ? setting.help + " (repeatable)" : setting.help
      let isLiteral = setting.defaultDescription == setting.defaultText
      let ordinary = isLiteral ? "`\(setting.defaultText)`" : setting.defaultDescription
      lines.append(
        "| \(key) | \(flag) | `\(setting.variable)` | \(ordinary) | \(help) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A JSON string (RFC 8259 section 7).
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
