package import JSON
package import Rules

/// An association file as Apple's devices read it, with the place of every part.
///
/// Reading never fails: the model leaves out parts that devices ignore. Rules find those parts
/// through the `source` values, which keep every member, including unknown and repeated ones.
package struct Association: Sendable {
  /// The whole file. If it is not an object, all services are nil.
  package let source: Value
  package let applinks: AppLinks?
  /// The services that are written as objects and only list apps, with their names.
  package let appLists: [(name: String, list: AppList)]

  /// Reads the top value of a file. If a key is repeated, the last one counts.
  package init(_ root: Value) {
    source = root
    applinks = root.lastMember("applinks").flatMap(AppLinks.init)
    appLists = Self.serviceNames.filter { $0 != "applinks" }.compactMap { name in
      root.lastMember(name).flatMap(AppList.init).map { (name, $0) }
    }
  }

  /// Returns the app identifiers that the file lists for a service.
  package func apps(of service: String) -> [String] {
    if service == "applinks" {
      return (applinks?.entries ?? []).flatMap { $0.appIdentifiers.map(\.value) }
    }
    return appLists.first { $0.name == service }?.list.apps.map(\.value) ?? []
  }

  /// The top-level keys that Apple defines.
  package static let serviceNames = KeyLevel.top.known
}

/// A service that only lists apps: `webcredentials`, `appclips` or `activitycontinuation`.
package struct AppList: Sendable {
  /// The bytes of the service's key.
  package let keyRange: Range<Int>
  package let source: Value
  /// The strings of `apps`, in order.
  package let apps: [Located<String>]

  /// Nil if the member's value is not an object.
  init?(_ member: Member) {
    guard member.value.kind == .object else { return nil }
    keyRange = member.keyRange
    source = member.value
    apps = source.lastMember("apps")?.value.locatedStrings ?? []
  }
}
