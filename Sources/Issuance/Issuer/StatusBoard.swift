internal import Synchronization

/// The status of one host, in a compact form.
package struct HostReport: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case issued, due
    /// The name does not point to this server, or its CAA records forbid a certificate.
    case waiting
    case failing
    /// The host waits until a person does something at the CA.
    case paused
  }

  package let kind: Kind
  package let authority: String
  /// The profile of the current certificate; nil if the CA chose the profile.
  package let profile: String?
  /// When the certificate expires, in seconds since 1970; nil if the host has no certificate.
  package let notAfter: Int64?
  /// When the certificate is due for renewal, in seconds since 1970.
  package let renewal: Int64?
  /// When the plan next considers the host, in seconds since 1970.
  package let next: Int64
  /// Why the host has no certificate and how to fix the fault, as a lower-case sentence.
  package let trouble: String?
}

/// The status that the issuer publishes. One thread writes it; metrics and status pages read it.
package final class StatusBoard: Sendable {
  /// The issuer's status, without the status of single hosts.
  package struct Summary: Sendable, Equatable {
    /// Whether this process gets the certificates. If not, another process may get them.
    package var isIssuer = false
    package var account: String?
    /// The CA's clock minus this machine's clock, in seconds.
    package var clockOffset: Int64 = 0
    package var counts: [HostReport.Kind: Int] = [:]
    /// The number of attempts to get a certificate, keyed by CA and then by result.
    package var attempts: [String: [String: Int]] = [:]
    /// The number of orders that each CA still accepts. Contains only CAs with a known limit.
    package var remaining: [String: Int] = [:]
    /// When each CA accepts requests again, in seconds since 1970, keyed by CA and then by the kind
    /// of `LimitScope`.
    package var frozen: [String: [String: Int64]] = [:]
    /// The time of the earliest renewal, in seconds since 1970.
    package var renewal: Int64?
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
