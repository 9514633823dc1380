internal import Catalog
internal import Diagnostics
internal import Keeping
internal import Server
internal import Settings
internal import TLS

/// Chooses the domains that a report shows if it cannot show all. Domains with problems come first.
struct ProblemsFirst {
  private let status: HostingStatus
  private let checks: OutsideChecks?
  /// The time of the report, in seconds since 1970.
  private let now: Int64

  init(_ status: HostingStatus, _ checks: OutsideChecks?, now: Int64) {
    self.status = status
    self.checks = checks
    self.now = now
  }

  /// The urgency of a domain.
  private enum Rank: Int, CaseIterable {
    /// Nothing is served, or HTTPS clients are refused.
    case refused
    /// The current version of the files is not served, or is not served as Apple requires.
    case old
    /// A diagnostic of the domain is a warning.
    case warned
    case good
  }

  /// Returns at most `limit` domains, sorted by urgency and then by name.
  func choose(_ limit: Int) -> [Site] {
    var chosen = Rank.allCases.map { _ in FirstByName(limit: limit) }
    for site in status.catalog.sites { chosen[rank(of: site).rawValue].take(site) }
    return Array(chosen.flatMap(\.sites).prefix(limit))
  }

  private func rank(of site: Site) -> Rank {
    switch status.state(of: site) {
    case .refused: return .refused
    case .lastGood, .flawed: return .old
    case .empty: return .warned
    case .served: break
    }
    if let certificate = certificateRank(of: site.name) { return certificate }
    if checks?[site]?.origin == .failing { return .old }
    if status.problems[site.name] != nil { return .warned }
    return checks?[site]?.isFaulty == true ? .warned : .good
  }

  private func certificateRank(of name: DomainName) -> Rank? {
    // If HTTPS is off or uses the self-signed certificate, certificates do not affect the urgency.
    guard status.hasHTTPS, !status.usesSelfSigned, name.isDotted, case .host(let host) = name,
      let material = status.catalog.material
    else { return nil }
    let found = material.certificates(for: host)
    if found.isEmpty || !found.contains(where: { $0.isValid(at: now) }) { return .refused }
    return nil
  }
}

/// Collects the entries whose names come first in alphabetical order. Does not sort all entries,
/// because there may be many.
private struct FirstByName {
  let limit: Int
  private(set) var sites: [Site] = []
  private var names: [String] = []

  init(limit: Int) { self.limit = limit }

  mutating func take(_ site: Site) {
    let name = site.name.entryName
    if names.count >= limit {
      guard let last = names.last, name < last else { return }
    }
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    names.insert(name, at: low)
    sites.insert(site, at: low)
    if names.count > limit {
      names.removeLast()
      sites.removeLast()
    }
  }
}
