internal import Bytes
package import Posix
internal import Synchronization

/// Serves pages to a few clients, such as probes and browsers. Each connection has its own thread.
/// `aasa serve` never uses a page listener for the addresses from which the public fetches files.
///
/// The listener is separate from the event loops. So a slow response, for example a report on
/// 100,000 domains, does not delay devices, and a slow client does not delay other clients.
package final class PageListener: Sendable {
  private let listeners: [LoopListener]
  private let limits: PageLimits
  let connections: PageConnections
  private let isStopping = Atomic<Bool>(false)
  /// Whether the last new connection failed because the system had no descriptor or thread. If
  /// several connections fail in a row, only the first failure is reported.
  private let isFailing = Atomic<Bool>(false)
  private let thread = Mutex<Thread?>(nil)

  /// The addresses on which the listener listens. If port 0 was requested for an address, the
  /// address contains the actual port.
  package var addresses: [SocketAddress] { listeners.map { $0.listener.address } }

  /// Opens the listening sockets. The listener handles no connection before `start` is called.
  ///
  /// - Parameter wanted: The addresses to listen on. The first address is required. Any other
  ///   address is left out if this machine does not have it.
  ///
  /// - Throws: The system's error for an address that cannot be opened.
  package init(_ wanted: [SocketAddress], limits: PageLimits) throws(SystemError) {
    var listeners: [LoopListener] = []
    for (index, address) in wanted.enumerated() {
      do throws(SystemError) {
        listeners.append(LoopListener(try Server.listen(address), isSecure: false))
      } catch {
        if index > 0 && error.isNoSuchAddress { continue }
        throw error
      }
    }
    self.listeners = listeners
    self.limits = limits
    connections = try PageConnections(limit: limits.connections)
  }

  /// - Parameters:
  ///   - name: The name of the accepting thread.
  ///   - refused: Called for each request that violates HTTP, with the request and the response, on
  ///     the connection's thread. The request contains only the parts that could be parsed.
  ///   - failed: Called on the accepting thread if the system has no thread or descriptor for a
  ///     connection.
  ///   - answer: Makes the reply to a request. Called on the connection's thread.
  package func start(
    named name: String,
    refused: @escaping @Sendable (PageRequest, PageAnswer) -> Void = { _, _ in },
    failed: @escaping @Sendable (SystemError) -> Void = { _ in },
    _ answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws(SystemError) {
    let handlers = PageHandlers(answer: answer, refused: refused, failed: failed)
    let started = try Thread(named: name) { [self] in
      do throws(SystemError) {
        try accept(handlers)
      } catch {
        // Ignore the error. Without a poller, the listener handles no connections, and probes
        // notice that the listener does not answer.
      }
      connections.endAll()
      let end = Deadline(afterMilliseconds: limits.ending)
      while connections.count > 0, !end.isOver { waitForChange(until: end) }
    }
    thread.withLock { $0 = started }
  }

  /// Ends all connections, and waits until their threads have ended. If responses are in progress,
  /// waits at most `PageLimits.ending` milliseconds.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    connections.changed.signal()
    thread.withLock { $0 }?.join()
  }

  /// Accepts connections until the listener stops.
  private func accept(_ handlers: PageHandlers) throws(SystemError) {
    var poller = try Poller(capacity: listeners.count + 1)
    try poller.add(connections.changed.descriptor, token: .max, interest: .read)
    for (index, listener) in listeners.enumerated() {
      try poller.add(listener.listener.descriptor, token: UInt64(index), interest: .read)
    }
    while !isStopping.load(ordering: .acquiring) {
      for index in 0..<poller.wait(milliseconds: -1) {
        let token = poller.token(at: index)
        if token == .max {
          connections.changed.acknowledge()
        } else if !accept(from: listeners[Int(token)], handlers) {
          // Pause: accept no connections for a moment. New clients wait in the kernel's queue.
          waitForChange(until: Deadline(afterMilliseconds: limits.pause))
        }
      }
    }
  }

  /// Accepts one connection. Returns false if the maximum number of connections is reached, or the
  /// system has no descriptor or thread for the connection.
  private func accept(from listener: LoopListener, _ handlers: PageHandlers) -> Bool {
    guard connections.makeRoom() else { return false }
    var peer: IPAddress?
    switch listener.listener.accept(peer: &peer) {
    case .none: return true
    case .gone: return true
    case .exhausted(let error):
      fail(error, handlers)
      return false
    case .connection(let descriptor):
      descriptor.setSendBuffer(limits.sendBuffer)
      let socket = PageSocket(descriptor)
      let (connections, limits, number) = (connections, limits, connections.add(socket))
      do throws(SystemError) {
        _ = try Thread(named: "page") {
          var exchange = PageExchange(
            socket, number, connections, limits, handlers)
          exchange.run()
          connections.remove(number)
        }
        isFailing.store(false, ordering: .relaxed)
        return true
      } catch {
        connections.remove(number)
        fail(error, handlers)
        return false
      }
    }
  }

  private func fail(_ error: SystemError, _ handlers: PageHandlers) {
    if !isFailing.exchange(true, ordering: .relaxed) { handlers.failed(error) }
  }

  private func waitForChange(until end: Deadline) {
    if connections.changed.descriptor.waitUntilReady(forWriting: false, until: end) {
      connections.changed.acknowledge()
    }
  }
}
