internal import Diagnostics

/// Reads a property list in XML.
struct XMLPropertyList {
  private var scanner: XMLScanner
  private var budget = AppFileLimits.list

  init(_ bytes: [UInt8], from start: Int) {
    scanner = XMLScanner(bytes, from: start, allowsDocumentType: true)
  }

  mutating func read() throws(AppFileFault) -> PropertyList {
    // If the first tag is missing, the file is not a property list at all. A message about XML
    // would be misleading.
    guard let tag = try? scanner.next(), tag.name == "plist" else {
      throw .content("the file is not a property list")
    }
    guard let top = try value(depth: 0) else { throw scanner.fault("the property list is empty") }
    return top
  }

  /// Reads the next value of an array or a dictionary; nil at the end of this array or dictionary.
  private mutating func value(depth: Int) throws(AppFileFault) -> PropertyList? {
    guard let tag = try scanner.next(), !tag.isEnd else { return nil }
    budget.spend(1)
    if budget.isSpent { throw .tooMany }
    guard depth <= AppFileLimits.depth else { throw .tooDeep }
    switch tag.name {
    case "string": return .text(try text())
    case "true", "false":
      _ = try text()
      return .truth(tag.name == "true")
    case "array":
      var elements: [PropertyList] = []
      while let element = try value(depth: depth + 1) { elements.append(element) }
      return .list(elements)
    case "dict":
      var entries: [String: PropertyList] = [:]
      while let key = try scanner.next(), !key.isEnd {
        guard key.name == "key" else {
          throw scanner.fault("a key is expected before <\(key.name)>")
        }
        let name = try text()
        guard let value = try value(depth: depth + 1) else {
          throw scanner.fault("the key \(name) has no value")
        }
        entries[name] = value
      }
      return .dictionary(entries)
    default:
      _ = try text()
      return .other
    }
  }

  /// Reads the text of an element and its end tag.
  private mutating func text() throws(AppFileFault) -> String {
    if let tag = try scanner.next(), !tag.isEnd {
      throw scanner.fault("text is expected before <\(tag.name)>")
    }
    return String(decoding: scanner.text, as: UTF8.self)
  }
}
