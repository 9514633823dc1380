package import Diagnostics
package import Posix
package import Settings
package import TLS

/// Gets and renews certificates, and writes them to files, which the server reads.
package final class Issuer: Sendable {
  package struct Options: Sendable {
    package var authorities: [Authority]
    package var folder: StateFolder
    /// The roots of a private CA; nil to trust only the system's roots.
    package var roots: SourceText?
    /// The certificate profile to request; nil to use the CA's default.
    package var profile: String?
    /// The challenges in the order in which they are tried.
    package var challenges = [ChallengeKind.http]
    /// The name server for checks of names; nil for the system's name server.
    package var resolver: SocketAddress?
    /// The environment variables. Only HTTPS_PROXY, ALL_PROXY and NO_PROXY are used, in upper or
    /// lower case.
    package var variables: [String: String] = [:]

    package init(authorities: [Authority], folder: StateFolder) {
      self.authorities = authorities
      self.folder = folder
    }
  }

  /// The issuer's connection to its server. The functions are called on the issuer's thread.
  package struct Environment: Sendable {
    /// Returns the hosts that need certificates.
    package var hosts: @Sendable () -> Set<String>
    /// Receives the thumbprint with which the server answers challenges.
    package var answer: @Sendable (_ thumbprint: String) -> Void = { _ in }
    /// The addresses of the HTTPS listeners with which the issuer makes handshakes.
    package var addresses: [SocketAddress] = []
    /// Stores the certificates that the server shows to CAs; nil if `addresses` is empty.
    package var certificates: ChallengeCertificates?
    /// Returns the certificates that the server has in memory. Each key is the path of a
    /// certificate's file.
    package var served: @Sendable () -> [String: Certificate] = { [:] }
    package var announce: @Sendable (String) -> Void = { _ in }
    package var report: @Sendable (Diagnostic) -> Void = { _ in }

    package init(hosts: @escaping @Sendable () -> Set<String>) { self.hosts = hosts }
  }

  private let options: Options
  private let thread: StoppableThread
  private let mailbox: Mailbox
  /// The status of all hosts. Any thread may read it.
  package let status = StatusBoard()

  /// Throws a `StateFault` if the state folder would be lost with the container.
  package init(_ options: Options) throws {
    self.options = options
    if isLostWithContainer(options.folder.root) {
      throw StateFault(diagnostic: .lostWithContainer(options.folder.root))
    }
    let thread = try StoppableThread()
    self.thread = thread
    mailbox = Mailbox { thread.wake() }
  }

  package func start(_ environment: Environment) throws(SystemError) {
    try thread.start(named: "issuer") { [self] in
      IssuerWork(options, environment, status, mailbox).run { [thread] in
        thread.pause(milliseconds: $0)
      }
    }
  }

  package func noteNews() { mailbox.noteNews() }

  /// Stops without waiting for requests in progress, because every step can be resumed.
  package func stop() { thread.stop() }

  /// Waits briefly, and returns whether the issuer's threads have ended.
  package func hasEnded() -> Bool { thread.hasEnded() && mailbox.isIdle }
}

/// The reason why the issuer cannot be started.
package struct StateFault: Error {
  package let diagnostic: Diagnostic
}
