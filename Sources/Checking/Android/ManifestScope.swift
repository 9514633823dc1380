package import AppFiles
internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import Rules

/// The links that match the filters of a manifest. Dynamic rules can exclude some of these links,
/// but cannot add links.
package struct ManifestScope: Sendable {
  private let filters: [Filter]

  private struct Filter {
    let filter: AndroidManifest.LinkFilter
    let paths: [FilterPath]
    let groups: [(line: Int, allows: Bool, parts: [FilterPath])]

    /// Whether the decision depends on a value that the build fills in.
    var isOpen: Bool {
      (paths + groups.flatMap(\.parts)).contains { $0.pattern == nil }
    }
  }

  /// A path or another part of a URL in a filter, as Android reads it.
  private struct FilterPath {
    let path: AndroidManifest.Path
    /// The pattern; nil if the build fills it in.
    let pattern: PathPattern?

    /// Nil if Android refuses the pattern.
    init?(_ path: AndroidManifest.Path) {
      self.path = path
      pattern = path.text.isFilledIn ? nil : PathPattern(path)
      if pattern == nil, !path.text.isFilledIn { return nil }
    }

    /// Returns whether the part matches. For a query, one matching item is enough.
    func matches(_ link: Link) -> Bool {
      guard let pattern else { return false }
      return switch path.part {
      case "query": link.query.contains(where: pattern.matches)
      case "fragment": link.fragment.map(pattern.matches) ?? false
      default: pattern.matches(link.path)
      }
    }
  }

  /// - Parameter manifest: The manifest, with the values of the build filled in.
  package init(_ manifest: AndroidManifest) {
    filters = manifest.filters.filter(\.takesLinks).map { filter in
      Filter(
        filter: filter, paths: filter.paths.compactMap(FilterPath.init),
        groups: filter.groups.map { ($0.line, $0.allows, $0.parts.compactMap(FilterPath.init)) })
    }
  }

  /// The manifest's decision about a link.
  enum Verdict: Equatable {
    /// A filter matches the link. The text describes the filter for people.
    case takes(String)
    case leaves(String)
    /// The decision depends on a value that the build fills in.
    case unknown(String)
  }

  func verdict(_ url: String) -> Verdict {
    guard let link = Link(url) else { return .leaves("it is not a link with https or http") }
    let ofHost = filters.filter { $0.filter.names(link) }
    let isKnown = !filters.contains { $0.filter.hosts.contains(where: \.isFilledIn) }
    guard !ofHost.isEmpty else {
      return isKnown
        ? .leaves("no filter for links lists \(link.scheme)://\(link.place)")
        : .unknown(
          "no filter lists \(link.place), but some filters have placeholders for hosts, which only "
            + "the build replaces")
    }
    for filter in ofHost {
      let place =
        "\(filter.filter.activity) handles the link through the filter in line "
        + "\(filter.filter.line)"
      if filter.filter.paths.isEmpty, filter.groups.isEmpty { return .takes(place) }
      if let found = filter.paths.first(where: { $0.matches(link) }) {
        return .takes("\(place): android:\(found.path.attribute)=\"\(found.path.text)\"")
      }
    }
    if ofHost.contains(where: \.isOpen) { return .unknown("the build fills in a path") }
    let deciding = ofHost.compactMap { filter in
      filter.groups.first { group in
        !group.parts.isEmpty && group.parts.allSatisfy { $0.matches(link) }
      }
    }
    if let group = deciding.first(where: \.allows) {
      return .takes(
        "the <uri-relative-filter-group> in line \(group.line) matches it on Android 15")
    }
    if let group = deciding.first {
      return .leaves("the <uri-relative-filter-group> in line \(group.line) excludes it")
    }
    let tried = ofHost.flatMap { filter in
      filter.filter.paths.map { "\($0.attribute) `\($0.text)` in line \(filter.filter.line)" }
        + filter.groups.map { "<uri-relative-filter-group> in line \($0.line)" }
    }
    return .leaves(
      "its path is `\(link.path)`, and the filters have " + tried.prefix(5).joined(separator: ", ")
        + (tried.count > 5 ? " and \(tried.count - 5) more" : ""))
  }

  /// Returns whether no filter matches any link to this path on this host. The path may contain
  /// wildcards, because it comes from a dynamic rule.
  ///
  /// - Parameter budget: The remaining budget of one check for comparing rules with filters.
  func excludes(path: String, ofHost host: String, _ budget: inout Budget) -> Bool {
    let ofHost = filters.filter { $0.filter.hosts.contains { $0 == host || $0 == "*." + host } }
    return !ofHost.isEmpty
      && ofHost.allSatisfy { filter in
        !filter.filter.paths.isEmpty && filter.groups.isEmpty
          && filter.paths.allSatisfy {
            $0.pattern?.mayOverlap(wildcards: path, &budget) == false
          }
      }
  }
}

/// The parts of a link that a filter compares.
private struct Link {
  let scheme: String
  let host: String
  /// The port in the link; nil if it has none.
  let port: Int?
  let path: String
  let query: [String]
  let fragment: String?

  var place: String { port.map { "\(host):\($0)" } ?? host }

  init?(_ url: String) {
    var rest = url[...]
    guard let scheme = FetchRequest.Scheme(takenFrom: &rest),
      let parts = try? URLParts(Array(url.utf8).span), let host = hostOfURL(url),
      let android = try? AndroidURL(url)
    else { return nil }
    self.scheme = scheme.rawValue
    self.host = host
    port = parts.port
    path = android.path
    query = android.query
    fragment = android.fragment
  }
}

extension AndroidManifest.LinkFilter {
  /// Whether the filter accepts links from browsers: it has the actions and categories of such
  /// links, and no MIME type.
  fileprivate var takesLinks: Bool {
    actions.contains("android.intent.action.VIEW")
      && categories.contains("android.intent.category.DEFAULT")
      && categories.contains("android.intent.category.BROWSABLE") && isExported != false && !hasType
  }

  /// Whether the filter accepts the scheme, host and port of a link.
  fileprivate func names(_ link: Link) -> Bool {
    schemes.contains(link.scheme)
      && authorities.contains { authority in
        let host = authority.host.lowercased()
        let isSame = host.hasPrefix("*") ? link.host.hasSuffix(host.dropFirst()) : host == link.host
        return isSame && (authority.port.map { Int($0) == link.port } ?? true)
      }
  }
}

extension String {
  /// Whether this value is a placeholder that the build or a resource of the app fills in.
  var isFilledIn: Bool { contains("${") || hasPrefix("@") }
}
