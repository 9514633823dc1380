package import Posix
internal import Synchronization

/// Where the server tells about itself: health, metrics, status. Never where the public asks.
package final class AdminListener: Sendable {
  private let listeners: [LoopListener]
  private let control: AdminControl
  private let requests: AdminRequests
  private let thread = Mutex<Thread?>(nil)

  /// What is really listened on: port 0 has become a number.
  package var addresses: [SocketAddress] { listeners.map { $0.listener.address } }

  /// Listens. Nothing is answered before `start`.
  ///
  /// - Parameters:
  ///   - wanted: the first must be there, the others may be missing on a machine that does not have
  ///     them.
  ///   - hosts: names by which it may be asked, besides addresses and `localhost`.
  package init(_ wanted: [SocketAddress], hosts: [String]) throws(SystemError) {
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
    control = try AdminControl()
    requests = AdminRequests(hosts: hosts)
  }

  /// - Parameter answer: called on the listener's own thread, for one request after the other.
  package func start(
    _ answer: @escaping @Sendable (AdminRequest) -> AdminAnswer
  ) throws(SystemError) {
    let (listeners, control, requests) = (listeners, control, requests)
    let started = try Thread(named: "admin") {
      do throws(SystemError) {
        var loop = try AdminLoop(
          listeners: listeners, control: control, requests: requests, answer: answer)
        loop.run()
      } catch {
        // Without a poller nobody is answered: probes will tell.
        return
      }
    }
    thread.withLock { $0 = started }
  }

  package func stop() {
    control.isStopping.store(true, ordering: .releasing)
    control.wakeup.signal()
    thread.withLock { $0 }?.join()
  }
}
