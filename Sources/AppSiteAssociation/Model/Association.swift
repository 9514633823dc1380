package import JSON
package import Rules

/// The `applinks` service: which links of the domain open which apps.
package struct AppLinks: Sendable {
  /// The form of `details`.
  package enum DetailsForm: Sendable, Equatable {
    /// An array of objects.
    case array
    /// An object keyed by app identifier, the form of iOS 8.
    case dictionary
    /// A missing value, or a value that devices ignore.
    case none
  }

  /// The byte range of the key `applinks` in the file.
  package let keyRange: Range<Int>
  package let source: Value
  /// The legacy member `apps`, with a value of any type.
  package let apps: Member?
  package let defaults: Defaults?
  package let variables: SubstitutionVariables
  /// The member `details`, with a value of any type.
  package let details: Member?
  package let detailsForm: DetailsForm
  /// The entries of `details` that are objects, in the order of the file.
  package let entries: [DetailsEntry]

  /// Nil if the member's value is not an object.
  init?(_ member: Member) {
    let value = member.value
    guard value.kind == .object else { return nil }
    keyRange = member.keyRange
    source = value
    apps = value.lastMember("apps")
    defaults = value.lastMember("defaults").flatMap(Defaults.init)
    variables = SubstitutionVariables(value.lastMember("substitutionVariables"))
    details = value.lastMember("details")
    let inherited = defaults?.fields ?? RuleFields()
    switch details?.value.kind {
    case .array:
      detailsForm = .array
      entries = details.map { Self.entries(ofArray: $0.value, inherited) } ?? []
    case .object:
      detailsForm = .dictionary
      entries = details.map { Self.entries(ofDictionary: $0.value, inherited) } ?? []
    default:
      detailsForm = .none
      entries = []
    }
  }

  private static func entries(ofArray array: Value, _ inherited: RuleFields) -> [DetailsEntry] {
    array.elements.enumerated().compactMap { index, element in
      element.kind == .object
        ? DetailsEntry(element, position: .index(index), key: nil, inherited: inherited) : nil
    }
  }

  private static func entries(
    ofDictionary object: Value, _ inherited: RuleFields
  ) -> [DetailsEntry] {
    // If a key is repeated, only the last member with this key becomes an entry, at the position of
    // this last member.
    var lastIndex: [ExactText: Int] = [:]
    for (index, member) in object.members.enumerated() {
      lastIndex[ExactText(member.key)] = index
    }
    return object.members.enumerated().compactMap { index, member in
      let key = member.key
      guard lastIndex[ExactText(key)] == index, member.value.kind == .object else { return nil }
      return DetailsEntry(
        member.value, position: .identifier(key), key: Located(key, range: member.keyRange),
        inherited: inherited)
    }
  }
}

/// The apps in `details`, each with the first entry that lists the app. Only this first entry
/// decides the app's links; later entries that list the same app have no effect for the app.
package struct AppEntries: Sendable {
  /// All entries, in the order of the file.
  package let all: [DetailsEntry]
  /// The apps without duplicates, in the order of the file.
  package private(set) var apps: [String] = []
  /// For each app in `apps`, the index of its entry in `all`.
  package private(set) var entries: [Int] = []
  private var indexes: [ExactText: Int] = [:]

  package init(_ entries: [DetailsEntry]) {
    all = entries
    for (number, entry) in entries.enumerated() {
      for identifier in entry.appIdentifiers {
        let key = ExactText(identifier.value)
        guard indexes[key] == nil else { continue }
        indexes[key] = apps.count
        apps.append(identifier.value)
        self.entries.append(number)
      }
    }
  }

  /// Returns the index of an app in `apps`; nil if no entry lists the app.
  package func index(of app: String) -> Int? { indexes[ExactText(app)] }

  /// The index in `all` of the entry that decides the app's links; nil if no entry lists the app.
  package subscript(app: String) -> Int? { index(of: app).map { entries[$0] } }
}

