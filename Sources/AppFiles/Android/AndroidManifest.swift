internal import Posix

/// The intent filters for links in an `AndroidManifest.xml`, as text.
package struct AndroidManifest: Sendable, Equatable {
  /// A filter of an activity that names the schemes http or https.
  package struct LinkFilter: Sendable, Equatable {
    package let activity: String
    package let line: Int
    /// `android:autoVerify`
    package let isVerified: Bool
    /// `android:exported` of the activity.
    package let isExported: Bool?
    package let actions: [String]
    package let categories: [String]
    package let schemes: [String]
    package let hosts: [String]
    /// Each with the name of its attribute: `path`, `pathPrefix` and so on.
    package let paths: [Path]
  }

  package struct Path: Sendable, Equatable {
    package let attribute: String
    package let text: String
  }

  /// Nil if Gradle fills it in.
  package let packageName: String?
  package let filters: [LinkFilter]

  package init(reading path: String) throws(AppFileFault) {
    let content = try orFault { () throws(SystemError) in
      try readNamedInput(path, limit: AppFileLimits.textBytes)
    }
    guard !content.isTruncated else {
      throw .content("it has more than \(AppFileLimits.textBytes) bytes: that is another file")
    }
    try self.init(content.bytes)
  }

  package init(_ bytes: [UInt8]) throws(AppFileFault) {
    if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) || bytes.starts(with: [0x50, 0x4B]) {
      throw .content(
        "the manifest within a package is binary; give the text: the source, or Gradle's merged "
          + "manifest in build/intermediates")
    }
    let root = try XMLText.read(bytes)
    guard root.name == "manifest" else {
      throw .content("this is not an Android manifest: it begins with <\(root.name)>")
    }
    let prefix =
      root.attributes.first { name, value in
        name.hasPrefix("xmlns:") && value == "http://schemas.android.com/apk/res/android"
      }.map { String($0.key.dropFirst("xmlns:".count)) } ?? "android"
    packageName = root.attributes["package"]
    let activities = root.children.filter { $0.name == "application" }.flatMap(\.children)
      .filter { ["activity", "activity-alias"].contains($0.name) }
    filters = activities.flatMap { activity in
      activity.children.filter { $0.name == "intent-filter" }.compactMap {
        LinkFilter($0, of: activity, prefix)
      }
    }
  }
}

extension AndroidManifest.LinkFilter {
  /// Nil if it is not for links of the web.
  fileprivate init?(_ filter: XMLElement, of activity: XMLElement, _ prefix: String) {
    func values(_ element: String, _ attribute: String) -> [String] {
      filter.children.filter { $0.name == element }
        .compactMap { $0.attributes["\(prefix):\(attribute)"] }
    }
    schemes = values("data", "scheme")
    guard schemes.contains(where: { ["http", "https"].contains($0.lowercased()) }) else {
      return nil
    }
    self.activity = activity.attributes["\(prefix):name"] ?? "?"
    line = filter.line
    isVerified = filter.attributes["\(prefix):autoVerify"] == "true"
    isExported = activity.attributes["\(prefix):exported"].map { $0 == "true" }
    actions = values("action", "name")
    categories = values("category", "name")
    hosts = values("data", "host")
    paths = ["path", "pathPrefix", "pathPattern", "pathAdvancedPattern", "pathSuffix"].flatMap {
      attribute in
      values("data", attribute).map { AndroidManifest.Path(attribute: attribute, text: $0) }
    }
  }
}
