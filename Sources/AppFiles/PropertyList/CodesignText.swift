extension PropertyList {
  /// Reads the output of `codesign -d --entitlements -` without `--xml`. Nil if the text is not
  /// such an output.
  init?(codesign bytes: [UInt8]) {
    var reader = CodesignText(bytes)
    guard let list = reader.read(), case .dictionary = list, reader.isAtEnd else { return nil }
    self = list
  }
}

/// Reads the text form in which codesign prints entitlements. Each line contains a key, or a value
/// with its type. The number of tabs at the beginning of a line is the nesting depth of this key or
/// value. Each line is read only once, so the size limit of the file also limits the work.
private struct CodesignText {
  private var lines: ArraySlice<(depth: Int, text: Substring)>

  var isAtEnd: Bool { lines.isEmpty }

  init(_ bytes: [UInt8]) {
    lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { line in
        let text = line.drop { $0 == "\t" }
        return (line.count - text.count, text)
      }
      .drop { $0.text.hasPrefix("Executable=") }
  }

  /// Reads the next value with everything nested in it; nil if the next line is not a valid value.
  mutating func read() -> PropertyList? {
    guard let (depth, text) = lines.popFirst(), depth <= AppFileLimits.depth else { return nil }
    switch text {
    case "[Dict]":
      var entries: [String: PropertyList] = [:]
      while let key = lines.first, key.depth > depth {
        lines.removeFirst()
        guard key.text.hasPrefix("[Key] "), lines.popFirst()?.text == "[Value]",
          let value = readInside(depth)
        else { return nil }
        entries[String(key.text.dropFirst(6))] = value
      }
      return .dictionary(entries)
    case "[Array]":
      var elements: [PropertyList] = []
      while let element = readInside(depth) { elements.append(element) }
      return .list(elements)
    case "[Bool] true": return .truth(true)
    case "[Bool] false": return .truth(false)
    default:
      if text.hasPrefix("[String] ") { return .text(String(text.dropFirst(9))) }
      return text.hasPrefix("[") ? .other : nil
    }
  }

  /// Reads the next value if it is nested deeper than `depth`; otherwise returns nil.
  private mutating func readInside(_ depth: Int) -> PropertyList? {
    guard let next = lines.first, next.depth > depth else { return nil }
    return read()
  }
}
