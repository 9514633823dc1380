/// What the reader accepts of a text that it does not know.
package struct Limits: Sendable, Equatable {
  /// Objects and arrays within each other. RFC 8259 section 9 lets a reader limit this; the reader
  /// recurses once per level, so that the limit also bounds its stack.
  package var depth: Int

  /// The size of the text in bytes. At most `Int32.max`, since positions are kept as `Int32`.
  package var bytes: Int

  package init(depth: Int = 128, bytes: Int = 1_048_576) {
    precondition(depth > 0 && depth <= 1024 && bytes > 0 && bytes <= Int32.max)
    self.depth = depth
    self.bytes = bytes
  }
}
