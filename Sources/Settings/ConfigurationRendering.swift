internal import Diagnostics

extension Configuration {
  /// One line for each setting, in aligned columns: `key = value   # origin`.
  package var lines: [String] {
    let rows = Setting.all.map { setting in
      (
        key: setting.key,
        value: escapingInvisible(text(of: setting).isEmpty ? "none" : text(of: setting)),
        origin: escapingInvisible(origin(of: setting).description)
      )
    }
    let keyWidth = rows.map(\.key.count).max() ?? 0
    let valueWidth = min(rows.map(\.value.count).max() ?? 0, 40)
    return rows.map { row in
      padded(row.key, keyWidth) + " = " + padded(row.value, valueWidth) + "   # " + row.origin
    }
  }

  /// A JSON object with a member for each setting: its value as text, and its origin.
  package var json: String {
    let members = Setting.all.map { setting in
      let value = text(of: setting).json
      let origin = origin(of: setting).description.json
      return "  \(setting.key.json): {\"value\": \(value), \"origin\": \(origin)}"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}"
  }
}

extension Setting {
  /// The table in Documentation/Settings.md, in Markdown.
  package static var markdown: String {
    var lines = [
      "| Setting | Flag | Variable | Default | Changes | Meaning |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    for setting in all {
      let key = setting.key == "config" ? "–" : "`\(setting.key)`"
      let flag = "`\(setting.flag) \(setting.valueName)`"
      let help = setting.isRepeatable ? setting.help + " (repeatable)" : setting.help
      let isLiteral = setting.defaultDescription == setting.defaultText
      let ordinary = isLiteral ? "`\(setting.defaultText)`" : setting.defaultDescription
      lines.append(
        "| \(key) | \(flag) | `\(setting.variable)` | \(ordinary) | \(setting.change.rawValue) |"
          + " \(help) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
