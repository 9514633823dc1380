package import AppFiles
internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import Rules

/// The links that match the intent filters of a manifest. Dynamic rules can only exclude some of
/// these links. They cannot add links.
package struct ManifestScope: Sendable {
  private let filters: [Filter]

  private struct Filter {
    let filter: AndroidManifest.LinkFilter
    let paths: [FilterPath]
    let groups: [(line: Int, allows: Bool, parts: [FilterPath])]

    /// Whether the decision about a link may depend on a placeholder that only the build replaces.
    var isOpen: Bool {
      (paths + groups.flatMap(\.parts)).contains { $0.pattern == nil }
    }
  }

  /// An attribute of a filter about the path, query or fragment of a URL, in the form that Android
  /// compares with URLs.
  private struct FilterPath {
    let path: AndroidManifest.Path
    /// The pattern; nil if the attribute contains a placeholder that only the build replaces.
    let pattern: PathPattern?

    /// Nil if Android refuses the pattern.
    init?(_ path: AndroidManifest.Path) {
      self.path = path
      pattern = path.text.isFilledIn ? nil : PathPattern(path)
      if pattern == nil, !path.text.isFilledIn { return nil }
    }

    /// Returns whether the attribute matches a link. Compares only the part of the link that the
    /// attribute describes. In a query, one matching query item is enough.
    func matches(_ link: Link) -> Bool {
      guard let pattern else { return false }
      return switch path.part {
      case "query": link.query.contains(where: pattern.matches)
      case "fragment": link.fragment.map(pattern.matches) ?? false
      default: pattern.matches(link.path)
      }
    }
  }

  /// - Parameter manifest: The manifest, after `AndroidManifest.filling` has replaced its
  ///   placeholders.
  package init(_ manifest: AndroidManifest) {
    filters = manifest.filters.filter(\.takesLinks).map { filter in
      Filter(
        filter: filter, paths: filter.paths.compactMap(FilterPath.init),
        groups: filter.groups.map { ($0.line, $0.allows, $0.parts.compactMap(FilterPath.init)) })
    }
  }

  /// Whether a link matches the manifest.
  enum Verdict: Equatable {
    /// A filter matches the link. The text says which filter.
    case takes(String)
    case leaves(String)
    /// The decision depends on a placeholder that only the build replaces. The text says what is
    /// unknown.
    case unknown(String)
  }

  func verdict(_ url: String) -> Verdict {
    guard let link = Link(url) else { return .leaves("the text is not a valid https or http link") }
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
    if ofHost.contains(where: \.isOpen) {
      return .unknown(
        "a path in a filter has a placeholder "
          + "that only the build replaces")
    }
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
      "the link's path is `\(link.path)`, but the filters for its host have "
        + tried.prefix(5).joined(separator: ", ")
        + (tried.count > 5 ? " and \(tried.count - 5) more" : ""))
  }

  /// Returns whether the filters for this host match no link with this path. The path comes from a
  /// dynamic rule, so it may contain wildcards. Returns false if no filter is for this host.
  ///
  /// - Parameter budget: The work that may still be spent on comparing dynamic rules with filters.
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

/// The parts of a link that Android compares with a filter.
private struct Link {
  let scheme: String
  let host: String
  /// The port in the link; nil if the link contains no port.
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
  /// Whether the filter accepts links from browsers: its activity is not private, it lists the
  /// action and categories of such links, and it requires no MIME type.
  fileprivate var takesLinks: Bool {
    actions.contains("android.intent.action.VIEW")
      && categories.contains("android.intent.category.DEFAULT")
      && categories.contains("android.intent.category.BROWSABLE") && isExported != false && !hasType
  }

  /// Whether the filter lists the scheme, host and port of a link.
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
  /// Whether the text contains a placeholder that the build replaces, or refers to a resource of
  /// the app.
  var isFilledIn: Bool { contains("${") || hasPrefix("@") }
}
