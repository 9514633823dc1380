package import Diagnostics

/// A parsed JSON text (RFC 8259): the source and a flat list of its values.
///
/// Parsing decodes nothing: a `Value` decodes its part of the source on demand.
package final class Document: Sendable {
  package let source: SourceText
  let nodes: [Node]

  /// Reads the whole text.
  ///
  /// Keeps duplicate keys. Throws the first place where the text breaks the grammar.
  package init(parsing source: SourceText, limits: Limits = Limits()) throws(SyntaxError) {
    var reader = Reader(keepsNodes: true, limits: limits)
    _ = try reader.readText(source.bytes.span)
    self.source = source
    self.nodes = reader.nodes
  }

  /// The value that is the whole text.
  package var root: Value { Value(document: self, index: 0) }
}

/// Checks that `bytes` is a JSON text, by the same grammar as `Document`, and allocates nothing.
///
/// Returns the kind of the value at the top.
package func validate(
  _ bytes: Span<UInt8>, limits: Limits = Limits()
) throws(SyntaxError) -> Value.Kind {
  var reader = Reader(keepsNodes: false, limits: limits)
  return try reader.readText(bytes)
}

/// One value, or one key, of a document. Nodes are in the order of the text: an object is followed
/// by its members (key, value, key, value, …), an array by its elements.
struct Node: Sendable {
  /// The beginning; the range includes quotes and brackets.
  var start: Int32
  var end: Int32
  /// The index of the first node that is not within this one.
  var next: Int32
  var kind: Value.Kind
  /// Whether a string's bytes differ from its text because it contains a backslash.
  var hasEscapes: Bool
}
