internal import Synchronization

/// How one host stands, in few bytes.
package struct HostReport: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case issued, due
    /// Its name does not lead here, or may not have a certificate.
    case waiting
    case failing
    /// A person must do something at the CA.
    case paused
  }

  package let kind: Kind
  package let authority: String
  /// Of the present certificate; nil when the CA chose it.
  package let profile: String?
  /// Seconds since 1970; nil without a certificate.
  package let notAfter: Int64?
  /// When it is to be renewed, in seconds since 1970.
  package let renewal: Int64?
  /// When it is checked again.
  package let next: Int64
  /// What holds it back, and what to do if that is known: a lower-case sentence.
  package let trouble: String?
}

/// What the issuer shows to others: one thread writes, metrics and status read.
package final class StatusBoard: Sendable {
  /// All of it but the hosts.
  package struct Summary: Sendable, Equatable {
    /// Whether this process issues; another one may.
    package var isIssuer = false
    package var account: String?
    /// The CA's clock less ours, in seconds.
    package var clockOffset: Int64 = 0
    package var counts: [HostReport.Kind: Int] = [:]
    /// By CA and result.
    package var attempts: [Attempt: Int] = [:]
    /// How many orders the CAs still take, as far as that is known.
    package var remaining: [String: Int] = [:]
    /// Until when the CAs want to be left alone, in seconds since 1970: by CA, then by what waits.
    package var frozen: [String: [String: Int64]] = [:]
    /// The earliest renewal, in seconds since 1970.
    package var renewal: Int64?
  }

  package struct Attempt: Sendable, Hashable {
    package let authority: String
    package let result: String
  }

  private let state = Mutex<(summary: Summary, hosts: [String: HostReport])>((Summary(), [:]))

  package init() {}

  package internal(set) subscript(host: String) -> HostReport? {
    get { state.withLock { $0.hosts[host] } }
    set { state.withLock { $0.hosts[host] = newValue } }
  }

  package var summary: Summary {
    state.withLock { state in
      var summary = state.summary
      for report in state.hosts.values {
        summary.counts[report.kind, default: 0] += 1
        if let renewal = report.renewal { summary.renewal = min(summary.renewal ?? .max, renewal) }
      }
      return summary
    }
  }

  func update(_ body: (inout Summary) -> Void) { state.withLock { body(&$0.summary) } }
}
