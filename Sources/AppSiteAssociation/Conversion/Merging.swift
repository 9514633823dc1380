package import Diagnostics
package import JSON
internal import Rules

/// Why two association files cannot be merged.
package struct MergeConflict: Error, Sendable, Equatable {
  /// The message: one sentence that starts in lower case and has no full stop.
  package let message: String
}

/// Merges two files. The content of the first file comes first.
///
/// Throws if the rules of an app would have a different effect in the merged file than in the file
/// that contains the app.
package func merging(_ first: Document, _ second: Document) throws(MergeConflict) -> JSONTree {
  let (left, right) = (Association(first.root), Association(second.root))
  let merged = JSONTree.object(try Merging(left, right).members())
  guard let whole = merged.association else {
    throw MergeConflict(message: "the merged file would be too large")
  }
  for part in [left, right] {
    for difference in differences(old: part, new: whole) where difference.kind != .appAdded {
      throw MergeConflict(message: Merging.words(difference))
    }
  }
  return merged
}

private struct Merging {
  private let left: Association
  private let right: Association

  init(_ left: Association, _ right: Association) {
    self.left = left
    self.right = right
  }

  func members() throws(MergeConflict) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    for name in Association.serviceNames {
      guard let first = left.source.lastMember(name) else {
        if let second = right.source.lastMember(name) { members.append(.init(second)) }
        continue
      }
      guard let second = right.source.lastMember(name) else {
        members.append(.init(first))
        continue
      }
      members.append(.init(name, try value(name, first, second)))
    }
    let names = Association.serviceNames
    return rest(left.source, right.source, leavingOut: names) + members
  }

  private func value(
    _ name: String, _ first: Member, _ second: Member
  ) throws(MergeConflict) -> JSONTree {
    guard first.value.kind == .object, second.value.kind == .object else {
      throw MergeConflict(message: "`\(name)` must be an object in both files")
    }
    if name == "applinks" { return try links() }
    let apps = list(first.value.lastMember("apps"), second.value.lastMember("apps"))
    return .object(
      rest(first.value, second.value, leavingOut: ["apps"]) + [.init("apps", .array(apps))])
  }

  private func links() throws(MergeConflict) -> JSONTree {
    guard let first = left.applinks, let second = right.applinks else { return .object([]) }
    let (one, two) = (Self.value(first.source, "defaults"), Self.value(second.source, "defaults"))
    if one != two {
      throw MergeConflict(message: "the files have different `defaults` in applinks")
    }
    var members = rest(
      first.source, second.source,
      leavingOut: ["apps", "details", "defaults", "substitutionVariables"])
    if let one { members.append(.init("defaults", one)) }
    let variables = try variables(first, second)
    if !variables.isEmpty {
      members.append(.init("substitutionVariables", .object(variables)))
    }
    let entries = Self.entries(first)
    let others = Self.entries(second).filter { !entries.contains($0) }
    members.append(.init("details", .array(entries + others)))
    return .object(members)
  }

  private func variables(
    _ first: AppLinks, _ second: AppLinks
  ) throws(MergeConflict) -> [JSONTree.Member] {
    let key = "substitutionVariables"
    var result = first.source.lastMember(key)?.value.members.map(JSONTree.Member.init) ?? []
    for member in second.source.lastMember(key)?.value.members.map(JSONTree.Member.init) ?? [] {
      guard let known = result.first(where: { $0.key == member.key }) else {
        result.append(member)
        continue
      }
      if known != member {
        let name = String(decoding: member.key, as: UTF8.self)
        throw MergeConflict(message: "the variable \(name) has different values in the files")
      }
    }
    return result
  }

  /// Returns the entries of `details` as an array. A legacy dictionary is converted.
  private static func entries(_ applinks: AppLinks) -> [JSONTree] {
    applinks.detailsForm == .dictionary
      ? ComponentsForm(applinks).details : applinks.details?.value.elements.map(JSONTree.init) ?? []
  }

  private func list(_ first: Member?, _ second: Member?) -> [JSONTree] {
    var result = first?.value.elements.map(JSONTree.init) ?? []
    for element in second?.value.elements.map(JSONTree.init) ?? [] where !result.contains(element) {
      result.append(element)
    }
    return result
  }

  /// Returns the members whose keys are not in `keys`. Devices ignore these members. If both files
  /// have the same key, the first file's member is used.
  private func rest(
    _ first: Value, _ second: Value, leavingOut keys: [String]
  ) -> [JSONTree.Member] {
    let own = first.members.filter { !keys.contains($0.key) }.map(JSONTree.Member.init)
    let others = second.members.filter { !keys.contains($0.key) }.map(JSONTree.Member.init)
    return own + others.filter { other in !own.contains { $0.key == other.key } }
  }

  private static func value(_ object: Value, _ key: String) -> JSONTree? {
    object.lastMember(key).map { JSONTree($0.value) }
  }

  static func words(_ difference: Difference) -> String {
    let (app, example) = (difference.app, difference.example ?? "")
    if let other = difference.other {
      return "\(app) and \(other) both open \(example), but the files list them in different orders"
    }
    if difference.kind == .notCompared {
      return "proving that the merged file opens the same links in \(app) would take too much work"
    }
    guard let change = difference.change, difference.isDecision else {
      return "one of the files grants \(app) a service that the merged file would not grant"
    }
    return "the files disagree about \(app): for \(example), one file says "
      + "\(change.old.rawValue), the other \(change.new.rawValue)"
  }
}
