internal import HTTP
package import Posix
internal import Server

/// Sends requests to the admin listener of a running server. Each request has its own connection,
/// without TLS.
package struct AdminClient {
  let addresses: [SocketAddress]
  /// The time limit for the whole exchange, in milliseconds.
  let timeout: Int64

  package init(addresses: [SocketAddress], timeout: Int64) {
    self.addresses = addresses
    self.timeout = timeout
  }

  /// A response from the server's admin listener, with any status code.
  package struct Answer {
    package let address: SocketAddress
    package let status: Int
    /// The value of the field `StatusDocument.stateField`, `good` or `faulty`; nil if the response
    /// lacks this field.
    package let state: String?
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// - Parameter target: The path and query of the request.
  package func get(_ target: String) throws(AdminFault) -> Answer {
    let deadline = Deadline(afterMilliseconds: timeout)
    var attempts: [(address: SocketAddress, reason: String)] = []
    for address in addresses {
      let connection: FileDescriptor
      do throws(SystemError) {
        connection = try FileDescriptor.connected(to: address, until: deadline)
      } catch {
        attempts.append((address, error.reason))
        continue
      }
      let head = "GET \(target) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
      return try exchange(head, address, connection, deadline)
    }
    throw .unreachable(attempts)
  }

  private func exchange(
    _ request: String, _ address: SocketAddress, _ connection: borrowing FileDescriptor,
    _ deadline: Deadline
  ) throws(AdminFault) -> Answer {
    var unsent = Array(request.utf8)[...]
    while !unsent.isEmpty {
      switch connection.send(Array(unsent).span) {
      case .moved(let count): unsent = unsent.dropFirst(count)
      case .wantsWrite, .wantsRead:
        try wait(connection, forWriting: true, address, deadline)
      case .ended, .failed: throw .unexpected(address, "the connection was lost")
      }
    }
    var reader = ResponseReader(limits: Self.limits)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !reader.isComplete {
      var space = buffer.mutableSpan
      let outcome = connection.receive(into: &space)
      do throws(ResponseFault) {
        switch outcome {
        case .moved(let count): _ = try reader.take(buffer.span.extracting(first: count))
        case .ended: try reader.end()
        case .failed: throw ResponseFault.nothing
        case .wantsRead, .wantsWrite: break
        }
      } catch .nothing {
        let reason =
          "the server closed the connection without an answer; its log shows whether it lacks "
          + "threads or descriptors (docker run --pids-limit, ulimit -n)"
        throw .unreachable([(address, reason)])
      } catch {
        throw .unexpected(address, error.description)
      }
      if outcome == .wantsRead { try wait(connection, forWriting: false, address, deadline) }
    }
    guard let head = reader.head else { throw .unexpected(address, "no answer") }
    guard head.value(of: "server") == AdminPages.serverField else {
      throw .unexpected(
        address,
        head.value(of: "server").map { "it is \($0)" } ?? "its response has no Server field")
    }
    return Answer(
      address: address, status: Int(head.status),
      state: head.value(of: StatusDocument.stateField.lowercased()), body: reader.body)
  }

  private func wait(
    _ connection: borrowing FileDescriptor, forWriting: Bool, _ address: SocketAddress,
    _ deadline: Deadline
  ) throws(AdminFault) {
    if connection.waitUntilReady(forWriting: forWriting, until: deadline) { return }
    throw .unreachable([(address, "no answer within \(timeout / 1000) s")])
  }

  /// The maximum size of a response in bytes. The limit is high, because a report about many
  /// domains is long.
  package static let answerBytes = 64 << 20

  private static var limits: ResponseLimits {
    var limits = ResponseLimits()
    limits.bodyBytes = answerBytes
    return limits
  }
}
