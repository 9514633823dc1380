internal import Diagnostics
package import JSON
internal import Rules

/// Why two association files cannot be merged.
package struct MergeConflict: Error, Sendable, Equatable {
  /// One lower-case sentence without a full stop.
  package let message: String
}

/// Merges two files. The content of the first file comes first.
///
/// The merge is proven to keep each app's rules from both files.
package func merging(_ first: Document, _ second: Document) throws(MergeConflict) -> Tree {
  let (left, right) = (Association(first.root), Association(second.root))
  let merged = Tree.object(try Merging(left, right).members())
  guard let whole = merged.association else {
    throw MergeConflict(message: "the files cannot be written as one")
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

  func members() throws(MergeConflict) -> [TreeMember] {
    var members: [TreeMember] = []
    for name in Association.serviceNames {
      guard let first = left.source.lastMember(name) else {
        if let second = right.source.lastMember(name) { members.append(TreeMember(second)) }
        continue
      }
      guard let second = right.source.lastMember(name) else {
        members.append(TreeMember(first))
        continue
      }
      members.append(TreeMember(name, try value(name, first, second)))
    }
    let names = Association.serviceNames
    return rest(left.source, right.source, leavingOut: names) + members
  }

  private func value(
    _ name: String, _ first: Member, _ second: Member
  ) throws(MergeConflict) -> Tree {
    guard first.value.kind == .object, second.value.kind == .object else {
      throw MergeConflict(message: "`\(name)` is not an object in both files")
    }
    if name == "applinks" { return try links() }
    let apps = list(first.value.lastMember("apps"), second.value.lastMember("apps"))
    return .object(
      rest(first.value, second.value, leavingOut: ["apps"]) + [TreeMember("apps", .array(apps))])
  }

  private func links() throws(MergeConflict) -> Tree {
    guard let first = left.applinks, let second = right.applinks else { return .object([]) }
    let (one, two) = (Self.value(first.source, "defaults"), Self.value(second.source, "defaults"))
    if one != two {
      throw MergeConflict(message: "the files have different `defaults` in applinks")
    }
    var members = rest(
      first.source, second.source,
      leavingOut: ["apps", "details", "defaults", "substitutionVariables"])
    if let one { members.append(TreeMember("defaults", one)) }
    let variables = try variables(first, second)
    if !variables.isEmpty {
      members.append(TreeMember("substitutionVariables", .object(variables)))
    }
    let entries = Self.entries(first)
    let others = Self.entries(second).filter { !entries.contains($0) }
    members.append(TreeMember("details", .array(entries + others)))
    return .object(members)
  }

  private func variables(
    _ first: AppLinks, _ second: AppLinks
  ) throws(MergeConflict) -> [TreeMember] {
    let key = "substitutionVariables"
    var result = first.source.lastMember(key)?.value.members.map(TreeMember.init) ?? []
    for member in second.source.lastMember(key)?.value.members.map(TreeMember.init) ?? [] {
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

  /// Returns the entries, converting the legacy dictionary to an array.
  private static func entries(_ applinks: AppLinks) -> [Tree] {
    applinks.detailsForm == .dictionary
      ? ComponentsForm(applinks).details : applinks.details?.value.elements.map(Tree.init) ?? []
  }

  private func list(_ first: Member?, _ second: Member?) -> [Tree] {
    var result = first?.value.elements.map(Tree.init) ?? []
    for element in second?.value.elements.map(Tree.init) ?? [] where !result.contains(element) {
      result.append(element)
    }
    return result
  }

  /// Returns members that devices ignore. If both files have a key, uses that of the first file.
  private func rest(_ first: Value, _ second: Value, leavingOut keys: [String]) -> [TreeMember] {
    let own = first.members.filter { !keys.contains($0.key) }.map(TreeMember.init)
    let others = second.members.filter { !keys.contains($0.key) }.map(TreeMember.init)
    return own + others.filter { other in !own.contains { $0.key == other.key } }
  }

  private static func value(_ object: Value, _ key: String) -> Tree? {
    object.lastMember(key).map { Tree($0.value) }
  }

  static func words(_ difference: Difference) -> String {
    let (app, example) = (difference.app, difference.example ?? "")
    if let other = difference.other {
      return "the files name \(app) and \(other) in different orders, and both open \(example)"
    }
    if difference.kind == .notCompared {
      return "it would take too much work to prove that \(app) keeps its links"
    }
    guard let change = difference.change, difference.isDecision else {
      return "the merged file would not give \(app) what one of the files gives it"
    }
    return "the files say different things about \(app): \(example) "
      + "\(change.old.rawValue) by one, \(change.new.rawValue) by the other"
  }
}
