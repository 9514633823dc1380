internal import Bytes
internal import Catalog
internal import Keeping
internal import Server
internal import Settings
internal import TLS

/// The search text, the filter, the order and the page number in a request for the table of
/// domains.
struct DomainQuery: Equatable {
  enum Order: String, CaseIterable { case name, state, since, cdn, devices, certificate }

  /// The text to search for in names, in lower case; empty to show all names.
  var search = ""
  /// The state of the domains to show; nil to show domains in all states.
  var state: HostingStatus.State?
  var order = Order.name
  var isDescending = false
  /// The number of the page, from 1.
  var page = 1

  /// The number of domains on one page.
  static let rows = 100

  init() {}

  /// Makes the query from a request. Ignores invalid parameters, because people edit URLs.
  init(_ request: PageRequest) {
    func value(_ name: String) -> String { request.values(of: name).last ?? "" }
    search = String(value("search").lowercased().filter { $0 != " " && $0 != "+" }.prefix(255))
    state = HostingStatus.State(rawValue: value("state"))
    order = Order(rawValue: value("sort")) ?? .name
    isDescending = value("order") == "down"
    page = max(1, Int(value("page")) ?? 1)
  }

  /// The path and query of the URL of the page that shows the result of this query.
  var target: String {
    var parts: [String] = []
    if !search.isEmpty { parts.append("search=" + search.percentEncodedPath) }
    if let state { parts.append("state=" + state.rawValue) }
    if order != .name { parts.append("sort=" + order.rawValue) }
    if isDescending { parts.append("order=down") }
    if page > 1 { parts.append("page=\(page)") }
    return "/domains" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }

  /// Returns a changed copy of this query.
  func with(_ change: (inout DomainQuery) -> Void) -> DomainQuery {
    var query = self
    change(&query)
    return query
  }

  /// The domains on one page of the table, and the number of all domains that match the query.
  struct Part {
    let sites: [Site]
    let count: Int
    /// The number of the shown page: the requested page, or the last page if the table has fewer
    /// pages.
    let page: Int
    var pages: Int { max(1, (count + DomainQuery.rows - 1) / DomainQuery.rows) }
  }

  func part(of status: HostingStatus) -> Part {
    let sites = status.catalog.sites
    let names = sites.map(\.name.entryName)
    let wanted = Array(search.utf8)
    var found = sites.indices.filter { index in
      (wanted.isEmpty || contains(names[index], wanted))
        && (state.map { status.state(of: sites[index]) == $0 } ?? true)
    }
    let keys = order == .name ? [] : sites.map { key(of: $0, status) }
    /// Whether, in ascending order, the domain `left` comes before the domain `right`.
    func precedes(_ left: Int, _ right: Int) -> Bool {
      if !keys.isEmpty, keys[left] != keys[right] { return keys[left] < keys[right] }
      return names[left] < names[right]
    }
    let pages = max(1, (found.count + Self.rows - 1) / Self.rows)
    let shown = min(page, pages)
    let start = (shown - 1) * Self.rows
    let range = start..<min(start + Self.rows, found.count)
    if isDescending {
      found.sort(range) { precedes($1, $0) }
    } else {
      found.sort(range, precedes)
    }
    return Part(sites: found[range].map { sites[$0] }, count: found.count, page: shown)
  }

  /// Returns the primary sort key of a domain. Domains with equal keys are sorted by name.
  private func key(of site: Site, _ status: HostingStatus) -> Int64 {
    switch order {
    case .name: 0
    case .state: status.state(of: site).urgency
    case .since: site.since
    case .cdn: site.fetchKey(.appleCDN)
    case .devices: site.fetchKey(.appleDevice)
    case .certificate: status.expiry(of: site.name) ?? 0
    }
  }
}

extension HostingStatus {
  /// Returns the earliest expiry among a name's certificates; nil if the name has no certificate.
  func expiry(of name: DomainName) -> Int64? {
    guard hasHTTPS, name.isDotted else { return nil }
    let found =
      switch name {
      case .host(let host): catalog.material?.certificates(for: host)
      case .wildcard(let parent): catalog.material?.certificates(for: "*." + parent)
      case .any: nil as [Certificate]?
      }
    return found?.map(\.notAfter).min()
  }
}

extension HostingStatus.State {
  /// The urgency of a state as a number. The smallest number is the most urgent.
  fileprivate var urgency: Int64 {
    switch self {
    case .refused: 0
    case .lastGood: 1
    case .flawed: 2
    case .empty: 3
    case .served: 4
    }
  }
}

extension Site {
  /// Returns the last fetch of the association file by a fetcher of this class.
  func lastFetch(_ fetcher: FetcherClass) -> Fetch? {
    fetches(of: WellKnownFiles.association).first { $0.fetcher == fetcher }
  }

  /// The key for sorting domains by their last fetch. Domains whose file was never fetched come
  /// first, then domains whose last fetch got an older version, then domains whose last fetch got
  /// the current version.
  fileprivate func fetchKey(_ fetcher: FetcherClass) -> Int64 {
    guard let fetch = lastFetch(fetcher) else { return 0 }
    return fetch.version == version(of: WellKnownFiles.association)
      ? fetch.time + 1 << 40 : fetch.time
  }
}

/// Returns whether a name contains the bytes of the search text.
private func contains(_ name: String, _ wanted: [UInt8]) -> Bool {
  let bytes = name.utf8.span
  if bytes.count < wanted.count { return false }
  for start in 0...bytes.count - wanted.count where bytes[start] == wanted[0] {
    var length = 1
    while length < wanted.count, bytes[start + length] == wanted[length] { length += 1 }
    if length == wanted.count { return true }
  }
  return false
}

extension [Int] {
  /// Partially sorts the array. Afterwards, `range` has the same elements as in the sorted array.
  /// The array must not have equal elements.
  fileprivate mutating func sort(_ range: Range<Int>, _ precedes: (Int, Int) -> Bool) {
    var parts = [indices]
    while let part = parts.popLast() {
      if part.count < 2 || !part.overlaps(range) { continue }
      if part.count <= 256 {
        self[part].sort(by: precedes)
        continue
      }
      let first = part.lowerBound
      swapAt(first, first + part.count / 2)
      let pivot = self[first]
      var end = first + 1
      for index in end..<part.upperBound where precedes(self[index], pivot) {
        swapAt(index, end)
        end += 1
      }
      swapAt(first, end - 1)
      parts += [first..<end - 1, end..<part.upperBound]
    }
  }
}
