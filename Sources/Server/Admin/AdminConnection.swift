internal import HTTP
internal import Posix

/// A connection of the admin listener. It belongs to that listener's thread.
final class AdminConnection {
  enum Phase { case reading, writing, lingering }

  let descriptor: FileDescriptor
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

  init(_ descriptor: consuming FileDescriptor, now: Int64) {
    self.descriptor = descriptor
    deadline = now + AdminLimits.head
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
