internal import JSON
internal import Rules

/// Writes `applinks` with `components`, keeping unknown members.
struct ComponentsForm {
  private let applinks: AppLinks

  init(_ applinks: AppLinks) { self.applinks = applinks }

  var tree: Tree { .object(applinks.members(details: details)) }

  /// The entries, those of the legacy dictionary as an array.
  var details: [Tree] {
    if applinks.detailsForm == .dictionary { return applinks.entries.map(entry) }
    var entries = applinks.entries[...]
    return (applinks.details?.value.elements.map(\.self) ?? []).map { element in
      guard let next = entries.first, next.source.range == element.range else {
        return Tree(element)
      }
      entries.removeFirst()
      return entry(next)
    }
  }

  private func entry(_ entry: DetailsEntry) -> Tree {
    var members: [TreeMember] = []
    if entry.identifierForm != .none {
      let apps = entry.appIdentifiers.map { Tree.text($0.value) }
      members.append(TreeMember("appIDs", .array(apps)))
    }
    let replaced =
      entry.identifierForm == .none ? ["paths"] : ["appID", "appIDs", "paths"]
    for member in entry.source.members {
      let key = member.key
      guard entry.source.lastMember(key)?.keyRange == member.keyRange else { continue }
      if key == "paths" && entry.ruleForm == .paths {
        members.append(TreeMember("components", components(of: entry)))
      } else if !replaced.contains(key), key != "components" || entry.ruleForm != .paths {
        members.append(TreeMember(member))
      }
    }
    return .object(members)
  }

  /// The rules of an entry as an array of components.
  func components(of entry: DetailsEntry) -> Tree {
    if entry.ruleForm != .paths, let own = entry.source.lastMember("components") {
      return Tree(own.value)
    }
    return .array(entry.rules.map { component($0, entry) })
  }

  /// Writes a rule as a component. A legacy path takes only some options from `defaults`; its
  /// component must cancel the rest explicitly.
  private func component(_ rule: Rule, _ entry: DetailsEntry) -> Tree {
    let inherited = (entry.defaults?.fields ?? RuleFields())
      .inheriting(applinks.defaults?.fields ?? RuleFields())
    var members = [TreeMember("/", .text(rule.effective.path?.value ?? "*"))]
    if inherited.query != nil { members.append(TreeMember("?", .text("*"))) }
    if inherited.fragment != nil { members.append(TreeMember("#", .text("*"))) }
    if rule.isExclusion || inherited.exclude != nil {
      members.append(TreeMember("exclude", .bool(rule.isExclusion)))
    }
    return .object(members)
  }
}
