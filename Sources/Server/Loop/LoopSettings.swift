internal import Catalog
internal import Settings

/// Values that are computed from the options that can change at run time. All event loops share
/// these values, so that each value is computed only once.
final class LoopSettings: Sendable {
  let options: ConnectionOptions
  let proxies: TrustedProxies
  let selector: AnswerSelector
  /// The maximum number of connections per client.
  let clientLimit: Int

  init(
    _ options: ConnectionOptions, maxConnections: Int, wellKnown: WellKnownFiles,
    challenges: ChallengeAnswers? = nil
  ) {
    self.options = options
    proxies = TrustedProxies(options.trustedProxies)
    selector = AnswerSelector(
      fixed: FixedAnswers(retryAfter: Int(options.retryAfter / 1000)), wellKnown: wellKnown,
      challenges: challenges)
    clientLimit =
      options.maxConnectionsPerClient == 0
      ? max(16, min(1_000, maxConnections / 4)) : options.maxConnectionsPerClient
  }

  /// Returns the time limit in milliseconds for connections in a state of this kind.
  func allowance(in kind: Connection.Kind) -> Int64 {
    switch kind {
    // The PROXY protocol header comes before the TLS handshake, and has the same time limit.
    case .proxyHeader, .handshaking: options.handshakeTimeout
    case .idle: options.idleTimeout
    case .readingHead: options.headTimeout
    case .readingBody: options.bodyTimeout
    case .writing: options.writeTimeout
    case .lingering: options.lingerTimeout
    }
  }
}
