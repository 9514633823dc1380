package import Diagnostics
package import Posix
internal import Synchronization
package import TLS

/// Gets certificates and renews them: it writes files, and does nothing else to the server.
package final class Issuer: Sendable {
  /// What it is to do.
  package struct Options: Sendable {
    package var authorities: [Authority]
    package var folder: StateFolder
    /// The roots of a private CA; nil for the system's alone.
    package var roots: SourceText?
    /// The profile that is asked for; nil for what the CA gives by itself.
    package var profile: String?
    package var binding: ExternalAccount?
    /// In the order in which they are tried.
    package var challenges = [ChallengeKind.http]
    /// Those of the environment, for HTTPS_PROXY and NO_PROXY.
    package var variables: [String: String] = [:]

    package init(authorities: [Authority], folder: StateFolder) {
      self.authorities = authorities
      self.folder = folder
    }
  }

  /// What it knows of the server that it works for. Called on its thread.
  package struct Environment: Sendable {
    /// The hosts that want certificates.
    package var hosts: @Sendable () -> Set<String>
    /// Takes the thumbprint that challenges are answered with.
    package var answer: @Sendable (_ thumbprint: String) -> Void = { _ in }
    /// The addresses at which new certificates must show; empty when nothing is served here.
    package var addresses: [SocketAddress] = []
    /// Shows certificates to CAs; nil when nothing is served here.
    package var certificates: ChallengeCertificates?
    /// The certificates in memory, by the paths of their files.
    package var served: @Sendable () -> [String: Certificate] = { [:] }
    package var announce: @Sendable (String) -> Void = { _ in }
    package var tell: @Sendable (Diagnostic) -> Void = { _ in }

    package init(hosts: @escaping @Sendable () -> Set<String>) { self.hosts = hosts }
  }

  private let options: Options
  private let thread: StoppableThread
  private let mailbox: Mailbox
  private let threads = Mutex<[AuthorityThread]>([])
  /// How everything stands, for whoever asks.
  package let status = StatusBoard()

  /// Throws a diagnostic when the state folder would be lost with the container.
  package init(_ options: Options) throws {
    self.options = options
    if let place = Self.existing(options.folder.root), isLostWithContainer(place) {
      throw StateFault(diagnostic: .lostWithContainer(options.folder.root))
    }
    let thread = try StoppableThread()
    self.thread = thread
    mailbox = Mailbox { thread.wake() }
  }

  /// The nearest folder above a path that is there.
  private static func existing(_ path: String) -> String? {
    var path = path[...]
    while !path.isEmpty {
      if (try? Posix.status(String(path))) != nil { return String(path) }
      guard let slash = path.lastIndex(of: "/") else { return "." }
      path = slash == path.startIndex && path.count > 1 ? "/" : path[..<slash]
    }
    return "/"
  }

  package func start(_ environment: Environment) throws(SystemError) {
    try thread.start(named: "issuer") { [self] in
      let work = IssuerWork(options, environment, status, mailbox) { [self] started in
        threads.withLock { $0 += started }
      }
      work.run { [thread] in thread.pause(milliseconds: $0) }
    }
  }

  /// What is being asked is not waited for: every step can be taken up again.
  package func stop() {
    thread.stop()
    for thread in threads.withLock(\.self) { thread.stop() }
  }

  /// Whether its threads have ended, after a moment's wait.
  package func hasEnded() -> Bool {
    thread.hasEnded() && mailbox.isIdle && threads.withLock(\.self).allSatisfy { $0.hasEnded() }
  }
}

/// The issuer cannot be started.
package struct StateFault: Error {
  package let diagnostic: Diagnostic
}
