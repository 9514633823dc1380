package import Catalog
package import Diagnostics
package import Settings
internal import Synchronization

/// The result of the latest check of one domain from outside, in compact form. For a check from
/// outside, the server fetches the domain's files as a client does.
package struct OutsideCheck: Sendable, Equatable {
  /// When the domain was checked, in seconds since 1970.
  package let time: Int64
  /// A fingerprint of the versions of the files that were checked. The result is valid only for
  /// these versions.
  package let version: UInt64?
  package let origin: OriginState
  package let copy: CDNCopy
  /// The age of the CDN's copy in seconds, as the CDN reports it.
  package let age: Int?
  /// The fault to fix first, as a lower-case sentence with the code of the fault. Nil if there is
  /// no fault. Also nil if fault texts are already stored for the maximum number of other domains
  /// (`OutsideChecks.describedDomains`).
  package fileprivate(set) var fault: String?
  /// When the current series of failed checks began, in seconds since 1970; nil if the last check
  /// of the origin did not fail.
  package fileprivate(set) var failingSince: Int64?

  package init(
    time: Int64, version: UInt64?, origin: OriginState, copy: CDNCopy, age: Int?, fault: String?
  ) {
    self.time = time
    self.version = version
    self.origin = origin
    self.copy = copy
    self.age = age
    self.fault = fault
    failingSince = origin == .failing ? time : nil
  }

  /// Whether the result is a fault that an operator should see.
  package var isFaulty: Bool { origin == .failing || copy == .other || copy == .missing }
}

/// The latest check of each domain. One thread writes these checks. The code for metrics and for
/// status pages reads the checks, but the event loops do not.
///
/// A result is valid only for the versions of the files that were checked. If the files of a domain
/// change, the result for the domain is unknown until the next check.
package final class OutsideChecks: Sendable {
  /// For each result of a check, the number of names whose latest check had this result.
  package struct Counts: Sendable, Equatable {
    package var good = 0
    package var failing = 0
    /// The origin is good, but Apple's CDN has a different version or no version.
    package var copyDiffers = 0
    package var unknown = 0
  }

  private struct State {
    var checks: [DomainName: OutsideCheck] = [:]
    /// The number of checks with a fault that is stored as text.
    var described = 0

    mutating func forget(_ name: DomainName) {
      if checks.removeValue(forKey: name)?.fault != nil { described -= 1 }
    }
  }

  /// The maximum number of domains whose faults are stored as text.
  private static let describedDomains = 1000
  private let state = Mutex(State())

  /// Milliseconds between two checks of listed hosts. With this pause, 3,000 checks take an hour.
  package static let pauseBetweenListed: Int64 = 1_200

  package init() {}

  /// The latest check of an entry. Nil if the entry was not checked, or if its files have changed
  /// since the check.
  package subscript(site: Site) -> OutsideCheck? { self[site, site.name] }

  /// The latest check of one of the entry's hosts. Nil if the host was not checked, or if the
  /// entry's files have changed since the check.
  package subscript(site: Site, name: DomainName) -> OutsideCheck? {
    latest(name).flatMap { $0.version == site.checkedVersion ? $0 : nil }
  }

  /// Returns the latest check of a domain, even if the domain's files have changed since the check.
  package func latest(_ name: DomainName) -> OutsideCheck? {
    state.withLock { $0.checks[name] }
  }

  /// Returns, for each possible result, the number of names in the catalog whose latest check had
  /// this result. Ignores checks of versions that are no longer served.
  package func counts(of catalog: Catalog) -> Counts {
    let checks = state.withLock { $0.checks }
    return checks.reduce(into: Counts()) { counts, element in
      let (name, check) = element
      guard let site = catalog.namedSite(name), check.version == site.checkedVersion else { return }
      counts[keyPath: check.count] += 1
    }
  }

  /// A host in a list of hosts, and the latest check of the host.
  package typealias Listed = (name: DomainName, check: OutsideCheck)

  /// A report lists at most this many names of listed hosts with failing origins.
  package static let namedHosts = 100

  /// Returns the listed hosts whose origins have failed longest, and the number of all listed hosts
  /// whose origins fail.
  package func failingListed(in catalog: Catalog) -> (worst: [Listed], count: Int) {
    let failing = state.withLock { $0.checks.filter { $0.value.origin == .failing } }
    let listed = failing.filter { name, check in
      guard let site = catalog.namedSite(name), site.name != name else { return false }
      return check.version == site.checkedVersion
    }
    let sorted = listed.map { (since: $0.value.failingSince ?? 0, "\($0.key)", $0.key) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    let worst = sorted.prefix(Self.namedHosts).compactMap { _, _, name in
      listed[name].map { (name, $0) }
    }
    return (worst, listed.count)
  }

  /// Returns the domains whose files have changed since the latest check of the domain.
  package func outdated(_ sites: [Site]) -> [DomainName] {
    sites.filter { latest($0.name) != nil && self[$0] == nil }.map(\.name)
  }

  package func note(_ check: OutsideCheck, of name: DomainName) {
    state.withLock { state in
      var check = check
      if check.origin == .failing, let since = state.checks[name]?.failingSince {
        check.failingSince = since
      }
      state.forget(name)
      if check.fault != nil {
        if state.described < Self.describedDomains {
          state.described += 1
        } else {
          check.fault = nil
        }
      }
      state.checks[name] = check
    }
  }

  /// Forgets the checks of names that are no longer in the catalog.
  package func keep(_ catalog: Catalog) {
    let gone = state.withLock { state in
      state.checks.keys.filter { catalog.namedSite($0) == nil }
    }
    for name in gone { state.withLock { $0.forget(name) } }
  }
}

extension OutsideCheck {
  /// The member of `Counts` that counts checks with the result of this check.
  fileprivate var count: WritableKeyPath<OutsideChecks.Counts, Int> {
    switch origin {
    case .failing: \.failing
    case .unknown: \.unknown
    case .good: copy == .other || copy == .missing ? \.copyDiffers : \.good
    }
  }
}

extension Site {
  /// A fingerprint of the served versions of the association file and `assetlinks.json`; nil if no
  /// association file is served.
  package var checkedVersion: UInt64? {
    version(of: WellKnownFiles.association).map {
      $0 ^ (version(of: WellKnownFiles.assetLinks) ?? 0).byteSwapped
    }
  }
}
