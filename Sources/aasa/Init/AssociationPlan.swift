internal import AppSiteAssociation
internal import Diagnostics

/// The content of an association file to be written.
struct AssociationPlan {
  var apps: [String] = []
  var appClips: [String] = []
  var opensLinks = false
  var sharesCredentials = false
  var continuesActivities = false
  /// Patterns that block links, followed by patterns that open them.
  private var exclusions: [PathArgument] = []
  private(set) var openings: [PathArgument] = []

  mutating func setPaths(_ paths: [String]) {
    for path in paths {
      if path.hasPrefix(Rule.exclusionPrefix) {
        exclusions.append(PathArgument(String(path.dropFirst(4))))
      } else {
        openings.append(PathArgument(path))
      }
    }
    if !paths.isEmpty { opensLinks = true }
  }

  /// The hosts of URLs that were given as paths; they are not part of the file.
  var hostsOfPaths: [String] {
    var hosts: [String] = []
    for host in (exclusions + openings).compactMap(\.host) where !hosts.contains(host) {
      hosts.append(host)
    }
    return hosts
  }

  /// Whether a pattern blocks links.
  var excludesSome: Bool { !exclusions.isEmpty }

  /// Whether the file would name any app for any service.
  var permitsSomething: Bool {
    !appClips.isEmpty || !apps.isEmpty && (opensLinks || sharesCredentials || continuesActivities)
  }

  /// The content of the file, in the newest format.
  var text: String {
    var services: [String] = []
    if !apps.isEmpty {
      if opensLinks { services.append(AppleKey.applinks.member(applinks)) }
      if sharesCredentials { services.append(AppleKey.webcredentials.member(list(apps))) }
      if continuesActivities { services.append(AppleKey.activitycontinuation.member(list(apps))) }
    }
    if !appClips.isEmpty { services.append(AppleKey.appclips.member(list(appClips))) }
    return "{\n\(services.map { "  " + $0 }.joined(separator: ",\n"))\n}\n"
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
  /// Returns the key and a value as a JSON member.
  func member(_ value: some CustomStringConvertible) -> String { "\(name.json): \(value)" }

  fileprivate func list(_ texts: [String]) -> String {
    member("[\(texts.map(\.json.description).joined(separator: ", "))]")
  }
}
