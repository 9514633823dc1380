package import Catalog
package import Diagnostics
internal import Posix
package import Settings
internal import Synchronization
package import TLS

/// The state of the server's domains and certificates at one moment. A status is an immutable value
/// that refers to the same catalog as the event loops.
package struct HostingStatus: Sendable {
  /// Whether the first load of all files is complete.
  package var isLoaded = false
  /// The path of the domains folder.
  package var folder = ""
  /// Why changes in the domains folder do not take effect now, or why the folder could not be read;
  /// nil if neither applies.
  package var folderFault: Diagnostic?
  /// Why changes in the certificates folders do not take effect now, or why a folder could not be
  /// read; nil if neither applies.
  package var certificateFault: Diagnostic?
  /// Diagnostics about reads that have been hanging for a long time.
  package var hangs: [Diagnostic] = []
  /// The number of reads and writes that hang now, including those that have not been reported yet.
  package var hangingReads = 0
  /// Whether changes in the certificates folders currently have no effect.
  package var areCertificatesHeld = false
  /// Whether there may be hosts that the server does not know. This is the case if the domains
  /// folder could not be read since the start, or if it is empty although the last run found names
  /// in it.
  package var isFolderUnread = false
  /// The number of entries that have not been read since the start. After all entries have been
  /// read, the number is always 0.
  package var unreadAtStart = 0
  /// The number of entries and certificates for which a restart would lose the served version.
  package var unkept = 0
  /// The number of certificates that are stored on the disk, with their keys, for the next start.
  package var keptCertificates = 0
  /// Losses that take effect only after an operator confirms them.
  package var holds: [Hold] = []
  /// When each hold began, by its ID, in seconds since 1970.
  package internal(set) var heldSince: [String: Int64] = [:]
  /// The IDs of holds that were confirmed most recently.
  package var confirmed: [String] = []
  /// Whether the user set the path of the certificates folder.
  package var isCertificatesFolderExpected = false
  package var catalog = Catalog(sites: [], material: nil)
  /// The problems that the last reading of each entry found, for the entries that have problems.
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
  /// Whether all files could be used at the last reload or at the first load.
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

/// Passes the newest status from the maintenance thread to other threads. The event loops do not
/// read the status.
package final class StatusPublisher: Sendable {
  private let status = Mutex(HostingStatus())
  private let follower = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  package var current: HostingStatus { status.withLock { $0 } }

  package func publish(_ next: HostingStatus) {
    // The old status may be large, so release it outside the lock.
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

  /// Sets a function that the maintenance thread calls each time after it has published a new
  /// status.
  package func follow(_ changed: @escaping @Sendable () -> Void) {
    follower.withLock { $0 = changed }
  }
}

/// A change that takes effect only after an operator confirms it: a loss of files or names, or a
/// new certificate. A new certificate must be confirmed if clients would refuse it, or if it leaves
/// a host without a certificate. Until the confirmation, everything is served as before.
package struct Hold: Sendable, Equatable {
  /// The ID for `aasa confirm`. If the loss grows, the ID changes, so that an operator confirms
  /// only a loss that they have seen.
  package let id: String
  /// A diagnostic that says what was lost, what is served until the confirmation, and how to
  /// confirm or undo the loss.
  package let fault: Diagnostic
}

/// The problems that the last reading of one entry or certificate found.
package struct Problem: Sendable {
  /// The first diagnostics, errors first; `omitted` is the number of the others.
  package let diagnostics: [Diagnostic]
  /// The number of omitted diagnostics.
  package let omitted: Int
  /// Whether the last good version is served instead of the current one.
  package let isLastGood: Bool
  /// Whether there is an error among the diagnostics.
  package let hasErrors: Bool
}

/// The state of one certificate in a certificates folder.
package struct CertificateStatus: Sendable {
  /// The name of the certificate's files without the extension, or the name of their folder.
  package let name: String
  /// The path of the certificate's chain, relative to the certificates folder. No other certificate
  /// in that folder has the same path.
  package let file: String
  /// The served certificate; nil if no good version has been found yet.
  package let certificate: Certificate?
  package let problem: Problem?
  /// Whether this is an automatic certificate.
  package var isIssuedHere = false
}

extension HostingStatus {
  /// Returns the reasons to send no traffic to this server, each as a lower-case sentence; empty if
  /// there are no such reasons.
  ///
  /// - Parameter now: The time at which certificates must be valid, in seconds since 1970.
  package func obstacles(now: Int64) -> [String] {
    obstacles + [certificateObstacle(now: now)].compactMap(\.self)
  }

  /// The reasons to send no traffic to the server, neither HTTP nor HTTPS.
  ///
  /// A new server must receive no traffic while one of these reasons exists. A single broken domain
  /// is not a reason, because the server can serve the other domains.
  package var obstacles: [String] {
    if !isLoaded { return ["the files are still being loaded"] }
    var reasons: [String] = []
    if catalog.sites.isEmpty || isFolderUnread {
      // A folder without entries may be intended. A folder that cannot be read is a fault, even if
      // kept versions are served.
      if let folderFault {
        reasons.append("\(folder): \(folderFault.message)")
      } else if isFolderUnread {
        reasons.append("\(folder): the file system does not answer")
      }
    }
    if unreadAtStart > 0 {
      let subject = unreadAtStart == 1 ? "a domain has" : "\(unreadAtStart) domains have"
      reasons.append("\(folder): \(subject) not been read yet")
    } else if !catalog.sites.isEmpty, !isFolderUnread, !catalog.sites.contains(where: \.hasContent)
    {
      let count = catalog.sites.count
      reasons.append(
        count == 1
          ? "the file of the only domain cannot be served"
          : "none of the \(count) domains has a file that can be served")
    }
    return reasons
  }

  /// Returns why HTTPS has no valid certificate. Returns nil if there is a valid certificate, if
  /// the self-signed certificate is sufficient, if HTTPS is off, or if the files are still being
  /// loaded.
  package func certificateObstacle(now: Int64) -> String? {
    // The self-signed certificate is only for trials. If the user has set a certificates folder,
    // the folder must contain a certificate.
    let isSelfSignedEnough =
      usesSelfSigned && !isCertificatesFolderExpected && certificateFault == nil
    if !isLoaded || !hasHTTPS || isSelfSignedEnough { return nil }
    let served = certificates.compactMap(\.certificate)
    if served.isEmpty {
      return certificateFault.map { "\($0.location?.path ?? ""): \($0.message)" }
        ?? "there is no usable certificate for HTTPS"
    }
    if served.contains(where: { $0.isValid(at: now) }) { return nil }
    return served.count == 1
      ? "the only certificate is not valid now"
      : "none of the \(served.count) certificates is valid now"
  }
}

extension Site {
  /// Whether the entry has a file that can be served, or has no files at all.
  fileprivate var hasContent: Bool {
    answers.isEmpty
      || answers.contains { if case .served = $0 { true } else { false } }
  }
}
