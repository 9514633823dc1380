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

  /// A copy of the member with another value.
  package init(_ member: Member, _ value: Tree) {
    key = Array(member.document.source.bytes[member.keyRange])
    self.value = value
  }
}
