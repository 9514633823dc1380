internal import Bytes
internal import Diagnostics

/// What an app needs besides the association file: the code that receives a link, the entitlement
/// or intent filter, and test links.
package struct LinkCode {
  let sample: CodeSample
  /// The domains whose links open the app.
  let hosts: [String]
  /// The patterns of links that open the app; empty if all links open the app.
  let openings: [PathArgument]
  let excludesSome: Bool

  package init(
    sample: CodeSample, hosts: [String], openings: [PathArgument], excludesSome: Bool
  ) {
    self.sample = sample
    self.hosts = hosts
    self.openings = openings
    self.excludesSome = excludesSome
  }

  package var text: String {
    var parts = sample.files.map { ("\($0.name) (\(sample.title))", $0.text) }
    if sample.isForApple { parts.append(("NAME.entitlements", entitlements)) }
    if sample.isForAndroid {
      parts.append(("AndroidManifest.xml, in the activity that receives links", intentFilter))
    }
    parts.append(("Test each link twice: while the app runs, and after you quit it", tests))
    return parts.map { "== \($0.0)\n\n\($0.1)\n" }.joined(separator: "\n")
  }

  private var entitlements: String {
    """
    <key>com.apple.developer.associated-domains</key>
    <array>
    \(hosts.map { "  <string>applinks:\(escapingMarkup($0))</string>" }.joined(separator: "\n"))
    </array>
    """
  }

  private var intentFilter: String {
    var data = [#"<data android:scheme="https" />"#]
    data += hosts.map { "<data android:host=\"\(escapingMarkup($0))\" />" }
    data += openings.compactMap(\.manifestAttribute).map { "<data \($0) />" }
    let note =
      excludesSome || openings.contains { !$0.query.isEmpty || $0.fragment != nil }
      ? "\n<!-- Exclusions and queries belong to the dynamic rules of assetlinks.json. -->" : ""
    return """
      <intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.DEFAULT" />
        <category android:name="android.intent.category.BROWSABLE" />
      \(data.map { "  " + $0 }.joined(separator: "\n"))
      </intent-filter>\(note)
      """
  }

  /// Instructions for testing a link. Safari and Chrome do not open an app for an address that the
  /// user types.
  private var tests: String {
    let links = openings.isEmpty ? ["https://\(hosts[0])/"] : openings.prefix(3).map(example)
    var lines: [String] = []
    for link in links {
      if sample.isForMac {
        lines.append(link)
      } else if sample.isForApple {
        lines.append("xcrun simctl openurl booted '\(link)'")
      }
      if sample.isForAndroid {
        lines.append(
          "adb shell am start -W -a android.intent.action.VIEW "
            + "-c android.intent.category.BROWSABLE -d \"'\(link)'\"")
      }
    }
    if sample.isForMac {
      lines.append("Control-click the link in Notes: the menu offers the app and the browser.")
      return lines.joined(separator: "\n")
    }
    if sample.isForApple {
      lines.append(
        "The simulator may open Safari although a device would open the app: test on a device.")
    }
    lines.append(
      "On a device, tap the link in Notes or in a message; do not type it into a browser.")
    return lines.joined(separator: "\n")
  }

  private func example(_ path: PathArgument) -> String {
    func filled(_ pattern: String) -> String {
      String(
        pattern.replacing("?*", with: "1").replacing("*", with: "1").replacing("?", with: "1")
          .map { $0.isASCII && !" '\"`$\\<>^{|}".contains($0) ? $0 : "1" })
    }
    let link = filled(path.path)
    let query = path.query.map { "\(filled($0.name))=\(filled($0.pattern))" }
    return "https://\(path.host ?? hosts[0])" + (link.hasPrefix("/") ? link : "/" + link)
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
      + (path.fragment.map { "#" + filled($0) } ?? "")
  }
}

extension PathArgument {
  /// The attribute of the manifest's `<data>` element for the path; nil if every path matches.
  fileprivate var manifestAttribute: String? {
    let start = path.hasPrefix("/") || path.hasPrefix("*") ? path : "/" + path
    if ["*", "/*"].contains(start) { return nil }
    let rest = start.last == "*" ? String(start.dropLast()) : start
    if !rest.contains(where: { "*?".contains($0) }) {
      return rest == start
        ? "android:path=\"\(escapingMarkup(rest))\""
        : "android:pathPrefix=\"\(escapingMarkup(rest))\""
    }
    // The wildcards `*` and `?` become `.*` and `.`. Each escape has two backslashes, because
    // Android removes one of the two when it reads the XML.
    var pattern = ""
    for character in start {
      switch character {
      case "*": pattern += ".*"
      case "?": pattern += "."
      case ".", "\\": pattern += "\\\\" + String(character)
      default: pattern.append(character)
      }
    }
    return "android:pathPattern=\"\(escapingMarkup(pattern))\""
  }
}
