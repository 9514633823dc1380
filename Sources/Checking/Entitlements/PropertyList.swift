/// A value of an entitlements file, as far as the commands need it.
package enum PropertyList: Equatable {
  case text(String)
  /// The strings of an array.
  case list([String])
  case other
}

/// The file is not a property list in XML.
package struct PropertyListFault: Error, Equatable {
  package let message: String
}

extension PropertyList {
  /// The members of the top dictionary of a property list in XML.
  package static func dictionary(_ bytes: [UInt8]) throws(PropertyListFault) -> [String:
    PropertyList]
  {
    if bytes.starts(with: "bplist".utf8) {
      throw PropertyListFault(
        message: "this is a binary property list; convert it with plutil -convert xml1 FILE")
    }
    var reader = TagReader(bytes)
    guard let start = reader.next(), start.name == "plist", let top = reader.next(),
      top.name == "dict"
    else {
      throw PropertyListFault(
        message: "this is not a property list in XML with a dictionary at its top")
    }
    var entries: [String: PropertyList] = [:]
    if top.isEmpty { return entries }
    while let tag = reader.next(), tag.name != "/dict" {
      guard tag.name == "key" else {
        throw PropertyListFault(message: "a key is expected before <\(tag.name)>")
      }
      let key = reader.text(until: "/key")
      guard let value = reader.next() else { break }
      entries[key] = reader.value(value)
    }
    guard reader.isAtEnd == false else {
      throw PropertyListFault(message: "the property list is cut off")
    }
    return entries
  }
}

/// Steps through the tags of an XML text, without declarations and comments.
private struct TagReader {
  struct Tag {
    /// Without attributes; with a leading slash for an end tag.
    let name: String
    /// `<array/>`
    let isEmpty: Bool
  }

  private let bytes: [UInt8]
  private var position = 0
  private(set) var isAtEnd = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Tag? {
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
    isAtEnd = true
    return nil
  }

  /// The text up to the next tag, which should be `end`.
  mutating func text(until end: String) -> String {
    let start = position
    let stop = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    _ = next()
    return decoded(String(decoding: bytes[start..<stop], as: UTF8.self))
  }

  mutating func value(_ tag: Tag) -> PropertyList {
    if tag.name == "string" { return .text(tag.isEmpty ? "" : text(until: "/string")) }
    if tag.isEmpty { return tag.name == "array" ? .list([]) : .other }
    guard tag.name == "array" else {
      skip(tag.name)
      return .other
    }
    var strings: [String] = []
    while let element = next(), element.name != "/array" {
      if element.name == "string", !element.isEmpty {
        strings.append(text(until: "/string"))
      } else if !element.isEmpty {
        skip(element.name)
      }
    }
    return .list(strings)
  }

  /// Skips the current element, including nested elements of the same name.
  private mutating func skip(_ name: String) {
    var depth = 1
    while depth > 0, let tag = next() {
      if tag.name == name && !tag.isEmpty { depth += 1 }
      if tag.name == "/" + name { depth -= 1 }
    }
  }

  private func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let entities = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      result += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      guard let end = rest.firstIndex(of: ";"), let entity = entities[String(rest[..<end])] else {
        result += "&"
        continue
      }
      result += entity
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
