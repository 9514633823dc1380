/// The limits beyond which a response is rejected: all limits of the client side.
///
/// Each limit is the largest accepted value.
package struct ResponseLimits: Sendable, Equatable {
  /// The longest head, including its empty line. Servers' own limits are 8 to 64 KiB.
  package var headBytes = 65_536

  /// The most field lines in a head or a trailer section.
  package var fieldLines = 500

  /// The most bytes of content as sent: eight times what Apple accepts for a file, so that the size
  /// of a file slightly over Apple's limit can be reported.
  package var bodyBytes = 1_048_576

  /// The longest chunk-size line with its extensions, and the longest line of a trailer section.
  package var chunkLineBytes = 4096

  /// The most chunks: one-byte chunks cost six bytes each.
  package var chunks = 262_144

  /// The most interim responses (1xx) before the final one.
  package var interimResponses = 8

  package init() {}
}
