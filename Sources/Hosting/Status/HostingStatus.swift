package import Diagnostics
internal import Synchronization

/// How hosting stands at one moment, for those who ask: an immutable value that shares the catalog
/// with what is served.
package struct HostingStatus: Sendable {
  /// Everything has been read once.
  package var isLoaded = false
  /// The domains folder.
  package var folder = ""
  /// Why everything in the domains folder stays as it is, or why it could not be read.
  package var folderFault: Diagnostic?
  /// The same of the certificates folder, or of a folder in it.
  package var certificateFault: Diagnostic?
  /// Everything in the certificates folder stays as it is.
  package var areCertificatesHeld = false
  /// The user named the certificates folder.
  package var isCertificatesFolderExpected = false
  package var catalog = Catalog(sites: [], material: nil)
  /// Of the entries with which something is wrong, or was when they were last read.
  package var troubles: [DomainName: Trouble] = [:]
  /// In the order of their paths; empty without HTTPS.
  package var certificates: [CertificateStatus] = []
  package var hasHTTPS = false
  /// HTTPS uses a certificate made for this run.
  package var hasStandIn = false
  package var reloads = Reloads()

  package init() {}

  /// How one entry stands.
  package enum State: String, Sendable, CaseIterable {
    /// What is in its files is what is served.
    case served
    /// Its file has errors that devices survive, and is served because nothing better is known.
    case flawed
    /// Its files are faulty now, and what was good last is served.
    case lastGood = "last-good"
    /// Its files are faulty, and there is nothing to serve: 503.
    case refused
    /// A folder without an association file: 404.
    case empty
  }

  package func state(of site: Site) -> State {
    switch (site.association, site.assetLinks) {
    case (.unavailable, _), (_, .unavailable): .refused
    case (.absent, .absent): .empty
    default:
      switch troubles[site.name] {
      case let trouble? where trouble.isLastGood: .lastGood
      case let trouble? where trouble.hasErrors: .flawed
      default: .served
      }
    }
  }

  /// How many entries stand in each way, in the order of `State.allCases`.
  package var counts: [(state: State, count: Int)] {
    var counts = State.allCases.map { ($0, 0) }
    for site in catalog.sites {
      let state = state(of: site)
      if let index = State.allCases.firstIndex(of: state) { counts[index].1 += 1 }
    }
    return counts
  }
}

/// What became of reading files.
package struct Reloads: Sendable {
  /// Since the first loading, which is not counted.
  package var successes = 0
  /// At least one file that was read could not be taken.
  package var failures = 0
  /// Whether all that was read could be taken when files were last read.
  package var isLastSuccessful = false
  /// Seconds since 1970 at which all that was read could last be taken.
  package var lastSuccess: Int64?
  package var lastFailure: Int64?

  mutating func note(failed: Bool, isFirst: Bool, now: Int64) {
    isLastSuccessful = !failed
    if failed { lastFailure = now } else { lastSuccess = now }
    if isFirst { return }
    if failed { failures += 1 } else { successes += 1 }
  }
}

/// Hands the newest status from the thread that loads to those who ask for it. No event loop does.
package final class StatusPublisher: Sendable {
  private let status = Mutex(HostingStatus())

  package init() {}

  package var current: HostingStatus { status.withLock { $0 } }

  func publish(_ next: HostingStatus) {
    // What goes away, goes outside of the lock: it may be large.
    let before = status.withLock { status in
      let before = status
      status = next
      return before
    }
    _ = before
  }
}
