/// The limits of a text that the reader accepts.
package struct Limits: Sendable, Equatable {
  /// The depth of nested objects and arrays. RFC 8259 section 9 allows such a limit. The reader
  /// recurses once per level, so it also limits the stack.
  package var depth: Int

  /// The size of the text in bytes; at most `Int32.max`, because positions are stored as `Int32`.
  package var bytes: Int

  package init(depth: Int = 128, bytes: Int = 1_048_576) {
    precondition(depth > 0 && depth <= 1024 && bytes > 0 && bytes <= Int32.max)
    self.depth = depth
    self.bytes = bytes
  }
}
