internal import Bytes

/// Consumes the content of one request, in any number of pieces. After the content, the next byte
/// of the connection belongs to the next request (RFC 9112 sections 6.3 and 7.1). The content is
/// dropped unless `keepsContent` is true.
package struct BodyDrain: Sendable {
  private let limits: RequestLimits
  private var state: State
  /// The number of content bytes that are still to be read. If the length is declared, these are
  /// bytes of the whole content; otherwise, bytes of the current chunk.
  private var remaining = 0
  /// The number of content bytes so far. Once a chunk's size is known, this number includes the
  /// whole chunk.
  private var total = 0
  private var chunks = 0
  private var lines = ChunkLines()
  private let keepsContent: Bool
  /// The content so far, without chunk sizes and other framing. Empty if the content is dropped.
  package private(set) var content: [UInt8] = []

  private enum State: UInt8 {
    case length
    case sizeLine
    case data
    /// the CR after a chunk's data
    case dataEnd
    /// the LF after the CR that follows a chunk's data
    case dataLineFeed
    case trailers
    case complete
  }

  /// - Throws: `bodyTooLarge` if the request declares a content length that is too large. In this
  ///   case, no content is read.
  package init(
    _ framing: BodyFraming, limits: RequestLimits, keepsContent: Bool = false
  ) throws(RequestFault) {
    self.limits = limits
    self.keepsContent = keepsContent
    switch framing {
    case .none:
      state = .complete
    case .length(let length):
      if length > limits.bodyBytes { throw .bodyTooLarge }
      state = length == 0 ? .complete : .length
      remaining = length
    case .chunked:
      state = .sizeLine
    }
  }

  /// Whether all of the content has been read.
  package var isComplete: Bool { state == .complete }

  /// Consumes the bytes of this request's content, which begin at `start`.
  ///
  /// - Returns: The index after the content's bytes, and whether the content is complete. If the
  ///   content is not complete, all bytes were consumed.
  package mutating func consume(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(RequestFault) -> (next: Int, isComplete: Bool) {
    var index = start
    let end = bytes.count
    while index < end {
      switch state {
      case .complete:
        return (index, true)
      case .length, .data:
        let taken = min(remaining, end &- index)
        if keepsContent { content += (index..<index &+ taken).map { bytes[$0] } }
        index &+= taken
        remaining &-= taken
        if remaining == 0 { state = state == .length ? .complete : .dataEnd }
      case .sizeLine:
        if let size = try lines.takeSizeByte(bytes[index], limits) { try begin(chunk: size) }
        index &+= 1
      case .dataEnd:
        guard bytes[index] == ASCII.carriageReturn else { throw .malformedChunk }
        index &+= 1
        state = .dataLineFeed
      case .dataLineFeed:
        guard bytes[index] == ASCII.lineFeed else { throw .malformedChunk }
        index &+= 1
        state = .sizeLine
      case .trailers:
        if try lines.takeTrailerByte(bytes[index], limits) { state = .complete }
        index &+= 1
      }
    }
    return (index, state == .complete)
  }

  private mutating func begin(chunk size: Int) throws(RequestFault) {
    if size > limits.bodyBytes &- total { throw .bodyTooLarge }
    total &+= size
    remaining = size
    chunks &+= 1
    if chunks > limits.chunks { throw .bodyTooLarge }
    state = size == 0 ? .trailers : .data
  }
}
