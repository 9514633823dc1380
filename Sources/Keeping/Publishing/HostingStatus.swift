package import Catalog
package import Diagnostics
internal import Posix
package import Settings
internal import Synchronization
package import TLS

/// The state of the server's domains and certificates at one moment. It is an immutable value that
/// shares the catalog with the event loops.
package struct HostingStatus: Sendable {
  /// Whether the first load of all files is complete.
  package var isLoaded = false
  /// The path of the domains folder.
  package var folder = ""
  /// Why changes in the domains folder are held back, or why the folder could not be read; nil if
  /// neither is the case.
  package var folderFault: Diagnostic?
  /// Why changes in the certificates folders are held back, or why a folder could not be read; nil
  /// if neither is the case.
  package var certificateFault: Diagnostic?
  /// Diagnostics about reads that have been hanging for a long time.
  package var hangs: [Diagnostic] = []
  /// The number of reads and writes that hang now, including those that have not been reported yet.
  package var hangingReads = 0
  /// Whether all changes in the certificates folder are held back.
  package var areCertificatesHeld = false
  /// Whether the server may not know all hosts, because the domains folder has not been readable
  /// since the start, or is empty although the last run found names in it.
  package var isFolderUnread = false
  /// The number of entries that have not been read since the start. Once all entries have been
  /// read, this number stays 0.
  package var unreadAtStart = 0
  /// The number of entries and certificates whose served versions a restart would lose.
  package var unkept = 0
  /// The number of certificates that are kept on disk, with their keys, for the next start.
  package var keptCertificates = 0
  /// Losses that take effect only after an operator confirms them.
  package var holds: [Hold] = []
  /// When each hold began, by its ID, in seconds since 1970.
  package internal(set) var heldSince: [String: Int64] = [:]
  /// The most recently confirmed IDs of holds.
  package var confirmed: [String] = []
  /// Whether the user set the path of the certificates folder.
  package var isCertificatesFolderExpected = false
  package var catalog = Catalog(sites: [], material: nil)
  /// The problems that the last reading of each entry found. Only entries with problems are
  /// included.
  package var problems: [DomainName: Problem] = [:]
  /// The certificates sorted by path; empty if HTTPS is off.
  package var certificates: [CertificateStatus] = []
  package var hasHTTPS = false
  /// Whether HTTPS uses the self-signed fallback certificate.
  package var usesSelfSigned = false
  package var reloads = Reloads()

  package init() {}

  /// The state of one entry.
  package enum State: String, Sendable, CaseIterable {
    /// The current version of the entry's files is served.
    case served
    /// The entry's files have errors that devices tolerate, and there is no better version to
    /// serve.
    case flawed
    /// The entry's files are faulty now, and the last good version is served.
    case lastGood = "last-good"
    /// The entry's files are faulty, and no version of them can be served. Clients get 503.
    case refused
    /// The entry has a folder, but the folder contains no file to serve. Clients get 404.
    case empty
  }

  package func state(of site: Site) -> State {
    let isRefused = site.answers.contains {
      if case .unavailable = $0 { true } else { false }
    }
    if isRefused { return .refused }
    if site.answers.isEmpty { return .empty }
    return switch problems[site.name] {
    case let problem? where problem.isLastGood: .lastGood
    case let problem? where problem.hasErrors: .flawed
    default: .served
    }
  }

  /// The number of entries in each state, in the order of `State.allCases`.
  package typealias Counts = [(state: State, count: Int)]

  package var counts: Counts {
    var counts = State.allCases.map { ($0, 0) }
    for site in catalog.sites {
      let state = state(of: site)
      if let index = State.allCases.firstIndex(of: state) { counts[index].1 += 1 }
    }
    return counts
  }
}

/// The results of reloads.
package struct Reloads: Sendable {
  /// The number of successful reloads since the start. The first load is not counted.
  package var successes = 0
  /// The number of reloads in which at least one file could not be used.
  package var failures = 0
  /// Whether all files could be used at the last reload.
  package var isLastSuccessful = false
  /// The time of the last reload in which all files could be used, in seconds since 1970.
  package var lastSuccess: Int64?
  package var lastFailure: Int64?

  package mutating func note(failed: Bool, isFirst: Bool, now: Int64) {
    isLastSuccessful = !failed
    if failed { lastFailure = now } else { lastSuccess = now }
    if isFirst { return }
    if failed { failures += 1 } else { successes += 1 }
  }
}

/// Passes the newest status from the maintenance thread to its readers. Event loops do not read the
/// status.
package final class StatusPublisher: Sendable {
  private let status = Mutex(HostingStatus())
  private let follower = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  package var current: HostingStatus { status.withLock { $0 } }

  package func publish(_ next: HostingStatus) {
    // Release the old status outside the lock, because it may be large.
    let now = Clock.wallSeconds()
    let before = status.withLock { status in
      let before = status
      status = next
      for hold in next.holds { status.heldSince[hold.id] = before.heldSince[hold.id] ?? now }
      return before
    }
    _ = before
    follower.withLock { $0 }?()
  }

  /// Makes the maintenance thread call a function after each status that is published from now on.
  package func follow(_ changed: @escaping @Sendable () -> Void) {
    follower.withLock { $0 = changed }
  }
}

/// A loss of files or names, or a new certificate that clients would refuse or that leaves a host
/// without a certificate. The loss or the new certificate takes effect only after an operator
/// confirms it. Until then, everything is served as before.
package struct Hold: Sendable, Equatable {
  /// The ID for `aasa confirm`. It changes when the loss grows, so that nobody confirms more than
  /// they have seen.
  package let id: String
  /// Says what was lost, what is served during the hold, and how to end the hold.
  package let fault: Diagnostic

  package init(id: String, fault: Diagnostic) {
    self.id = id
    self.fault = fault
  }
}

/// The problems that the last reading of one entry or certificate found.
package struct Problem: Sendable {
  /// The first few diagnostics, errors first.
  package let diagnostics: [Diagnostic]
  /// The number of omitted diagnostics.
  package let omitted: Int
  /// Whether the last good version is served instead of the current one.
  package let isLastGood: Bool
  /// Whether there is an error among the diagnostics.
  package let hasErrors: Bool

  package init(diagnostics: [Diagnostic], omitted: Int, isLastGood: Bool, hasErrors: Bool) {
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.isLastGood = isLastGood
    self.hasErrors = hasErrors
  }
}

/// The state of one certificate in a certificates folder.
package struct CertificateStatus: Sendable {
  /// The name of the certificate's files without extension, or the name of its folder.
  package let name: String
  /// The path of the certificate's chain, relative to the certificates folder. The path is unique
  /// in that folder.
  package let file: String
  /// The served certificate; nil if there has been no good version yet.
  package let certificate: Certificate?
  package let problem: Problem?
  /// Whether this is an automatic certificate.
  package var isIssuedHere = false

  package init(
    name: String, file: String, certificate: Certificate?, problem: Problem?,
    isIssuedHere: Bool = false
  ) {
    self.name = name
    self.file = file
    self.certificate = certificate
    self.problem = problem
    self.isIssuedHere = isIssuedHere
  }
}
