/// The binary manifest of an Android package, made for tests as aapt2 makes it.
package struct BinaryManifest {
  package struct Element {
    let name: String
    let attributes: [(name: String, value: Value)]
    let children: [Element]

    package init(
      _ name: String, _ attributes: [(name: String, value: Value)] = [], _ children: [Element] = []
    ) {
      self.name = name
      self.attributes = attributes
      self.children = children
    }
  }

  package enum Value {
    case text(String)
    case bool(Bool)
    case number(Int32)
    /// A resource of the app.
    case reference(UInt32)
  }

  private var strings: [String] = []
  private var chunks: [UInt8] = []
  private var line: UInt32 = 1

  /// - Parameters:
  ///   - isUTF8: Whether strings are in UTF-8; otherwise in UTF-16.
  ///   - namesNumbers: Names that are left out, with Android's numbers for them.
  package static func bytes(
    of root: Element, isUTF8: Bool = true, namesNumbers: [String: UInt32] = [:]
  ) -> [UInt8] {
    var manifest = BinaryManifest()
    // The names with numbers come first, in the order of the numbers.
    let named = namesNumbers.sorted { $0.key < $1.key }
    manifest.strings = named.map(\.key)
    _ = manifest.index(android)
    manifest.add(root)
    let numbers = named.flatMap { little($0.value) }
    let pool = stringPool(
      manifest.strings.map { namesNumbers[$0] == nil ? $0 : "" }, isUTF8: isUTF8)
    let body = pool + chunk(0x0180, 8, numbers) + manifest.chunks
    return [3, 0, 8, 0] + little(UInt32(body.count + 8)) + body
  }

  private static let android = "http://schemas.android.com/apk/res/android"
  private static let none: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  private mutating func index(_ text: String) -> UInt32 {
    if let found = strings.firstIndex(of: text) { return UInt32(found) }
    strings.append(text)
    return UInt32(strings.count - 1)
  }

  private mutating func add(_ element: Element) {
    let start = Self.little(line) + Self.none
    line += 1
    var attributes: [UInt8] = []
    for (name, value) in element.attributes {
      let isOfAndroid = name != "package"
      attributes += isOfAndroid ? Self.little(index(Self.android)) : Self.none
      attributes += Self.little(index(name))
      let (raw, kind, data): ([UInt8], UInt8, UInt32) =
        switch value {
        case .text(let text): (Self.little(index(text)), 0x03, index(text))
        case .bool(let bool): (Self.none, 0x12, bool ? .max : 0)
        case .number(let number): (Self.none, 0x10, UInt32(bitPattern: number))
        case .reference(let number): (Self.none, 0x01, number)
        }
      attributes += raw + [8, 0, 0, kind] + Self.little(data)
    }
    let name = Self.none + Self.little(index(element.name))
    let table = [20, 0, 20, 0, UInt8(element.attributes.count), 0, 0, 0, 0, 0, 0, 0] as [UInt8]
    chunks += Self.chunk(0x0102, 16, start + name + table + attributes)
    for child in element.children { add(child) }
    chunks += Self.chunk(0x0103, 16, start + name)
  }

  private static func chunk(_ kind: UInt16, _ header: UInt16, _ content: [UInt8]) -> [UInt8] {
    little16(kind) + little16(header) + little(UInt32(content.count + 8)) + content
  }

  private static func stringPool(_ strings: [String], isUTF8: Bool) -> [UInt8] {
    var offsets: [UInt8] = []
    var data: [UInt8] = []
    for text in strings {
      offsets += little(UInt32(data.count))
      if isUTF8 {
        data += length8(text.utf16.count) + length8(text.utf8.count) + Array(text.utf8) + [0]
      } else {
        let units = Array(text.utf16)
        data +=
          units.count < 0x8000
          ? little16(UInt16(units.count))
          : little16(UInt16(0x8000 | units.count >> 16)) + little16(UInt16(units.count & 0xFFFF))
        data += units.flatMap(little16) + [0, 0]
      }
    }
    data += [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
    let facts =
      little(UInt32(strings.count)) + little(0) + little(isUTF8 ? 0x100 : 0)
      + little(UInt32(28 + offsets.count)) + little(0)
    return chunk(0x0001, 28, facts + offsets + data)
  }

  private static func length8(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [UInt8(0x80 | count >> 8), UInt8(count & 0xFF)]
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  private static func little16(_ number: UInt16) -> [UInt8] {
    [UInt8(number & 0xFF), UInt8(number >> 8)]
  }
}

extension BinaryManifest {
  /// The manifest of a shop with one filter for links of a host.
  package static func shop(host: Value = .text("a.example"), path: String = "/buy/") -> Element {
    func named(_ element: String, _ name: String) -> Element {
      Element(element, [("name", .text(name))])
    }
    let filter = Element(
      "intent-filter", [("autoVerify", .bool(true))],
      [
        named("action", "android.intent.action.VIEW"),
        named("category", "android.intent.category.DEFAULT"),
        named("category", "android.intent.category.BROWSABLE"),
        Element("data", [("scheme", .text("https")), ("host", host), ("port", .number(8443))]),
        Element("data", [("pathPrefix", .text(path))]),
      ])
    let activity = Element(
      "activity", [("name", .text(".Main")), ("exported", .bool(true))], [filter])
    return Element(
      "manifest", [("package", .text("org.swift.shop"))], [Element("application", [], [activity])])
  }
}
