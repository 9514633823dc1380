/// Reads a property list in XML, in the subset of XML that property lists use.
struct XMLPropertyList {
  private struct Tag {
    /// The name without attributes; an end tag keeps its slash.
    let name: String
    /// Whether the tag closes itself, as in `<array/>`.
    let isEmpty: Bool
  }

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(AppFileFault) -> PropertyList {
    guard let start = next(), start.name == "plist", let top = next() else {
      throw .content("this is not a property list")
    }
    return try value(top, depth: 0)
  }

  private mutating func value(_ tag: Tag, depth: Int) throws(AppFileFault) -> PropertyList {
    count += 1
    guard count <= AppFileLimits.values else { throw .tooMany }
    guard depth <= AppFileLimits.depth else { throw .tooDeep }
    switch tag.name {
    case "string": return .text(tag.isEmpty ? "" : try text())
    case "true", "false":
      if !tag.isEmpty { _ = try text() }
      return .truth(tag.name == "true")
    case "array": return .list(tag.isEmpty ? [] : try elements(depth + 1))
    case "dict": return .dictionary(tag.isEmpty ? [:] : try entries(depth + 1))
    case _ where tag.name.hasPrefix("/"):
      throw .content("a value is expected before <\(tag.name)>")
    default:
      if !tag.isEmpty { _ = try text() }
      return .other
    }
  }

  private mutating func elements(_ depth: Int) throws(AppFileFault) -> [PropertyList] {
    var result: [PropertyList] = []
    while let tag = next() {
      if tag.name == "/array" { return result }
      result.append(try value(tag, depth: depth))
    }
    throw .cutOff
  }

  private mutating func entries(_ depth: Int) throws(AppFileFault) -> [String: PropertyList] {
    var result: [String: PropertyList] = [:]
    while let tag = next() {
      if tag.name == "/dict" { return result }
      guard tag.name == "key" else {
        throw .content("a key is expected before <\(tag.name)>")
      }
      let key = tag.isEmpty ? "" : try text()
      guard let value = next() else { throw .cutOff }
      result[key] = try self.value(value, depth: depth)
    }
    throw .cutOff
  }

  /// Returns the next tag, skipping declarations and comments; nil at the end.
  private mutating func next() -> Tag? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes[start...].starts(with: "<!--".utf8) {
        position = start + 4
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        continue
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
      position = end + 1
      let content = bytes[(start + 1)..<end]
      if content.first == UInt8(ascii: "?") || content.first == UInt8(ascii: "!") { continue }
      let isEmpty = content.last == UInt8(ascii: "/")
      let name = content.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
      let trimmed = isEmpty && name.count == content.count ? name.dropLast() : name
      return Tag(name: String(decoding: trimmed, as: UTF8.self), isEmpty: isEmpty)
    }
    position = bytes.count
    return nil
  }

  /// Returns the text before the end tag.
  private mutating func text() throws(AppFileFault) -> String {
    let start = position
    let stop = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    guard let end = next() else { throw .cutOff }
    guard end.name.hasPrefix("/") else {
      throw .content("text is expected before <\(end.name)>")
    }
    return decoded(String(decoding: bytes[start..<stop], as: UTF8.self))
  }

  private func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let entities = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      result += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      // The longest entity has four letters. Searching to the end of the text for each `&` would
      // take quadratic time.
      guard let end = rest.prefix(5).firstIndex(of: ";"),
        let entity = entities[String(rest[..<end])]
      else {
        result += "&"
        continue
      }
      result += entity
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
