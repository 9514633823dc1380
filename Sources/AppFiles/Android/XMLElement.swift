/// An element of an Android manifest, without the texts between its children.
struct XMLElement: Sendable, Equatable {
  let name: String
  private(set) var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The line on which the element begins, counted from 1.
  let line: Int
}

extension XMLElement {
  /// Reads the top element of an XML text. Refuses a document type.
  init(_ bytes: [UInt8]) throws(AppFileFault) {
    var scanner = XMLScanner(bytes)
    let top = try scanner.next()
    guard let top, scanner.text.allSatisfy(isXMLSpace) else {
      throw scanner.fault("this is not XML")
    }
    try self.init(top, &scanner)
    guard try scanner.next() == nil, scanner.text.allSatisfy(isXMLSpace) else {
      throw scanner.fault("there is content after the root element")
    }
  }

  /// Reads the children of an element and its end tag. `tag` is its start tag.
  private init(_ tag: XMLScanner.Tag, _ scanner: inout XMLScanner) throws(AppFileFault) {
    guard scanner.count <= AppFileLimits.values, scanner.depth <= AppFileLimits.depth + 1 else {
      throw scanner.fault("there are too many or too deeply nested elements")
    }
    self.init(name: tag.name, attributes: tag.attributes, line: tag.line)
    while let next = try scanner.next(), !next.isEnd {
      children.append(try XMLElement(next, &scanner))
    }
  }
}
