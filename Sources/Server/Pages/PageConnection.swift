internal import HTTP
internal import Posix

/// A connection of a listener of pages. It belongs to that listener's thread.
final class PageConnection {
  enum Phase {
    /// a head
    case reading
    /// a request's content
    case readingContent
    /// for an answer that another thread makes
    case waiting
    case writing
    /// an answer that does not end
    case streaming
    case lingering
  }

  let descriptor: FileDescriptor
  let peer: PeerAddress?
  var phase = Phase.reading
  var watched: Interest?
  /// When it has had its time; milliseconds of the monotonic clock.
  var deadline: Int64
  var framer = HeadFramer()
  /// Received and not yet answered.
  var input: [UInt8] = []
  /// Not yet taken by the client, from the offset on.
  var output: [UInt8] = []
  var offset = 0
  /// The connection ends after its output.
  var closes = false
  /// The request that is being answered, or whose content is being read.
  var request: PageRequest?
  var drain: BodyDrain?
  var stream: PageStream?

  init(_ descriptor: consuming FileDescriptor, peer: PeerAddress?, deadline: Int64) {
    self.descriptor = descriptor
    self.peer = peer
    self.deadline = deadline
  }

  /// No part of a request is there, and no answer is under way.
  var isIdle: Bool { phase == .reading && input.isEmpty }

  /// Sends what is left. Nil when all is sent.
  func sendOutput() -> TransferOutcome? {
    while offset < output.count {
      let outcome = descriptor.send(output.span.extracting(offset...))
      guard case .moved(let count) = outcome else { return outcome }
      offset += count
    }
    output = []
    offset = 0
    return nil
  }
}
