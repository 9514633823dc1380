internal import HTTP
package import Keeping
internal import Posix
package import Server
internal import Synchronization

/// Determines whether the server is ready for traffic.
package final class Health: Sendable {
  /// The listeners that a load balancer can check separately.
  package enum Listener: String, Sendable, CaseIterable { case http, https }

  private let status: StatusPublisher
  /// The listeners of this server.
  private let listeners: Set<Listener>
  /// Returns whether hosts wait for their first certificates. The CA issues a certificate only if
  /// it can reach this server.
  private let awaitsCertificates: @Sendable (HostingStatus) -> Bool
  private let isDraining = Atomic<Bool>(false)

  package init(
    _ status: StatusPublisher, listeners: Set<Listener>,
    awaitsCertificates: @escaping @Sendable (HostingStatus) -> Bool
  ) {
    self.status = status
    self.listeners = listeners
    self.awaitsCertificates = awaitsCertificates
  }

  /// Notes that the server is stopping. A stopping server still answers requests, but is not ready.
  package func beginDraining() { isDraining.store(true, ordering: .releasing) }

  /// Returns the reasons why the server is not ready; empty if it is ready.
  ///
  /// A server without a certificate is ready for HTTP while hosts wait for their first
  /// certificates. Otherwise the load balancer would not forward the CA's requests to this server,
  /// so the server would never get a certificate.
  ///
  /// - Parameter listener: The listener to check; nil for the whole server.
  package func obstacles(of listener: Listener? = nil) -> [String] {
    let status = status.current
    var reasons = isDraining.load(ordering: .acquiring) ? ["the server is stopping"] : []
    reasons += status.obstacles
    if let listener, !listeners.contains(listener) {
      reasons.append("\(listener.rawValue.uppercased()) is off")
    }
    if listener == .http || listener == nil && awaitsCertificates(status) { return reasons }
    return reasons + [status.certificateObstacle(now: Clock.wallSeconds())].compactMap(\.self)
  }

  /// Why the server is not ready for HTTPS. Nil if the server is ready for HTTPS, or if no host
  /// waits for its first certificate.
  package var missingCertificate: String? {
    let status = status.current
    let obstacle = status.certificateObstacle(now: Clock.wallSeconds())
    return obstacle.flatMap { awaitsCertificates(status) ? $0 : nil }
  }

  /// Makes the response for `/readyz`.
  package func readyPage(_ request: PageRequest) -> PageAnswer {
    let name = request.values(of: "listener").last
    let listener = name.flatMap(Listener.init(rawValue:))
    if name != nil, listener == nil {
      return PageAnswer(.badRequest, text: "the parameter listener must be http or https")
    }
    let obstacles = obstacles(of: listener)
    if !obstacles.isEmpty {
      return PageAnswer(
        .serviceUnavailable, text: obstacles.map { "not ready: " + $0 }.joined(separator: "\n"))
    }
    let missing = listener == nil ? missingCertificate : nil
    return PageAnswer(text: "ready" + (missing.map { ", but not for HTTPS yet: " + $0 } ?? ""))
  }
}
