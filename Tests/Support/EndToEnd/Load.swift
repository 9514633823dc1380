import Foundation
import Synchronization

/// Clients that send requests without a pause, in threads of their own, until they are stopped.
final class Load: Sendable {
  struct Result: Sendable {
    var served = 0
    /// The first few errors.
    var failures: [String] = []
    /// The bodies that were seen.
    var bodies: Set<String> = []
    var running = 0
  }

  private let state = Mutex(Result())
  private let isStopping = Atomic(false)

  /// - Parameters:
  ///   - persistent: clients that keep their connection.
  ///   - fresh: clients that open one for each request.
  init(on port: Int, host: String, persistent: Int, fresh: Int) {
    state.withLock { $0.running = persistent + fresh }
    for index in 0..<(persistent + fresh) {
      Thread { [self] in ask(port, host, keepsConnection: index < persistent) }.start()
    }
  }

  var now: Result { state.withLock { $0 } }

  /// Stops all clients after the request that each is in the middle of.
  func stop() throws -> Result {
    isStopping.store(true, ordering: .relaxed)
    guard eventually(within: patience, { now.running == 0 }) else {
      throw Failure("a client does not stop")
    }
    return now
  }

  private func ask(_ port: Int, _ host: String, keepsConnection: Bool) {
    defer { state.withLock { $0.running -= 1 } }
    let text = request(host: host)
    do {
      var client = try RawClient(port: port)
      while !isStopping.load(ordering: .relaxed) {
        if !keepsConnection { client = try RawClient(port: port) }
        try client.send(text)
        let response = try client.receive()
        state.withLock { state in
          state.served += 1
          state.bodies.insert(response.text)
          if response.status != 200 { state.failures.append("status \(response.status)") }
        }
      }
    } catch {
      state.withLock { $0.failures.append("\(error)") }
    }
  }
}
