internal import Hosting

/// What the loops need of the options that can change while they run, made once for all of them.
final class LoopSettings: Sendable {
  let options: ConnectionOptions
  let proxies: TrustedProxies
  let selector: AnswerSelector
  /// How many connections one client may have.
  let clientLimit: Int

  init(_ options: ConnectionOptions, maxConnections: Int) {
    self.options = options
    proxies = TrustedProxies(options.trustedProxies)
    selector = AnswerSelector(fixed: FixedAnswers(retryAfter: Int(options.retryAfter / 1000)))
    clientLimit =
      options.maxConnectionsPerClient == 0
      ? max(16, min(1_000, maxConnections / 4)) : options.maxConnectionsPerClient
  }

  /// Milliseconds that a connection may be in a state.
  func allowance(in kind: Connection.Kind) -> Int64 {
    switch kind {
    // Before the handshake, and a part of it for whoever looks from outside.
    case .proxyHeader, .handshaking: options.handshakeTimeout
    case .idle: options.idleTimeout
    case .readingHead: options.headTimeout
    case .readingBody: options.bodyTimeout
    case .writing: options.writeTimeout
    case .lingering: options.lingerTimeout
    }
  }
}
