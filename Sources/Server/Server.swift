internal import Bytes
package import Catalog
package import Logging
package import Posix
package import Settings
internal import Synchronization
package import TLS

/// The server: its listening sockets, and one event loop for each thread.
package final class Server: Sendable {
  /// An address to listen on.
  package struct Endpoint: Sendable, Equatable {
    package let address: SocketAddress
    package let isSecure: Bool
    /// Whether to continue without this endpoint if the machine lacks its address, for example
    /// `::1` for `localhost`.
    package let isOptional: Bool

    package init(address: SocketAddress, isSecure: Bool, isOptional: Bool = false) {
      self.address = address
      self.isSecure = isSecure
      self.isOptional = isOptional
    }
  }

  /// A socket that a service manager opened.
  package struct Inherited: Sendable, Equatable {
    package let socket: InheritedSocket
    package let isSecure: Bool

    package init(socket: InheritedSocket, isSecure: Bool) {
      self.socket = socket
      self.isSecure = isSecure
    }
  }

  /// The options of the server at its start.
  package struct Options: Sendable {
    /// The number of event loops, each with a thread.
    package var threads: Int
    /// The maximum number of connections, over all event loops. At the limit, a new connection
    /// replaces the least valuable one (see `EventLoop.dropOne`).
    package var maxConnections: Int
    /// The options that can change while the server runs.
    package var connections = ConnectionOptions()
    /// Further well-known files to serve, in addition to association files and `assetlinks.json`.
    package var wellKnown = WellKnownFiles()
    /// The access log's options; nil if the server writes no access log.
    package var accessLog: AccessLogOptions?
    /// The responses to ACME challenges; nil if the server gets no certificates automatically.
    package var challenges: ChallengeAnswers?
    /// Whether connections from this machine count toward the limit per client. Only tests set this
    /// variable, because all their connections come from this machine.
    var countsLoopback = false

    package init(threads: Int, maxConnections: Int) {
      self.threads = threads
      self.maxConnections = maxConnections
    }
  }

  /// An endpoint that could not be opened.
  package struct EndpointError: Error, Sendable {
    package let endpoint: Endpoint
    package let error: SystemError
  }

  private let options: Options
  private let shared: LoopShared
  private let loops: [LoopHandle]
  private let accessLog: AccessLog?
  /// The maximum number of simultaneous connections over all event loops.
  private let connectionLimit: Atomic<Int>
  private let threads = Mutex<[Thread]>([])
  /// The publisher that passes new catalogs to the loops.
  package var publisher: CatalogPublisher { shared.publisher }
  /// The metrics of all event loops. Any thread may read them.
  package let metrics: ServerMetrics
  /// The endpoints on which the server listens. If port 0 was requested for an endpoint, the
  /// endpoint contains the actual port.
  package let endpoints: [Endpoint]

  /// Opens all endpoints. The server accepts no connection before `start` is called.
  ///
  /// - Parameters:
  ///   - inherited: Additional sockets to listen on, which a service manager opened.
  ///   - context: The TLS context; required if an endpoint uses TLS.
  /// - Throws: One error that lists every endpoint that could not be opened.
  package init(
    options: Options, endpoints wanted: [Endpoint], inherited: [Inherited] = [],
    publisher: CatalogPublisher, context: ServerContext?, log: Logger
  ) throws(ServerError) {
    let count = max(1, options.threads)
    let shared = LoopShared(
      LoopSettings(
        options.connections, maxConnections: options.maxConnections, wellKnown: options.wellKnown,
        challenges: options.challenges),
      loops: count, countsLoopback: options.countsLoopback, publisher: publisher, context: context,
      log: log)
    var listeners: [[LoopListener]] = Array(repeating: [], count: count)
    var bound: [Endpoint] = []
    var faults: [EndpointError] = []
    for endpoint in inherited {
      let address = endpoint.socket.address
      bound.append(Endpoint(address: address, isSecure: endpoint.isSecure))
      do throws(SystemError) {
        for index in 0..<count {
          let listener = try Listener(sharing: endpoint.socket)
          listeners[index].append(LoopListener(listener, isSecure: endpoint.isSecure))
        }
      } catch {
        faults.append(EndpointError(endpoint: bound[bound.count - 1], error: error))
      }
    }
    for endpoint in wanted {
      do throws(SystemError) {
        let opened = try Self.open(endpoint, copies: count)
        if let first = opened.first {
          bound.append(Endpoint(address: first.listener.address, isSecure: endpoint.isSecure))
        }
        for (index, listener) in opened.enumerated() { listeners[index].append(listener) }
      } catch {
        if endpoint.isOptional && error.isNoSuchAddress { continue }
        faults.append(EndpointError(endpoint: endpoint, error: error))
      }
    }
    guard faults.isEmpty else { throw .endpoints(faults) }
    endpoints = bound
    self.options = options
    self.shared = shared
    connectionLimit = Atomic(options.maxConnections)

    if let wanted = options.accessLog {
      accessLog = try AccessLog(wanted, loops: count, log: log)
    } else {
      accessLog = nil
    }
    do throws(SystemError) {
      var loops: [LoopHandle] = []
      for own in listeners { loops.append(try LoopHandle(own)) }
      self.loops = loops
      for loop in loops { publisher.wake(loop.wakeup) }
      metrics = ServerMetrics(
        loops: loops.map(\.counters), accessLog: accessLog, wellKnown: options.wellKnown)
    } catch {
      throw .system(error)
    }
  }

  /// Opens one listening socket for each event loop. The kernel distributes the connections among
  /// these sockets.
  private static func open(
    _ endpoint: Endpoint, copies: Int
  ) throws(SystemError) -> [LoopListener] {
    let first = try listen(endpoint.address)
    let address = first.address
    var result = [LoopListener(first, isSecure: endpoint.isSecure)]
    for _ in 1..<max(1, copies) {
      result.append(
        LoopListener(try Listener(address), isSecure: endpoint.isSecure))
    }
    return result
  }

  /// Opens a socket that listens on an address. If the machine has no IPv6, the address `[::]` is
  /// replaced by `0.0.0.0`.
  static func listen(_ address: SocketAddress) throws(SystemError) -> Listener {
    do throws(SystemError) {
      if address.port != 0 { try Listener.checkFree(address) }
      return try Listener(address)
    } catch {
      guard error.isNoSuchAddress, !address.isIPv4, address.isUnspecified else { throw error }
      let remaining = SocketAddress(.v4(0), port: address.port)
      if address.port != 0 { try Listener.checkFree(remaining) }
      return try Listener(remaining)
    }
  }

  /// Starts the event loops. Returns when every loop is running.
  ///
  /// - Parameters:
  ///   - maxConnections: A second limit on the number of connections. The lower one of this limit
  ///     and the limit in `Options` applies.
  ///   - memory: The memory available for connections in bytes; nil if memory is unlimited.
  package func start(maxConnections: Int = .max, memory: Int? = nil) throws(ServerError) {
    let most = min(options.maxConnections, maxConnections)
    connectionLimit.store(most, ordering: .relaxed)
    take(options.connections)
    let limit = max(1, most / loops.count)
    let room = memory.map { $0 / loops.count }
    var started: [Thread] = []
    var fault: SystemError?
    do throws(SystemError) {
      let starts = try LoopStarts(loops: loops.count)
      for (index, loop) in loops.enumerated() {
        let shared = self.shared
        let accessLog = self.accessLog
        let wellKnown = options.wellKnown
        started.append(
          try Thread(named: "loop-\(index + 1)") {
            // Create the log here, so that only the loop's own thread uses it.
            let log = accessLog.map { LoopLog($0, loop: index, wellKnown) }
            Self.run(shared, loop, log, connectionLimit: limit, room, starts)
          })
      }
      try starts.wait()
    } catch {
      fault = error
    }
    threads.withLock { $0 = started }
    guard let fault else { return }
    stop()
    throw .system(fault)
  }

  private static func run(
    _ shared: LoopShared, _ loop: LoopHandle, _ log: LoopLog?, connectionLimit: Int,
    _ memoryRoom: Int?, _ starts: LoopStarts
  ) {
    do throws(SystemError) {
      var eventLoop = try EventLoop(
        shared: shared, handle: loop, connectionLimit: connectionLimit, memoryRoom: memoryRoom,
        log: log)
      starts.note()
      eventLoop.run()
    } catch {
      starts.note(error)
    }
  }

  /// Applies new options to open connections and to all later connections.
  package func take(_ connections: ConnectionOptions) {
    shared.publish(
      LoopSettings(
        connections, maxConnections: connectionLimit.load(ordering: .relaxed),
        wellKnown: options.wellKnown, challenges: options.challenges))
  }

  /// Closes each connection after its next response. Clients then reconnect to another server
  /// before this server stops.
  package func beginDraining() { shared.isLeaving.store(true, ordering: .relaxed) }

  /// Stops accepting connections. Waits until the responses in progress are complete, or the grace
  /// period is over. Several threads may call this function, and each call returns when the server
  /// has stopped.
  package func stop() {
    shared.isStopping.store(true, ordering: .releasing)
    for loop in loops { loop.wakeup.signal() }
    threads.withLock { threads in
      for thread in threads { thread.join() }
      threads = []
    }
    accessLog?.close()
  }

  /// Opens the access log's file again, after a log rotation has renamed the old file.
  package func reopenAccessLog() { accessLog?.reopen() }
}

/// Why the server could not start.
package enum ServerError: Error, Sendable {
  case endpoints([Server.EndpointError])
  /// The access log's file cannot be opened.
  case accessLog(SystemError)
  case system(SystemError)
}
