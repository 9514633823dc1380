internal import Diagnostics

/// A JSON tree to write. Values from another text keep their bytes, so that numbers and escapes
/// stay as their author wrote them.
package indirect enum Tree: Sendable, Equatable {
  case object([TreeMember])
  case array([Tree])
  /// A string, number or literal in its written form, including quotes.
  case token([UInt8])

  /// A string.
  package static func text(_ text: String) -> Tree { .token(Array(jsonString(text).utf8)) }

  package static func bool(_ value: Bool) -> Tree { .token(Array((value ? "true" : "false").utf8)) }

  /// Copies a parsed value with its order and duplicate keys.
  package init(_ value: Value) {
    switch value.kind {
    case .object: self = .object(value.members.map(TreeMember.init))
    case .array: self = .array(value.elements.map(Tree.init))
    default: self = .token(Array(value.document.source.bytes[value.range]))
    }
  }
}

extension Tree: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(arrayLiteral elements: Tree...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  package init(dictionaryLiteral members: (String, Tree)...) {
    self = .object(members.map { TreeMember($0, $1) })
  }
}

package struct TreeMember: Sendable, Equatable {
  /// The key in its written form, including quotes.
  package let key: [UInt8]
  package var value: Tree

  package init(_ key: String, _ value: Tree) {
    self.key = Array(jsonString(key).utf8)
    self.value = value
  }

  package init(_ member: Member) {
    key = Array(member.document.source.bytes[member.keyRange])
    value = Tree(member.value)
  }

  /// Copies a member, with another value.
  package init(_ member: Member, _ value: Tree) {
    key = Array(member.document.source.bytes[member.keyRange])
    self.value = value
  }
}

extension Tree {
  /// The shortest text, without white space.
  package var minified: [UInt8] {
    var writer = Writer(isMinified: true)
    writer.write(self, depth: 0)
    return writer.bytes
  }

  /// The text indented by two spaces, with a final line break. An object or array that contains no
  /// other one stays on one line if it fits.
  package var indented: [UInt8] {
    var writer = Writer(isMinified: false)
    writer.write(self, depth: 0)
    return writer.bytes + [0x0A]
  }
}

/// Writes JSON deterministically: equal trees give equal texts.
private struct Writer {
  let isMinified: Bool
  var bytes: [UInt8] = []
  /// The offset at which the current line begins.
  private var lineStart = 0

  /// The maximum length of a line for a whole object or array.
  private static let lineLength = 100

  init(isMinified: Bool) { self.isMinified = isMinified }

  /// Recurses once per level; the reader of the tree limits its depth.
  mutating func write(_ tree: Tree, depth: Int) {
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
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, padded: Bool, _ count: Int, of tree: Tree,
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

  /// Returns whether an object or array contains no other one and fits on the line.
  private func fits(_ tree: Tree) -> Bool {
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
