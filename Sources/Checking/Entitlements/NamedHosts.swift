/// The hosts whose links an app opens, by its entitlements.
package struct NamedHosts: Sendable {
  /// `example.com`, or `*.example.com` for the names below it.
  private var names: Set<String> = []
  /// Whether the build fills in an entry, so that more hosts may be named.
  private(set) var isOpen = false

  package init() {}

  mutating func add(_ host: String) { names.insert(host.lowercased()) }

  mutating func addUnknown() { isOpen = true }

  /// Adds the hosts of another app, such as an App Clip.
  package mutating func add(_ others: NamedHosts) {
    names.formUnion(others.names)
    isOpen = isOpen || others.isOpen
  }

  /// Apple does not say whether `*.example.com` names example.com too; it counts here.
  func contains(_ host: String) -> Bool {
    if names.contains(host) || names.contains("*." + host) { return true }
    return names.contains { $0.hasPrefix("*.") && host.hasSuffix($0.dropFirst()) }
  }
}
