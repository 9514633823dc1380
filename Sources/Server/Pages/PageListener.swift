package import Posix
internal import Synchronization

/// Listens for people, probes and browsers, who are few, and answers them one after the other:
/// never where the public asks for files.
package final class PageListener: Sendable {
  private let listeners: [LoopListener]
  private let limits: PageLimits
  private let control: PageControl
  private let thread = Mutex<Thread?>(nil)

  /// What is really listened on: port 0 has become a number.
  package var addresses: [SocketAddress] { listeners.map { $0.listener.address } }

  /// Listens. Nothing is answered before `start`.
  ///
  /// - Parameter wanted: the first must be there, the others may be missing on a machine that does
  ///   not have them.
  ///
  /// Throws what the system refuses for the first.
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
    control = try PageControl()
  }

  /// - Parameters:
  ///   - name: of the thread.
  ///   - answer: called on the listener's own thread, for one request after the other.
  package func start(
    named name: String, _ answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws(SystemError) {
    let (listeners, limits, control) = (listeners, limits, control)
    let started = try Thread(named: name) {
      do throws(SystemError) {
        var loop = try PageLoop(
          listeners: listeners, limits: limits, control: control, answer: answer)
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
