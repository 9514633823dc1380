/// The limits of a text that the reader accepts.
package struct Limits: Sendable, Equatable {
  /// The maximum depth of nested objects and arrays (RFC 8259 section 9). The reader recurses once
  /// per level, so this also bounds its stack.
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
