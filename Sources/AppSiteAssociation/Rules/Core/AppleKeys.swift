internal import Bytes
internal import JSON

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
    .top: [.applinks, .webcredentials, .appclips, .activitycontinuation],
    .applinks: [.apps, .details, .defaults, .substitutionVariables],
    .entry: [.appIDs, .appID, .components, .paths, .defaults],
    .component: [.path, .query, .fragment, .exclude, .comment, .caseSensitive, .percentEncoded],
    .defaults: [.caseSensitive, .percentEncoded, .exclude, .path, .query, .fragment],
    .service: [.apps],
  ]

  /// Their names.
  var known: [String] { keys.map(\.name) }
}

/// A key that devices read: a row of the table of Apple's file. The rules about keys and types, the
/// JSON Schema and `aasa init` follow from the row and from the levels above that name it.
package struct AppleKey: Sendable {
  package let name: String
  /// What editors show.
  let words: String
  /// What people write instead, in lower case.
  let instead: [String]
  /// What devices expect as the value, then as its elements or members, then as theirs.
  let types: ArraySlice<ValueType>

  private init(_ name: String, _ words: String, instead: [String] = [], _ types: ValueType...) {
    (self.name, self.words, self.instead, self.types) = (name, words, instead, types[...])
  }

  package static let applinks = AppleKey(
    "applinks", "Which links open which apps.",
    (.object(.applinks), "A012", "%", say(#"write `"%": {"details": []}`"#)))
  package static let webcredentials = AppleKey(
    "webcredentials", "Apps that share passwords and passkeys of the domain.", service)
  package static let appclips = AppleKey(
    "appclips", "App Clips that links of the domain start.", service)
  package static let activitycontinuation = AppleKey(
    "activitycontinuation", "Apps that continue activities of the domain (Handoff).", service)
  private static let service: ValueType = (
    .object(.service), "A012", "%", say(#"write `"%": {"apps": [\#(app)]}`"#)
  )

  package static let apps = AppleKey(
    "apps",
    "App identifiers: prefix, dot, bundle identifier. In applinks an empty array, or nothing.",
    (.list, "A141", "`apps` in %", say(#"write `"apps": [\#(app)]`"#)),
    (.identifier, "A147", "this app", say(#"write `\#(app)`"#)))
  package static let details = AppleKey(
    "details", "Apps and their rules. Of an app the first entry counts.",
    (
      .list.or(.map), "A015", "%", say(#"write `"%": [{"appIDs": [\#(app)], "components": [{}]}]`"#)
    ),
    (
      .object(.entry), "A017", "this entry of details",
      say(#"write `{"appIDs": [\#(app)], "components": [{"/": "/buy/*"}]}`"#)
    ))
  static let defaults = AppleKey(
    "defaults", "What holds for rules that do not say it themselves.",
    (.object(.defaults), "A061", "`%`", say(#"write `"%": {"caseSensitive": false}`"#)))
  static let substitutionVariables = AppleKey(
    "substitutionVariables", "Values that $(name) stands for in patterns.",
    (.map, "A133", "`%`", say(#"write `"%": {"food": ["sushi", "pizza"]}`"#)),
    (.list, "A126", "the variable `%`", say(#"write `"%": ["sushi", "pizza"]`"#)),
    (.text, "A128", "this value", say("write it in quotes")))

  package static let appIDs = AppleKey(
    "appIDs", "App identifiers: prefix, dot, bundle identifier.",
    instead: ["apps", "bundleid", "bundleids"],
    (.list, "A029", "appIDs", say(#"write `"appIDs": [\#(app)]`"#)),
    (.identifier, "A029", "this app identifier", say(#"write `\#(app)`"#)))
  static let appID = AppleKey(
    "appID", "One app identifier, for systems before iOS 13.",
    (.identifier, "A029", "appID", say(#"write `"appIDs": [ … ]` for several apps"#)))
  package static let components = AppleKey(
    "components", "Rules of iOS 13 and later. The first one that matches decides.",
    (.list, "A053", "`%`", say(#"write `"%": [{"/": "/buy/*"}]`"#)),
    (
      .object(.component), "A054", "this component",
      say(#"write `{"/": "/buy/*"}`; strings belong into `paths`"#)
    ))
  static let paths = AppleKey(
    "paths", #"Path patterns for systems before iOS 13; "NOT /x" excludes."#, instead: ["path"],
    (.list, "A053", "`%`", say(#"write `"%": ["/buy/*"]`"#)),
    (.text, "A055", "this path", say(#"write `"/buy/*"`; objects belong into `components`"#)))

  package static let path = AppleKey(
    "/", "The path. * is any text, slashes included; ? is one character.",
    instead: ["path", "paths"], (.text, "A058", "the value of `%`", partHelp))
  package static let query = AppleKey(
    "?",
    "The query: a pattern, or patterns for single items. An absent item counts as empty: write ?* "
      + "to require it.",
    instead: ["query"], (.text.or(.map), "A058", "the value of `%`", partHelp),
    (.text, "A059", "the value of the query item `%`", queryValueHelp))
  package static let fragment = AppleKey(
    "#", "The fragment. An absent one counts as empty.", instead: ["fragment"],
    (.text, "A058", "the value of `%`", partHelp))

  package static let exclude = AppleKey(
    "exclude", "true: what matches stays in the browser.", instead: ["not", "negate", "block"],
    flag)
  static let comment = AppleKey(
    "comment", "For people.",
    (.remark, "A069", "the comment", say("write it as a text in quotes")))
  static let caseSensitive = AppleKey(
    "caseSensitive", "Whether the case of letters counts; true if not said.", flag)
  static let percentEncoded = AppleKey(
    "percentEncoded",
    "Whether patterns are compared with the URL as it is written; true if not said.", flag)
  private static let flag: ValueType = (.flag, "A060", "the value of `%`", flagHelp)
}

/// What devices expect, and what a rule says about a value of another type: its code, a subject for
/// the sentence, and help. In these words `%` is the name of the key, of the member of a map, or of
/// the service.
typealias ValueType = (form: ValueForm, code: String, subject: String, help: TypeHelp)
typealias TypeHelp = @Sendable (_ name: String, _ value: Value, FileUnderCheck) -> String

private let app = #""K27TX9P4QD.org.swift.shop""#

private func say(_ help: String) -> TypeHelp { { name, _, _ in help.replacing("%", with: name) } }

/// What a value may be. The members of an object have keys of a level, those of a map any keys.
struct ValueForm: Sendable {
  /// The kinds of such values, the usual one first.
  let kinds: [Value.Kind]
  /// Whether editors show the words of the key beside the schema; if not, around it.
  var isBare = false
  /// The JSON Schema of each kind, from the one of the elements or members.
  let schemas: @Sendable (_ part: Tree) -> [Tree]

  static let text = Self(kinds: [.string], isBare: true) { _ in [["type": "string"]] }
  static let remark = Self(kinds: [.string], isBare: true) { _ in [[:]] }
  /// A prefix, a dot and a bundle identifier.
  static let identifier = Self(kinds: [.string]) { _ in
    [["type": "string", "pattern": "^[A-Z0-9]{10}\\.[A-Za-z0-9.-]+$"]]
  }
  /// Devices also accept numbers.
  static let flag = Self(kinds: [.boolean]) { _ in [["type": "boolean"], ["type": "number"]] }
  static let list = Self(kinds: [.array]) { [["type": "array", "items": $0]] }
  static let map = Self(kinds: [.object], isBare: true) {
    [["type": "object", "additionalProperties": $0]]
  }

  static func object(_ level: KeyLevel) -> Self {
    Self(kinds: [.object]) { _ in [["$ref": .text("#/definitions/\(level)")]] }
  }

  func or(_ other: Self) -> Self {
    Self(kinds: kinds + other.kinds) { schemas($0) + other.schemas($0) }
  }
}
