internal import Bytes
internal import Posix

/// The intent filters for web links in an `AndroidManifest.xml`. The manifest is read from text,
/// from binary XML, or from a package.
package struct AndroidManifest: Sendable, Equatable {
  /// An activity's intent filter that lists the scheme http or https.
  package struct LinkFilter: Sendable, Equatable {
    package let activity: String
    package let line: Int
    /// Whether the filter's attribute `android:autoVerify` is true.
    package let isVerified: Bool
    /// The activity's attribute `android:exported`; nil if the activity has no such attribute.
    package let isExported: Bool?
    package let actions: [String]
    package let categories: [String]
    package let schemes: [String]
    package var authorities: [HostAndPort]
    /// The filter's paths. Each has the name of its attribute, such as `path` or `pathPrefix`.
    package var paths: [Path]
    /// Whether the filter requires a MIME type. Such a filter matches no link, because links have
    /// no MIME type.
    package let hasType: Bool
    /// The filter's groups of URL parts. On Android 15 and later, the first group that matches a
    /// link decides whether the link opens the app. Older versions of Android ignore groups.
    package var groups: [Group]

    package var hosts: [String] { authorities.map(\.host) }
  }

  /// A `<uri-relative-filter-group>` element.
  package struct Group: Sendable, Equatable {
    package let line: Int
    /// Whether links that match the group open the app: the value of `android:allow`, true by
    /// default.
    package let allows: Bool
    /// The conditions of the group, each with the name of its attribute: `path`, `queryPrefix` and
    /// so on. The group matches only links that fulfill all these conditions.
    package var parts: [Path]
  }

  /// A host, and the port in the same `<data>` element.
  package struct HostAndPort: Sendable, Equatable {
    package var host: String
    package let port: String?
  }

  package struct Path: Sendable, Equatable {
    package let attribute: String
    package var text: String

    package init(attribute: String, text: String) {
      self.attribute = attribute
      self.text = text
    }

    /// The parts of a URL that an attribute of a filter can describe. The attribute's name begins
    /// with one of these words.
    static let partNames = ["path", "query", "fragment"]
    static let forms = ["", "Prefix", "Pattern", "AdvancedPattern", "Suffix"]

    /// The part of the URL that the attribute describes: `path`, `query` or `fragment`.
    package var part: String { Self.partNames.first(where: attribute.hasPrefix) ?? "path" }
    /// The end of the attribute's name, such as `Prefix`. This end determines how Android compares
    /// the text.
    var form: Substring { attribute.dropFirst(part.count) }
  }

  /// The package name. Nil if the manifest does not contain the package name; the build then adds
  /// it.
  package private(set) var packageName: String?
  package private(set) var filters: [LinkFilter]

  /// Reads a manifest from a file: text, binary XML, or an `.apk`.
  package init(reading path: String) throws(AppFileFault) {
    let content = try mapping(
      readNamedInput(path, limit: AppFileLimits.textBytes), to: AppFileFault.system)
    if content.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      try self.init(inPackage: try AppFile.source(content, path))
      return
    }
    guard !content.isTruncated else {
      throw .content(
        "the file has more than \(AppFileLimits.textBytes) bytes, so it is not a manifest")
    }
    try self.init(content.bytes)
  }

  /// Reads the manifest of an `.apk`.
  package init(inPackage source: ByteSource) throws(AppFileFault) {
    let archive = try ZIPArchive(source)
    guard let entry = archive.entry("AndroidManifest.xml") else {
      let isBundle = archive.entry("base/manifest/AndroidManifest.xml") != nil
      throw .content(
        isBundle
          ? "aasa cannot read the manifest format of an .aab; pass the output of \"bundletool "
            + "dump manifest --bundle=APP.aab\" instead"
          : "the archive is not an .apk: it has no AndroidManifest.xml")
    }
    try self.init(try archive.content(entry, limit: AppFileLimits.manifestBytes))
  }

  package init(_ bytes: [UInt8]) throws(AppFileFault) {
    let isBinary = bytes.starts(with: BinaryXML.beginning)
    let root = try isBinary ? BinaryXML.read(bytes) : XMLElement(bytes)
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

  /// Returns the manifest with `${NAME}` and references such as `@string/host` replaced by the
  /// values in `variables`.
  package func filling(_ variables: [String: String]) -> AndroidManifest {
    func filled(_ text: String) -> String {
      variables[text]
        ?? variables.reduce(text) { $0.replacing("${\($1.key)}", with: $1.value) }
    }
    var result = self
    result.packageName = packageName.map(filled)
    for filter in filters.indices {
      for index in filters[filter].authorities.indices {
        result.filters[filter].authorities[index].host = filled(
          filters[filter].authorities[index].host)
      }
      for index in filters[filter].paths.indices {
        result.filters[filter].paths[index].text = filled(filters[filter].paths[index].text)
      }
      for group in filters[filter].groups.indices {
        for index in filters[filter].groups[group].parts.indices {
          result.filters[filter].groups[group].parts[index].text = filled(
            filters[filter].groups[group].parts[index].text)
        }
      }
    }
    return result
  }
}

extension AndroidManifest.LinkFilter {
  /// Nil if the filter does not list the scheme http or https.
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
    authorities = filter.children.filter { $0.name == "data" }.compactMap { data in
      data.attributes["\(prefix):host"].map {
        AndroidManifest.HostAndPort(host: $0, port: data.attributes["\(prefix):port"])
      }
    }
    paths = AndroidManifest.Path.forms.flatMap { form in
      values("data", "path" + form).map {
        AndroidManifest.Path(attribute: "path" + form, text: $0)
      }
    }
    hasType = !values("data", "mimeType").isEmpty
    groups = filter.children.filter { $0.name == "uri-relative-filter-group" }.map {
      AndroidManifest.Group($0, prefix)
    }
  }
}

extension AndroidManifest.Group {
  fileprivate init(_ group: XMLElement, _ prefix: String) {
    line = group.line
    allows = group.attributes["\(prefix):allow"] != "false"
    parts = group.children.filter { $0.name == "data" }.flatMap { data in
      AndroidManifest.Path.partNames.flatMap { part in
        AndroidManifest.Path.forms.compactMap { form in
          data.attributes["\(prefix):\(part)\(form)"].map {
            AndroidManifest.Path(attribute: part + form, text: $0)
          }
        }
      }
    }
  }
}
