/// How much of a response is taken before it is given up: every bound of the client's side.
///
/// "Limit" means the largest accepted value.
package struct ResponseLimits: Sendable, Equatable {
  /// The longest head, its empty line included. Servers' own limits are 8 to 64 KiB.
  package var headBytes = 65_536

  /// The most field lines in a head or a trailer section.
  package var fieldLines = 500

  /// The most bytes of content, as they are sent: eight times what Apple takes of a file, so that
  /// it can be said how large one is that is somewhat too large.
  package var bodyBytes = 1_048_576

  /// The longest chunk-size line with its extensions, and the longest line of a trailer section.
  package var chunkLineBytes = 4096

  /// The most chunks: one-byte chunks cost six bytes each.
  package var chunks = 262_144

  /// The most interim responses (1xx) before the final one.
  package var interimResponses = 8

  package init() {}
}