/// A `defaults` object, in `applinks` or in an entry.
package struct Defaults: Sendable {
  package let source: Value
  package let fields: RuleFields

  /// Nil if the member's value is not an object.
  init?(_ member: Member) {
    guard member.value.kind == .object else { return nil }
    source = member.value
    fields = RuleFields(member.value)
  }
}

/// The variables in `applinks.substitutionVariables`. A pattern with a variable matches a text if
/// at least one value of the variable, in place of the variable, makes the pattern match.
package struct SubstitutionVariables: Sendable {
  package struct Variable: Sendable {
    package let name: Located<String>
    package let source: Value
    /// The strings in the array of values. A variable whose value is not an array has no strings
    /// and never matches.
    package let values: [Located<String>]
  }

  /// The variables in the order of the file. If several variables have the same name, only the last
  /// of them is used.
  package let all: [Variable]
  private let indexes: [ExactText: Int]

  package static let empty = SubstitutionVariables(nil)

  /// Reads the variables. If the member is missing or its value is not an object, there are no
  /// variables.
  init(_ member: Member?) {
    all = (member?.value.distinctMembers ?? []).map { member in
      Variable(
        name: Located(member.key, range: member.keyRange), source: member.value,
        values: member.value.locatedStrings)
    }
    var indexes: [ExactText: Int] = [:]
    for (index, variable) in all.enumerated() { indexes[ExactText(variable.name.value)] = index }
    self.indexes = indexes
  }

  /// Returns the variable that the file defines with this name; nil if the file does not define
  /// such a variable. A variable of the file replaces the predefined variable with the same name.
  /// Names are case-sensitive.
  package subscript(name: String) -> Variable? {
    indexes[ExactText(name)].map { all[$0] }
  }
}

/// An association file in the form in which Apple's devices read it. Contains the position of every
/// part in the file.
///
/// Reading never fails, because the model omits parts that devices ignore. Validation rules find
/// the omitted parts through the `source` values. These values contain every member, including
/// unknown and repeated members.
package struct Association: Sendable {
  /// The file's top-level value. If this value is not an object, the file has no services.
  package let source: Value
  package let applinks: AppLinks?
  /// The services that only list apps, with their names. A service is omitted if its value is not
  /// an object.
  package let appLists: [(name: String, list: AppList)]

  /// Reads the top-level value of a file. If a key is repeated, uses only the last member with this
  /// key.
  package init(_ root: Value) {
    source = root
    applinks = root.lastMember("applinks").flatMap(AppLinks.init)
    appLists = AppleService.all.filter { $0.form == .apps }.compactMap { service in
      root.lastMember(service.name).flatMap(AppList.init).map { (service.name, $0) }
    }
  }

  /// The entries of `applinks`; empty if the file has none.
  package var entries: [DetailsEntry] { applinks?.entries ?? [] }

  package var variables: SubstitutionVariables { applinks?.variables ?? .empty }

  /// Returns the app identifiers that the file lists for a service.
  package func apps(of service: String) -> [String] {
    if service == "applinks" {
      return entries.flatMap { $0.appIdentifiers.map(\.value) }
    }
    return appLists.first { $0.name == service }?.list.apps.map(\.value) ?? []
  }

  /// The names of Apple's services, which are the top-level keys.
  package static let serviceNames = AppleService.all.map(\.name)
}

/// A service that only lists apps, such as `webcredentials`.
package struct AppList: Sendable {
  /// The byte range of the service's key in the file.
  package let keyRange: Range<Int>
  package let source: Value
  /// The strings of `apps`, in order.
  package let apps: [Located<String>]

  /// Nil if the member's value is not an object.
  init?(_ member: Member) {
    guard member.value.kind == .object else { return nil }
    keyRange = member.keyRange
    source = member.value
    apps = source.lastMember("apps")?.value.locatedStrings ?? []
  }
}
