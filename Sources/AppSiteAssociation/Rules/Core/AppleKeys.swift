internal import Bytes
package import Diagnostics
internal import JSON
internal import Rules

/// The levels of a file at which keys have a meaning.
enum KeyLevel: String, Sendable, CaseIterable {
  case top = "at the top of the file"
  case applinks = "in applinks"
  case entry = "in an entry of details"
  case component = "in a component"
  case defaults = "in defaults"
  case service = "in a service that lists apps"

  var words: String { rawValue }

  /// The keys that Apple defines at this level.
  var keys: [AppleKey] { Self.keys[self] ?? [] }
  private static let keys: [KeyLevel: [AppleKey]] = [
    .top: AppleService.all.map(\.key),
    .applinks: [.apps, .details, .defaults, .substitutionVariables],
    .entry: [.appIDs, .appID, .components, .paths, .defaults],
    .component: [.path, .query, .fragment, .exclude, .comment, .caseSensitive, .percentEncoded],
    .defaults: [.caseSensitive, .percentEncoded, .exclude, .path, .query, .fragment],
    .service: [.apps.alsoCalled("appids", "appid")],
  ]

  /// The names of the keys at this level.
  var known: [String] { keys.map(\.name) }
}

/// A key that devices read. Each key is a row of a table. The rules about keys and types, the JSON
/// Schema and `aasa init` are derived from these rows, and from the levels at which the keys occur.
package struct AppleKey: Sendable {
  package let name: String
  /// The description of the key that editors show.
  let words: String
  /// Wrong names that people write for this key, in lower case.
  private(set) var instead: [String]
  /// The types that devices expect, from outside to inside: first the type of the value, then the
  /// type of its elements or members, and so on.
  let types: ArraySlice<ValueType>

  init(_ name: String, _ words: String, instead: [String] = [], _ types: ValueType...) {
    (self.name, self.words, self.instead, self.types) = (name, words, instead, types[...])
  }

  /// Returns this key with further wrong names that people write for it, in lower case.
  func alsoCalled(_ names: String...) -> AppleKey {
    var key = self
    key.instead += names
    return key
  }

  /// The value types of the two kinds of services: `applinks`, and services that only list apps.
  static let linkRules: ValueType = (
    .object(.applinks), "A012", "%", say(#"write `"%": {"details": []}`"#)
  )
  static let appList: ValueType = (
    .object(.service), "A012", "%", say(#"write `"%": {"apps": [\#(app)]}`"#)
  )

  package static let apps = AppleKey(
    "apps",
    "App identifiers: prefix, dot, bundle identifier. In applinks, omit the key or write an "
      + "empty array.",
    (.list, "A141", "`apps` in %", say(#"write `"apps": [\#(app)]`"#)),
    (.identifier, "A147", "this app", say(#"write `\#(app)`"#)))
  package static let details = AppleKey(
    "details",
    "Entries of apps and their rules. An app uses only the first entry that lists the app.",
    (
      .list.or(.map), "A015", "%", say(#"write `"%": [{"appIDs": [\#(app)], "components": [{}]}]`"#)
    ),
    (
      .object(.entry), "A017", "this entry of details",
      say(#"write `{"appIDs": [\#(app)], "components": [{"/": "/buy/*"}]}`"#)
    ))
  static let defaults = AppleKey(
    "defaults", "Default values for the keys that a rule does not set.",
    (.object(.defaults), "A061", "`%`", say(#"write `"%": {"caseSensitive": false}`"#)))
  static let substitutionVariables = AppleKey(
    "substitutionVariables", "Values that $(name) stands for in patterns.",
    (.map, "A133", "`%`", say(#"write `"%": {"food": ["sushi", "pizza"]}`"#)),
    (.list, "A126", "the variable `%`", say(#"write `"%": ["sushi", "pizza"]`"#)),
    (.text, "A128", "this value", say("write the value in quotes")))

  package static let appIDs = AppleKey(
    "appIDs", "App identifiers: prefix, dot, bundle identifier.",
    instead: ["apps", "bundleid", "bundleids"],
    (.list, "A029", "appIDs", say(#"write `"appIDs": [\#(app)]`"#)),
    (.identifier, "A029", "this app identifier", say(#"write `\#(app)`"#)))
  static let appID = AppleKey(
    "appID", "One app identifier, for systems before iOS 13.",
    (.identifier, "A029", "appID", say(#"write `"appIDs": [ … ]` for several apps"#)))
  package static let components = AppleKey(
    "components", "Rules of iOS 13 and later. The first rule that matches a link decides.",
    (.list, "A053", "`%`", say(#"write `"%": [{"/": "/buy/*"}]`"#)),
    (
      .object(.component), "A054", "this component",
      say(#"write `{"/": "/buy/*"}`; strings belong in `paths`"#)
    ))
  static let paths = AppleKey(
    "paths", #"Path patterns for systems before iOS 13; "NOT /x" excludes."#, instead: ["path"],
    (.list, "A053", "`%`", say(#"write `"%": ["/buy/*"]`"#)),
    (.text, "A055", "this path", say(#"write `"/buy/*"`; objects belong in `components`"#)))

  package static let path = AppleKey(
    "/", "The path. * is any text, slashes included; ? is one character.",
    instead: ["path", "paths"], (.text, "A058", "the value of `%`", partHelp))
  package static let query = AppleKey(
    "?",
    "The query: a pattern, or patterns for single items. An absent item is treated as empty: write "
      + "?* to require the item.",
    instead: ["query"], (.text.or(.map), "A058", "the value of `%`", partHelp),
    (.text, "A059", "the value of the query item `%`", queryValueHelp))
  package static let fragment = AppleKey(
    "#", "The fragment. An absent fragment is treated as empty.", instead: ["fragment"],
    (.text, "A058", "the value of `%`", partHelp))

  package static let exclude = AppleKey(
    "exclude", "true: matching links stay in the browser.", instead: ["not", "negate", "block"],
    flag)
  static let comment = AppleKey(
    "comment", "For people.",
    (.remark, "A069", "the comment", say("write the comment as a string in quotes")))
  static let caseSensitive = AppleKey(
    "caseSensitive", "Whether patterns distinguish upper and lower case; true by default.", flag)
  static let percentEncoded = AppleKey(
    "percentEncoded",
    "Whether patterns are compared with the URL before decoding; true by default.", flag)
  private static let flag: ValueType = (.flag, "A060", "the value of `%`", flagHelp)
}

/// The type that devices expect, and three parts of the finding about a value of another type: the
/// code, the subject of the message, and the help. In the subject and the help, the name of the
/// key, map member or service replaces `%`.
typealias ValueType = (form: ValueForm, code: String, subject: String, help: TypeHelp)
typealias TypeHelp = @Sendable (_ name: String, _ value: Value, FileUnderCheck) -> String

private let exampleApp = IdentifierUse.example
private let app = "\"\(exampleApp)\""

private func say(_ help: String) -> TypeHelp {
  { name, value, file in
    help.replacing("%", with: name).replacing(exampleApp, with: ownApp(value, file))
  }
}

/// Returns the app that the value identifies. If the value identifies no app, returns the app that
/// help shows for this file.
private func ownApp(_ value: Value, _ file: FileUnderCheck) -> String {
  value.string.flatMap { IdentifierUse.canBeAnApp($0) ? $0 : nil } ?? file.app
}

/// The JSON types that a value may have. Of the two kinds of objects, an object with a level may
/// have only the keys of this level, and a map may have any keys.
struct ValueForm: Sendable {
  /// The JSON types of the value, the usual type first.
  let kinds: [Value.Kind]
  /// Says where the schema shows the key's description. If true, the description is a member of the
  /// value's own schema. If false, `anyOf` encloses the value's schema, and the description is a
  /// member of the enclosing schema.
  var isBare = false
  /// Returns the JSON Schemas that accept the value. The parameter is the schema of the value's
  /// elements or members.
  let schemas: @Sendable (_ part: JSONTree) -> [JSONTree]

  static let text = Self(kinds: [.string], isBare: true) { _ in [["type": "string"]] }
  static let remark = Self(kinds: [.string], isBare: true) { _ in [[:]] }
  /// An app identifier: a prefix, a dot and a bundle identifier.
  static let identifier = Self(kinds: [.string]) { _ in
    [["type": "string", "pattern": "^[A-Z0-9]{10}\\.[A-Za-z0-9.-]+$"]]
  }
  /// Devices also accept a number instead of a Boolean.
  static let flag = Self(kinds: [.boolean]) { _ in [["type": "boolean"], ["type": "number"]] }
  static let list = Self(kinds: [.array]) { [["type": "array", "items": $0]] }
  static let map = Self(kinds: [.object], isBare: true) {
    [["type": "object", "additionalProperties": $0]]
  }

  static func object(_ level: KeyLevel) -> Self {
    Self(kinds: [.object]) { _ in [["$ref": "#/definitions/\(level)".json]] }
  }

  func or(_ other: Self) -> Self {
    Self(kinds: kinds + other.kinds) { schemas($0) + other.schemas($0) }
  }
}

/// The JSON Schema of association files, for editors, generated from the keys that the rules know.
///
/// With this schema, editors complete and explain keys. They also mark wrong types, misspelled
/// keys, identifiers that no app can have, and files without a service. Other unknown keys are
/// allowed, as on devices; `aasa validate` finds more faults.
package enum Schema {
  package static var tree: JSONTree {
    let levels = KeyLevel.allCases.filter { $0 != .top }
    return [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": "apple-app-site-association",
      "description": "Which apps may open links of a domain, and more.", "type": "object",
      "properties": properties(of: .top), "propertyNames": wellSpelt(.top),
      // A file without a service permits nothing.
      "anyOf": .array(KeyLevel.top.known.map { ["required": [$0.json]] }),
      "definitions": .object(levels.map { .init("\($0)", definition(of: $0)) }),
    ]
  }

  private static func definition(of level: KeyLevel) -> JSONTree {
    ["type": "object", "properties": properties(of: level), "propertyNames": wellSpelt(level)]
  }

  private static func properties(of level: KeyLevel) -> JSONTree {
    .object(level.keys.map { .init($0.name, tree(of: $0)) })
  }

  /// Returns a schema that refuses a key if it differs from a known key only in letter case.
  private static func wellSpelt(_ level: KeyLevel) -> JSONTree {
    let keys = level.known.filter { $0.utf8.count > 1 && !isRemark($0) }
    let anyCase = keys.map { key in
      key.map { "[\($0.lowercased())\($0.uppercased())]" }.joined()
    }
    let pattern = "^(?!(\(keys.joined(separator: "|")))$)(\(anyCase.joined(separator: "|")))$"
    return ["not": ["pattern": pattern.json]]
  }

  /// Returns the schema of a key's value, with the description that editors show.
  private static func tree(of key: AppleKey) -> JSONTree {
    let words = JSONTree.Member("description", key.words.json)
    let forms = forms(key.types)
    if key.types.first?.form.isBare == true, case .object(let members)? = forms.first {
      return .object(members + [words])
    }
    return .object([.init("anyOf", .array(forms)), words])
  }

  /// Returns the schemas that accept a value. If the value has elements or members, each of these
  /// schemas contains the schema of the elements or members.
  private static func forms(_ types: ArraySlice<ValueType>) -> [JSONTree] {
    types.first?.form.schemas(forms(types.dropFirst()).first ?? [:]) ?? []
  }
}

/// An object at a level where keys have a meaning, with the object's unknown keys.
struct KeyedObject: Sendable {
  enum Fault: Sendable, Equatable {
    /// The key resembles this key, which Apple defines at the same level.
    case misspelt(String)
    /// The key has a meaning at another level.
    case misplaced(KeyLevel)
    /// The key is a service of older systems.
    case retired
    case unknown
  }

  struct StrangeKey: Sendable {
    let key: String
    let range: Range<Int>
    let value: Value
    let fault: Fault
  }

  let level: KeyLevel
  let source: Value
  let strangeKeys: [StrangeKey]

  var hasMisspeltKeys: Bool {
    strangeKeys.contains { if case .misspelt = $0.fault { true } else { false } }
  }

  /// Nil if Apple defines every key of the object at this level, apart from keys of remarks.
  init?(_ level: KeyLevel, _ source: Value) {
    self.level = level
    self.source = source
    let keys = level.keys
    var strange: [StrangeKey] = []
    // Compute this lazily, because a file may have thousands of objects, and few objects have
    // unknown keys.
    lazy var present = level.known.filter { source.member($0) != nil }
    for member in source.members where !keys.contains(where: { member.keyEquals($0.name) }) {
      let key = member.key
      if isRemark(key) { continue }
      let fault = Self.fault(of: key, level, present)
      strange.append(
        StrangeKey(key: key, range: member.keyRange, value: member.value, fault: fault))
    }
    if strange.isEmpty { return nil }
    strangeKeys = strange
  }

  private static func fault(of key: String, _ level: KeyLevel, _ present: [String]) -> Fault {
    // A very long key is probably not a misspelling, and comparing it with the known keys would be
    // slow.
    if key.utf8.count > 64 { return .unknown }
    if level == .top, AppleService.retired.contains(where: { $0.name == key }) { return .retired }
    let lower = key.lowercased()
    if let key = level.keys.first(where: { $0.instead.contains(lower) }) {
      return .misspelt(key.name)
    }
    let absent = level.known.filter { !present.contains($0) && $0.utf8.count > 1 }
    if let exact = absent.first(where: { $0.lowercased() == lower }) { return .misspelt(exact) }
    if let home = KeyLevel.allCases.first(where: { $0.known.contains(key) }) {
      return .misplaced(home)
    }
    return nearest(to: key, among: absent).map { .misspelt($0) } ?? .unknown
  }
}

extension Association {
  /// Every object whose keys Apple defines.
  var objects: [(level: KeyLevel, source: Value)] {
    var objects = [(KeyLevel.top, source)]
    if let applinks {
      objects.append((.applinks, applinks.source))
      if let defaults = applinks.defaults { objects.append((.defaults, defaults.source)) }
      for entry in applinks.entries {
        objects.append((.entry, entry.source))
        if let defaults = entry.defaults { objects.append((.defaults, defaults.source)) }
        for rule in entry.rules where rule.source.kind == .object {
          objects.append((.component, rule.source))
        }
      }
    }
    return objects + appLists.map { (.service, $0.list.source) }
  }
}
