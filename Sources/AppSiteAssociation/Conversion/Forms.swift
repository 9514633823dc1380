internal import Diagnostics
internal import JSON
internal import Rules

/// Writes `applinks` in the form for systems before iOS 13: with `apps`, and for each app with one
/// entry that contains `paths`.
struct PathsForm {
  private let applinks: AppLinks

  /// For each entry, the apps whose links the entry decides. If several entries list the same app,
  /// only the first of these entries decides the app's links.
  let apps: [[String]]

  init(_ applinks: AppLinks) {
    self.applinks = applinks
    let named = AppEntries(applinks.entries)
    var apps = applinks.entries.map { _ in [String]() }
    for (app, entry) in zip(named.apps, named.entries) { apps[entry].append(app) }
    self.apps = apps
  }

  func tree() throws(ConversionFault) -> JSONTree {
    let others = applinks.members(
      leavingOut: ["defaults", "substitutionVariables"], details: try entries())
    return .object([.init("apps", [])] + others)
  }

  private func entries() throws(ConversionFault) -> [JSONTree] {
    var result: [JSONTree] = []
    for (number, entry) in applinks.entries.enumerated() where !apps[number].isEmpty {
      let paths = try paths(of: entry, number)
      for app in apps[number] {
        result.append(["appID": app.json, "paths": paths])
      }
    }
    return result
  }

  /// Returns the rules of an entry as an array of paths.
  func paths(of entry: DetailsEntry, _ number: Int) throws(ConversionFault) -> JSONTree {
    var paths: [JSONTree] = []
    for (place, rule) in entry.rules.enumerated() {
      for path in try self.paths(rule, RuleReference(entry: number, rule: place)) {
        paths.append(path.json)
      }
    }
    return .array(paths)
  }

  private func paths(
    _ rule: Rule, _ place: RuleReference
  ) throws(ConversionFault) -> [String] {
    let fields = rule.effective
    func refuse(_ reason: String) -> ConversionFault { .notExpressible(place, reason: reason) }
    for (part, item, pattern) in fields.patterns
    where part != .path && !isOnlyAsterisks(pattern.value) {
      let thing = part == .fragment ? "a fragment" : item == nil ? "a query" : "query items"
      throw refuse("the rule tests \(thing), but a pattern in `paths` tests only the path")
    }
    let pattern = PatternSyntax(fields.path?.value ?? "*")
    let paths = try pattern.expanded { name throws(ConversionFault) in
      guard let variable = applinks.variables[name] else {
        throw refuse("the rule uses $(\(name)), which systems before iOS 13.5 do not know")
      }
      return variable.values.map(\.value)
    }
    guard let paths else {
      throw refuse(
        "the rule's variables expand to more than \(PatternSyntax.alternatives) paths")
    }
    let prefix = rule.isExclusion ? Rule.exclusionPrefix : ""
    return paths.map { path in
      // If the path itself begins with `NOT `, a slash is added before the path. Otherwise, devices
      // would read the path as an exclusion.
      prefix + (path.hasPrefix(Rule.exclusionPrefix) ? "/" + path : path)
    }
  }
}

/// Writes `applinks` in the form with `components`. Copies the members with unknown keys.
struct ComponentsForm {
  private let applinks: AppLinks

  init(_ applinks: AppLinks) { self.applinks = applinks }

  var tree: JSONTree { .object(applinks.members(details: details)) }

  /// The entries as an array. Entries in the legacy dictionary form are converted to array
  /// elements.
  var details: [JSONTree] {
    if applinks.detailsForm == .dictionary { return applinks.entries.map(entry) }
    var entries = applinks.entries[...]
    return (applinks.details?.value.elements.map(\.self) ?? []).map { element in
      guard let next = entries.first, next.source.range == element.range else {
        return JSONTree(element)
      }
      entries.removeFirst()
      return entry(next)
    }
  }

  private func entry(_ entry: DetailsEntry) -> JSONTree {
    var members: [JSONTree.Member] = []
    if entry.identifierForm != .none {
      members.append(.init("appIDs", entry.appIdentifiers.map(\.value).json))
    }
    let replaced =
      entry.identifierForm == .none ? ["paths"] : ["appID", "appIDs", "paths"]
    for member in entry.source.members {
      let key = member.key
      guard entry.source.lastMember(key)?.keyRange == member.keyRange else { continue }
      if key == "paths" && entry.ruleForm == .paths {
        members.append(.init("components", components(of: entry)))
      } else if !replaced.contains(key), key != "components" || entry.ruleForm != .paths {
        members.append(.init(member))
      }
    }
    return .object(members)
  }

  /// Returns the rules of an entry as an array of components.
  func components(of entry: DetailsEntry) -> JSONTree {
    if entry.ruleForm != .paths, let own = entry.source.lastMember("components") {
      return JSONTree(own.value)
    }
    return .array(entry.rules.map { component($0, entry) })
  }

  /// Writes a rule as a component. Unlike a component, a legacy path inherits only some options
  /// from `defaults`. Therefore, the new component explicitly overrides the options that a path
  /// does not inherit.
  private func component(_ rule: Rule, _ entry: DetailsEntry) -> JSONTree {
    let inherited = (entry.defaults?.fields ?? RuleFields())
      .inheriting(applinks.defaults?.fields ?? RuleFields())
    return [
      "/": (rule.effective.path?.value ?? "*").json,
      "?": inherited.query == nil ? nil : "*", "#": inherited.fragment == nil ? nil : "*",
      "exclude": rule.isExclusion || inherited.exclude != nil ? rule.isExclusion.json : nil,
    ]
  }
}

/// Writes `applinks` in both forms, so that systems before and after iOS 13 read the same rules.
/// Writes one entry for each app, with both the keys of the old form (`appID`, `paths`) and the
/// keys of the new form (`appIDs`, `components`).
struct BothForms {
  private let applinks: AppLinks
  private let old: PathsForm
  private let new: ComponentsForm

  init(_ applinks: AppLinks) {
    self.applinks = applinks
    old = PathsForm(applinks)
    new = ComponentsForm(applinks)
  }

  func tree() throws(ConversionFault) -> JSONTree {
    .object([.init("apps", [])] + applinks.members(details: try entries()))
  }

  private func entries() throws(ConversionFault) -> [JSONTree] {
    var result: [JSONTree] = []
    for (number, entry) in applinks.entries.enumerated() {
      let paths = try old.paths(of: entry, number)
      for app in old.apps[number] {
        let defaults = entry.source.lastMember("defaults").map { [JSONTree.Member($0)] } ?? []
        result.append(
          .object(
            [.init("appID", app.json), .init("paths", paths), .init("appIDs", [app.json])]
              + defaults + [.init("components", new.components(of: entry))]))
      }
    }
    return result
  }
}
