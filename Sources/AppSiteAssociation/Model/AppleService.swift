/// A service in Apple's file. Each service is a row of one table, `all`. The rules, the JSON
/// Schema, and the commands that write, merge, compare and check files read this table.
///
/// The key in the file is also the service's name in the entitlement
/// com.apple.developer.associated-domains: `applinks:example.com`.
package struct AppleService: Sendable {
  /// How the file lists the apps of the service.
  package enum Form: Sendable {
    /// `details`, with rules for the links of each app.
    case details
    /// Only `apps`.
    case apps
  }

  package let key: AppleKey
  package let form: Form
  /// Whether this service lets links open apps.
  package let opensLinks: Bool

  package var name: String { key.name }

  /// - Parameters:
  ///   - words: Which apps use the service, and for what purpose.
  ///   - source: Apple's page that documents the service.
  private init(
    _ name: String, _ words: String, _ form: Form = .apps, opensLinks: Bool = false, source: String
  ) {
    let type = form == .apps ? AppleKey.appList : AppleKey.linkRules
    key = AppleKey(name, "\(words) Apple: \(source).", type)
    (self.form, self.opensLinks) = (form, opensLinks)
  }

  package static let all = [
    AppleService(
      "applinks", "Which links open which apps.", .details, opensLinks: true, source: supporting),
    AppleService(
      "webcredentials", "Apps that share the domain's passwords and passkeys.",
      source: supporting),
    AppleService(
      "appclips", "App Clips that the domain's links launch.", opensLinks: true,
      source: supporting),
    AppleService(
      "activitycontinuation", "Apps that continue activities of the domain (Handoff).",
      source: "Associated Domains Entitlement"),
    AppleService(
      "authsrv", "Apps that sign users in for other apps and for the Mac (single sign-on).",
      source: "Extensible single sign-on"),
    AppleService(
      "messagefilter", "Apps whose message filters ask the domain's server about a message.",
      source: "Creating a Message Filter App Extension"),
    AppleService(
      "classificationreport", "Apps that report unwanted messages and calls to the domain.",
      source: "SMS and Call Spam Reporting"),
  ]
  /// The service whose apps are App Clips.
  package static let appClips = "appclips"
  private static let supporting = "Supporting associated domains"

  /// The services that only older systems support.
  static let retired: [(name: String, what: String, source: String)] = [
    (
      "spotlight-image-search", "image search in Messages (#images), a service of iOS 10",
      "Apple, App Search Programming Guide (archived), Help Users Find Your Images (grade D)"
    )
  ]

  /// Returns a description of a retired service and its source; nil for other names.
  package static func whatWas(_ name: String) -> String? {
    retired.first { $0.name == name }.map { "\($0.what); \($0.source)" }
  }
}
