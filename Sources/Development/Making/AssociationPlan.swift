internal import AppSiteAssociation
internal import Diagnostics

/// The content of an association file that will be written.
package struct AssociationPlan {
  package var apps: [String] = []
  package var appClips: [String] = []
  /// The names of the services for which the file lists `apps`.
  package var services: Set<String> = []
  /// The patterns that block links. The file lists them before the patterns that open links.
  private var exclusions: [PathArgument] = []
  package private(set) var openings: [PathArgument] = []

  package init() {}

  package mutating func setPaths(_ paths: [String]) {
    for path in paths {
      if path.hasPrefix(Rule.exclusionPrefix) {
        exclusions.append(PathArgument(String(path.dropFirst(4))))
      } else {
        openings.append(PathArgument(path))
      }
    }
    if !paths.isEmpty { services.insert("applinks") }
  }

  /// The hosts of URLs that the user gave as paths. The file does not contain these hosts.
  package var hostsOfPaths: [String] {
    var hosts: [String] = []
    for host in (exclusions + openings).compactMap(\.host) where !hosts.contains(host) {
      hosts.append(host)
    }
    return hosts
  }

  /// Whether any pattern blocks links.
  package var excludesSome: Bool { !exclusions.isEmpty }

  /// Whether the file would contain an app for at least one service.
  package var permitsSomething: Bool {
    !appClips.isEmpty || !apps.isEmpty && !services.isEmpty
  }

  /// The content of the file, in the newest format.
  package var text: String {
    let members = AppleService.all.compactMap { service -> String? in
      let isOfClips = service.name == AppleService.appClips
      let named = isOfClips ? appClips : services.contains(service.name) ? apps : []
      if named.isEmpty { return nil }
      return "  " + service.key.member(service.form == .details ? applinks : list(named))
    }
    return "{\n\(members.joined(separator: ",\n"))\n}\n"
  }

  private var applinks: String {
    let rules =
      exclusions.map { $0.component(isExclusion: true) }
      + (openings.isEmpty ? [PathArgument("*")] : openings).map { $0.component(isExclusion: false) }
    return """
      {
          \(AppleKey.details.member("["))
            {
              \(AppleKey.appIDs.list(apps)),
              \(AppleKey.components.member("["))
      \(rules.map { "          " + $0 }.joined(separator: ",\n"))
              ]
            }
          ]
        }
      """
  }

  private func list(_ apps: [String]) -> String { "{ \(AppleKey.apps.list(apps)) }" }
}

extension AppleKey {
  /// Returns a JSON member with this key and the given value.
  func member(_ value: some CustomStringConvertible) -> String { "\(name.json): \(value)" }

  fileprivate func list(_ texts: [String]) -> String {
    member("[\(texts.map(\.json.description).joined(separator: ", "))]")
  }
}
