/// The limits for responses. A response that exceeds a limit is rejected.
///
/// Each limit is the largest accepted value.
package struct ResponseLimits: Sendable, Equatable {
  /// The maximum length of a head, including its empty line. Servers limit their own heads to 8 to
  /// 64 KiB.
  package var headBytes = 65_536

  /// The maximum number of field lines in a head or a trailer section.
  package var fieldLines = 500

  /// The maximum size of the content as sent, in bytes. This is eight times Apple's limit for a
  /// file, because reports also state the size of a file that exceeds Apple's limit.
  package var bodyBytes = 1_048_576

  /// The maximum length of a chunk-size line with its extensions, and of a line in a trailer
  /// section.
  package var chunkLineBytes = 4096

  /// The maximum number of chunks. A chunk with one byte of data takes six bytes.
  package var chunks = 262_144

  /// The maximum number of interim responses (1xx) before the final response.
  package var interimResponses = 8

  package init() {}
}
