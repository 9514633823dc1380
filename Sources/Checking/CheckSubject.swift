internal import AppSiteAssociation
internal import Bytes
internal import Client

/// A service, such as `applinks`, for which the entitlements of apps list a domain.
struct NamedService {
  let name: String
  /// The identifiers of the apps that the domain's file must list for this service. Empty if the
  /// entitlements contain no app identifier.
  var apps: [String] = []
}

/// A domain to check, and what is known about the app that needs the domain.
package struct CheckSubject: Sendable {
  package let target: HostTarget
  /// The services for which an app's entitlements list the domain; empty if no entitlements were
  /// given.
  var services: [NamedService] = []
  /// Whether devices with the app fetch the file from the domain itself and not from Apple's CDN.
  var isDirect = false
  /// The path of the link that the user gave in place of a domain; nil if the user gave a domain.
  package fileprivate(set) var link: String?
  /// Entries of the app's entitlements that cover all subdomains of the domain, such as
  /// `applinks:*.example.com`.
  fileprivate(set) var wildcards: [String] = []
  /// Whether the user gave the domain. If false, the domain comes only from an app's entitlements.
  var isGiven = true

  /// Parses a domain in any form in which people write it: `example.com`,
  /// `applinks:example.com?mode=developer` as in entitlements, or a whole link. For
  /// `*.example.com`, the domain is `example.com`.
  package init(_ text: String) throws(UsageFault) {
    let text = text.withoutMarks
    var rest = text[...]
    for service in Association.serviceNames where rest.hasPrefix(service + ":") {
      services = [NamedService(name: service)]
      rest = rest.dropFirst(service.count + 1)
      if let question = rest.firstIndex(of: "?") {
        isDirect = rest[question...].contains("developer")
        rest = rest[..<question]
      }
    }
    let hasScheme = rest.contains("://")
    for scheme in ["https", "http"] where !hasScheme {
      let end = rest.dropFirst(scheme.count)
      if rest.hasPrefix(scheme), let start = [":/", "//", "/", ":"].first(where: end.hasPrefix) {
        let right = end.dropFirst(start.count).drop { $0 == "/" }
        throw UsageFault("\(text) is not a link, because `://` is misspelled: https://\(right)")
      }
    }
    var behind = rest
    if FetchRequest.Scheme(takenFrom: &behind) != nil,
      let end = behind.firstIndex(where: { "/?#".contains($0) })
    {
      let path = behind[end...]
      rest = rest[..<end]
      if path != "/" && !associationPaths.contains(String(path)) {
        link = path.hasPrefix("/") ? String(path) : "/" + path
      }
    }
    if rest.hasPrefix("*.") {
      wildcards = [(services.first.map { $0.name + ":" } ?? "applinks:") + rest]
    }
    let host = rest.hasPrefix("*.") ? String(rest.dropFirst(2)) : String(rest)
    if !hasScheme, host.dropLast().contains("/"), host.first != "/" {
      throw UsageFault("\(text): give only the host, or the whole link: https://\(host)")
    }
    target = try HostTarget(host)
  }

  /// Whether the paths that the user gave with `--url` apply to this domain. The paths do not apply
  /// if the domain comes from entitlements that list the domain only for passwords.
  var takesPaths: Bool {
    isGiven
      || services.contains { service in
        AppleService.all.contains { $0.name == service.name && $0.opensLinks }
      }
  }

  /// The remark that devices use this domain's file for its subdomains, because the app lists a
  /// wildcard such as `applinks:*.example.com`. Empty if the app lists no such wildcard.
  var wildcardRemarks: [String] {
    guard let entry = wildcards.first else { return [] }
    return ["the app lists \(entry), so devices use the file of \(target.host) for its subdomains"]
  }

  /// Adds a service. If the service is already known, adds only its apps.
  fileprivate mutating func add(_ service: NamedService) {
    guard let index = services.firstIndex(where: { $0.name == service.name }) else {
      services.append(service)
      return
    }
    services[index].apps += service.apps.filter { !services[index].apps.contains($0) }
  }
}

extension [CheckSubject] {
  /// The subjects without duplicates. Subjects with the same target are merged into one, which
  /// contains everything that is known about this target. Exception: a target with several links
  /// remains once for each link.
  package var merged: [CheckSubject] {
    var result: [CheckSubject] = []
    var places: [HostTarget: [Int]] = [:]
    for subject in self {
      let known = places[subject.target] ?? []
      guard
        let index = known.first(where: { index in
          let link = result[index].link
          return link == nil || subject.link == nil || link == subject.link
        })
      else {
        places[subject.target] = known + [result.count]
        result.append(subject)
        continue
      }
      result[index].link = result[index].link ?? subject.link
      if subject.isGiven { result[index].isGiven = true }
      result[index].wildcards += subject.wildcards.filter { !result[index].wildcards.contains($0) }
      for service in subject.services { result[index].add(service) }
      // At least one entry for the domain makes devices use the CDN, so the CDN's copy matters.
      if !subject.isDirect { result[index].isDirect = false }
    }
    return result
  }
}
