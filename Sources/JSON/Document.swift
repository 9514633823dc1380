package import Diagnostics

/// A parsed JSON text (RFC 8259): the source and a flat list of its values.
///
/// Parsing decodes nothing: a `Value` decodes its part of the source on demand.
package final class Document: Sendable {
  package let source: SourceText
  let nodes: [Node]

  #if DEBUG
    /// A function that the parser calls once for each text. Tests use it to find out how many texts
    /// are parsed.
    package static let observer = TaskLocal<(@Sendable () -> Void)?>(wrappedValue: nil)
  #endif

  /// Reads the whole text. Repeated keys are preserved.
  ///
  /// - Throws: `SyntaxError` for the first place where the text breaks the grammar.
  package init(parsing source: SourceText, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
    #if DEBUG
      Document.observer.get()?()
    #endif
    var reader = Reader(limits: limits)
    try reader.readText(source.bytes.span)
    self.source = source
    self.nodes = reader.nodes
  }

  /// The top-level value of the text.
  package var root: Value { Value(document: self, index: 0) }
}

/// One value or key of a document. Nodes follow the order of the text: an object precedes its
/// members (key, value, key, value, …), and an array precedes its elements.
struct Node: Sendable {
  /// The offset of the first byte. The range of a string includes its quotes, and that of an object
  /// or array its brackets.
  var start: Int32
  var end: Int32
  /// The index of the first node after this node and its descendants.
  var next: Int32
  var kind: Value.Kind
  /// Whether the node is a string or key with a backslash, so that its text must be decoded.
  var hasEscapes: Bool
}

/// The limits of a text that the reader accepts.
package struct JSONLimits: Sendable, Equatable {
  /// The maximum depth of nested objects and arrays (RFC 8259 section 9). The reader recurses once
  /// per level, so this maximum also limits its stack.
  package var depth: Int

  /// The maximum size of the text in bytes. At most `Int32.max`, because positions are stored as
  /// `Int32`.
  package var bytes: Int

  package init(depth: Int = 128, bytes: Int = 1_048_576) {
    precondition(depth > 0 && depth <= 1024 && bytes > 0 && bytes <= Int32.max)
    self.depth = depth
    self.bytes = bytes
  }
}
