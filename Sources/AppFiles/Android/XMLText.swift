/// An element of an XML text.
struct XMLElement: Sendable, Equatable {
  let name: String
  private(set) var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The line on which the element begins, counted from 1.
  let line: Int
}

/// A strict reader for the XML of Android manifests: elements and attributes. It skips text between
/// elements. It refuses a document type, so the only entities are XML's own.
struct XMLText {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var count = 0

  /// Reads the top element.
  static func read(_ bytes: [UInt8]) throws(AppFileFault) -> XMLElement {
    var reader = XMLText(bytes: bytes)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if bytes.starts(with: mark) { reader.position = mark.count }
    try reader.skipMisc()
    guard reader.peek == UInt8(ascii: "<") else { throw reader.fault("this is not XML") }
    let top = try reader.element(depth: 0)
    try reader.skipMisc()
    guard reader.position == bytes.count else {
      throw reader.fault("there is something after the last element")
    }
    return top
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ message: String) -> AppFileFault { .content("line \(line): \(message)") }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<min(count, bytes.count - position) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private func hasPrefix(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
  }

  private mutating func skip(past end: StaticString) throws(AppFileFault) {
    while position < bytes.count {
      if hasPrefix(end) {
        advance(end.utf8CodeUnitCount)
        return
      }
      advance()
    }
    throw fault("the text ends before \(end)")
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
  }

  /// Skips declarations, comments and white space.
  private mutating func skipMisc() throws(AppFileFault) {
    while true {
      skipSpace()
      if hasPrefix("<?") {
        try skip(past: "?>")
      } else if hasPrefix("<!--") {
        try skip(past: "-->")
      } else if hasPrefix("<!") {
        throw fault("a document type is not read")
      } else {
        return
      }
    }
  }

  private mutating func element(depth: Int) throws(AppFileFault) -> XMLElement {
    count += 1
    guard count <= AppFileLimits.values, depth <= AppFileLimits.depth else {
      throw fault("there are too many elements, or they are too deep")
    }
    let start = line
    advance()
    let name = try self.name()
    let attributes = try self.attributes()
    var element = XMLElement(name: name, attributes: attributes, line: start)
    if hasPrefix("/>") {
      advance(2)
      return element
    }
    guard peek == UInt8(ascii: ">") else { throw fault("the tag <\(name)> is not closed") }
    advance()
    while position < bytes.count {
      if hasPrefix("</") {
        advance(2)
        guard try self.name() == name else { throw fault("</\(name)> is expected") }
        skipSpace()
        guard peek == UInt8(ascii: ">") else { throw fault("</\(name)> is not closed") }
        advance()
        return element
      }
      if hasPrefix("<!--") {
        try skip(past: "-->")
      } else if hasPrefix("<![CDATA[") {
        try skip(past: "]]>")
      } else if hasPrefix("<?") {
        try skip(past: "?>")
      } else if peek == UInt8(ascii: "<") {
        element.children.append(try self.element(depth: depth + 1))
      } else {
        advance()
      }
    }
    throw fault("the text ends before </\(name)>")
  }

  private mutating func name() throws(AppFileFault) -> String {
    let start = position
    while let byte = peek, byte > 0x20, !"/>=<\"'&".utf8.contains(byte) { advance() }
    guard position > start, let name = String(validating: bytes[start..<position], as: UTF8.self)
    else { throw fault("a name is expected") }
    return name
  }

  private mutating func attributes() throws(AppFileFault) -> [String: String] {
    var result: [String: String] = [:]
    while true {
      skipSpace()
      guard let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return result
      }
      let name = try self.name()
      skipSpace()
      guard peek == UInt8(ascii: "=") else { throw fault("\(name) has no value") }
      advance()
      skipSpace()
      guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw fault("the value of \(name) is not in quotes")
      }
      advance()
      let start = position
      while let byte = peek, byte != quote, byte != UInt8(ascii: "<") { advance() }
      guard peek == quote else { throw fault("the value of \(name) does not end") }
      let value = try decoded(bytes[start..<position])
      advance()
      guard result.updateValue(value, forKey: name) == nil else {
        throw fault("\(name) is repeated")
      }
    }
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) throws(AppFileFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault("a value is not UTF-8")
    }
    let entities = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      result += rest[..<sign]
      rest = rest[sign...].dropFirst()
      guard let end = rest.firstIndex(of: ";") else { throw fault("& begins no entity") }
      let name = rest[..<end]
      if name.hasPrefix("#") {
        let digits = name.dropFirst()
        let isHex = digits.hasPrefix("x")
        guard let number = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10),
          let scalar = Unicode.Scalar(number)
        else { throw fault("&\(name); is not a character") }
        result.unicodeScalars.append(scalar)
      } else if let character = entities[String(name)] {
        result += character
      } else {
        throw fault("there is no entity &\(name);")
      }
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }
}
