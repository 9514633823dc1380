internal import Synchronization

/// What was last seen of one domain from outside, in few bytes.
package struct OutsideCheck: Sendable, Equatable {
  /// Whether the file comes, as Apple asks, by the domain's public name.
  package enum Origin: String, Sendable {
    case good, failing
    /// Nothing could be asked from here, neither the domain nor Apple's CDN.
    case unknown
  }

  /// What Apple's CDN has.
  package enum Copy: String, Sendable {
    /// It means the same as the domain's file.
    case same
    case other
    /// It says that it has none.
    case missing
    case unknown
  }

  /// Seconds since 1970.
  package let time: Int64
  /// Of the file that this server had then: of another version nothing is known yet.
  package let version: UInt64?
  package let origin: Origin
  package let copy: Copy
  /// The age of the copy in seconds, as the CDN tells it.
  package let age: Int?
  /// What to fix first, or what is not as it should be: a lower-case sentence with its code. Nil when
  /// there is nothing, and where too much is known already.
  package fileprivate(set) var fault: String?

  package init(
    time: Int64, version: UInt64?, origin: Origin, copy: Copy, age: Int?, fault: String?
  ) {
    self.time = time
    self.version = version
    self.origin = origin
    self.copy = copy
    self.age = age
    self.fault = fault
  }

  /// Whether there is something that a person should see.
  package var isFaulty: Bool { origin == .failing || copy == .other || copy == .missing }
}

/// The newest check of each domain: one thread writes, metrics and status read. No event loop does.
///
/// A check counts for the version of the file that it was made with: after a reload nothing is known
/// of the domain until it has been looked at again.
package final class OutsideChecks: Sendable {
  /// How many domains stand in each way; those that were not checked yet are in none.
  package struct Counts: Sendable, Equatable {
    package var good = 0
    package var failing = 0
    /// The origin is good, and Apple's CDN has another version, or none.
    package var copyDiffers = 0
    package var unknown = 0
  }

  private struct State {
    var checks: [DomainName: OutsideCheck] = [:]
    /// How many of them have a text.
    var described = 0

    mutating func forget(_ name: DomainName) {
      if checks.removeValue(forKey: name)?.fault != nil { described -= 1 }
    }
  }

  /// Domains of which it is known in words what is wrong.
  private static let describedDomains = 1000
  private let state = Mutex(State())

  package init() {}

  /// What was seen of a domain as it is served now.
  package subscript(site: Site) -> OutsideCheck? {
    latest(site.name).flatMap { $0.version == site.version(of: .association) ? $0 : nil }
  }

  /// What was last seen of a domain, whatever it serves now.
  package func latest(_ name: DomainName) -> OutsideCheck? {
    state.withLock { $0.checks[name] }
  }

  package func counts(of sites: [Site]) -> Counts {
    sites.reduce(into: Counts()) { counts, site in
      if let check = self[site] { counts[keyPath: check.count] += 1 }
    }
  }

  /// The domains that were checked with another version than the one that is served now.
  package func outdated(_ sites: [Site]) -> [DomainName] {
    sites.filter { latest($0.name) != nil && self[$0] == nil }.map(\.name)
  }

  package func note(_ check: OutsideCheck, of name: DomainName) {
    state.withLock { state in
      state.forget(name)
      var check = check
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

  /// Forgets domains that are hosted no more.
  package func keep(_ names: Set<DomainName>) {
    let gone = state.withLock { state in state.checks.keys.filter { !names.contains($0) } }
    for name in gone { state.withLock { $0.forget(name) } }
  }
}

extension OutsideCheck {
  /// Where it is counted.
  fileprivate var count: WritableKeyPath<OutsideChecks.Counts, Int> {
    switch origin {
    case .failing: \.failing
    case .unknown: \.unknown
    case .good: copy == .other || copy == .missing ? \.copyDiffers : \.good
    }
  }
}
