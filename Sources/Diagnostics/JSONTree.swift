internal import Bytes

/// A JSON tree to write: `["domain": host.json, "good": isGood.json, "exitCode": 0]`.
///
/// Values from another JSON text are written with the same bytes, so that their numbers and escapes
/// do not change.
package enum JSONTree: Sendable, Equatable {
  case object([Member])
  case array([JSONTree])
  /// A string, number or literal in its written form, including quotes.
  case token([UInt8])

  package struct Member: Sendable, Equatable {
    /// The key in its written form, including quotes.
    package let key: [UInt8]
    package var value: JSONTree

    package init(writtenKey key: [UInt8], _ value: JSONTree) {
      self.key = key
      self.value = value
    }

    package init(_ key: String, _ value: JSONTree) {
      self.init(writtenKey: key.writtenAsJSON, value)
    }
  }

  package static var null: JSONTree { .token(Array("null".utf8)) }

  /// Creates an object from members. Members whose value is nil are omitted.
  package init(_ members: [(String, JSONTree?)]) {
    self = .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral members: (String, JSONTree?)...) { self.init(members) }
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  package init(stringLiteral text: String) { self = text.json }
  package init(integerLiteral number: Int) { self = number.json }
  package init(booleanLiteral value: Bool) { self = value.json }
}

extension String {
  /// The text as a JSON string.
  package var json: JSONTree { .token(writtenAsJSON) }

  /// The text as a JSON string (RFC 8259 section 7), quotes included.
  fileprivate var writtenAsJSON: [UInt8] {
    var bytes = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(utf8.count + 2)
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      // JSON allows DEL and other invisible characters above U+007E. But such characters may
      // control a terminal, reorder the text, or end a line for some readers.
      case _ where scalar.isInvisible:
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        }
      default: bytes += scalar.utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }
}

extension Bool {
  package var json: JSONTree { .token(Array((self ? "true" : "false").utf8)) }
}

extension BinaryInteger {
  package var json: JSONTree { .token(Array(description.utf8)) }
}

extension Sequence<String> {
  package var json: JSONTree { .array(map(\.json)) }
}

extension JSONTree: CustomStringConvertible {
  /// The tree as JSON text, without white space.
  package var minified: [UInt8] {
    var writer = Writer(isMinified: true)
    writer.write(self, depth: 0)
    return writer.bytes
  }

  package var description: String { String(decoding: minified, as: UTF8.self) }

  /// The tree as JSON text, with two spaces of indentation for each level and a final line break.
  /// An object or array is written on one line if it fits and contains no other object or array.
  package var indented: [UInt8] {
    var writer = Writer(isMinified: false)
    writer.write(self, depth: 0)
    return writer.bytes + [0x0A]
  }

  /// Returns an array. Each element is given as JSON text and gets its own line.
  static func lines(_ elements: [[UInt8]]) -> JSONTree {
    if elements.isEmpty { return [] }
    return .token(Array("[\n".utf8) + elements.joined(separator: ",\n".utf8) + "\n]".utf8)
  }
}

/// Writes JSON deterministically: equal trees are written as equal texts.
private struct Writer {
  let isMinified: Bool
  var bytes: [UInt8] = []
  /// The offset at which the current line begins.
  private var lineStart = 0

  /// The maximum length of a line that contains a whole object or array.
  private static let lineLength = 100

  init(isMinified: Bool) { self.isMinified = isMinified }

  /// Calls itself once for each level of the tree. The number of levels is limited by the code that
  /// creates the tree.
  mutating func write(_ tree: JSONTree, depth: Int) {
    switch tree {
    case .token(let token): bytes += token
    case .object(let members):
      let padded = !isMinified && !members.isEmpty
      writeList("{", "}", padded: padded, members.count, of: tree, depth) { writer, index, depth in
        writer.bytes += members[index].key
        writer.bytes += writer.isMinified ? [0x3A] : [0x3A, 0x20]
        writer.write(members[index].value, depth: depth)
      }
    case .array(let elements):
      writeList("[", "]", padded: false, elements.count, of: tree, depth) { writer, index, depth in
        writer.write(elements[index], depth: depth)
      }
    }
  }

  private mutating func writeList(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, padded: Bool, _ count: Int, of tree: JSONTree,
    _ depth: Int, _ writeElement: (inout Writer, Int, Int) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    let isOneLine = isMinified || fits(tree)
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if !isOneLine {
        breakLine(depth + 1)
      } else if !isMinified, index > 0 || padded {
        bytes.append(0x20)
      }
      writeElement(&self, index, depth + 1)
    }
    if !isOneLine {
      breakLine(depth)
    } else if padded {
      bytes.append(0x20)
    }
    bytes.append(UInt8(ascii: close))
  }

  private mutating func breakLine(_ depth: Int) {
    bytes.append(0x0A)
    lineStart = bytes.count
    for _ in 0..<depth * 2 { bytes.append(0x20) }
  }

  /// Returns whether an object or array contains no other object or array and fits on the line.
  private func fits(_ tree: JSONTree) -> Bool {
    var length = bytes.count - lineStart + 3
    switch tree {
    case .token: return true
    case .array(let elements):
      for element in elements {
        guard case .token(let token) = element else { return false }
        length += token.count + 2
      }
    case .object(let members):
      for member in members {
        guard case .token(let token) = member.value else { return false }
        length += member.key.count + token.count + 4
      }
    }
    return length <= Self.lineLength
  }
}
