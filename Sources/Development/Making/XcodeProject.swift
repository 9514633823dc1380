/// The apps of an Xcode project. `init` reads only the build settings, and does not parse the rest
/// of the project file.
package struct XcodeProject {
  package struct Target: Equatable {
    package var bundle: String
    package var team: String?
  }

  /// Apps and App Clips, without duplicates. Tests and extensions are omitted, because links do not
  /// open them.
  package let targets: [Target]

  package init(_ text: String) {
    var found: [Target] = []
    var projectTeam: String?
    var current: (bundle: String?, team: String?)?
    for line in text.split(whereSeparator: \.isNewline) {
      let trimmed = line.drop { $0.isWhitespace }
      if trimmed.hasPrefix("buildSettings = {") {
        current = (nil, nil)
      } else if trimmed.hasPrefix("};"), let block = current {
        if let bundle = block.bundle {
          let target = Target(bundle: bundle, team: block.team)
          if !found.contains(target) { found.append(target) }
        } else if let team = block.team {
          projectTeam = projectTeam ?? team
        }
        current = nil
      } else if current != nil {
        if let value = Self.value(of: "PRODUCT_BUNDLE_IDENTIFIER", in: trimmed) {
          current?.bundle = value
        }
        if let value = Self.value(of: "DEVELOPMENT_TEAM", in: trimmed) { current?.team = value }
      }
    }
    let bundles = found.map(\.bundle)
    targets = found.filter { target in
      let name = target.bundle.lowercased()
      if name.hasSuffix("tests") || target.bundle.contains("$") { return false }
      let isExtension = bundles.contains { target.bundle.hasPrefix($0 + ".") }
      return !isExtension || name.hasSuffix(".clip")
    }.map { Target(bundle: $0.bundle, team: $0.team ?? projectTeam) }
  }

  /// Returns the value of the build setting `key` in a line such as `KEY = value;` or
  /// `"KEY[sdk=iphoneos*]" = "value";`. Returns nil if the line does not set this build setting.
  private static func value(of key: String, in line: Substring) -> String? {
    let plain = line.drop { $0 == "\"" }
    guard plain.hasPrefix(key), let next = plain.dropFirst(key.count).first,
      next == " " || next == "[",
      let start = separator(in: line)
    else { return nil }
    var value = line[start...]
    if let end = value.lastIndex(of: ";") { value = value[..<end] }
    let text = value.filter { $0 != "\"" && !$0.isWhitespace }
    return text.isEmpty ? nil : String(text)
  }

  /// Returns the index after the first ` = ` in a line. A key may contain an equals sign, but not
  /// one with spaces around it.
  private static func separator(in line: Substring) -> Substring.Index? {
    var index = line.startIndex
    while index < line.endIndex {
      if line[index...].hasPrefix(" = ") { return line.index(index, offsetBy: 3) }
      index = line.index(after: index)
    }
    return nil
  }
}
