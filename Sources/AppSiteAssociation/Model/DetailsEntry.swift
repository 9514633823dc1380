package import JSON
package import Rules

/// An entry of `details`: apps and their rules.
///
/// This type is a class because many validation rules visit all entries, and copying an entry is
/// slow.
package final class DetailsEntry: Sendable {
  /// The place of the entry within `details`.
  package enum Position: Sendable, Hashable {
    /// The index of an element in an array, from 0. All elements of the array have an index, even
    /// those that are not objects.
    case index(Int)
    /// The key of a member in the legacy dictionary. The key is an app identifier.
    case identifier(String)
  }

  /// The member that lists the apps.
  package enum IdentifierForm: Sendable, Equatable {
    /// `appIDs`. This member is used if its value is an array, even an empty array.
    case appIDs
    case appID
    /// The key of the legacy dictionary.
    case dictionaryKey
    case none
  }

  /// The member with the rules.
  package enum RuleForm: Sendable, Equatable {
    /// `components`. This member is used if its value is an array, even if `paths` is present.
    case components
    case paths
    case none
  }

  package let position: Position
  /// The JSON object of the entry.
  package let source: Value
  package let identifierForm: IdentifierForm
  /// The apps of the entry.
  package let appIdentifiers: [Located<String>]
  package let defaults: Defaults?
  package let ruleForm: RuleForm
  /// The member with the rules that devices use: `components` or `paths`. Nil if the entry has
  /// neither as an array.
  package let ruleList: Member?
  package let rules: [Rule]

  /// - Parameters:
  ///   - key: The app identifier that is the entry's key in the legacy dictionary; nil for an
  ///     element of an array.
  ///   - inherited: The defaults of `applinks`.
  init(_ source: Value, position: Position, key: Located<String>?, inherited: RuleFields) {
    self.position = position
    self.source = source
    if let key {
      identifierForm = .dictionaryKey
      appIdentifiers = [key]
    } else if let list = source.lastMember("appIDs"), list.value.kind == .array {
      identifierForm = .appIDs
      appIdentifiers = list.value.locatedStrings
    } else if let identifier = source.lastMember("appID")?.locatedString {
      identifierForm = .appID
      appIdentifiers = [identifier]
    } else {
      identifierForm = .none
      appIdentifiers = []
    }
    defaults = source.lastMember("defaults").flatMap(Defaults.init)
    let nearest = (defaults?.fields ?? RuleFields()).inheriting(inherited)
    if let list = source.lastMember("components"), list.value.kind == .array {
      (ruleForm, ruleList) = (.components, list)
      rules = list.value.elements.enumerated().compactMap { index, element in
        Rule(component: element, index: index, defaults: nearest)
      }
    } else if let list = source.lastMember("paths"), list.value.kind == .array {
      (ruleForm, ruleList) = (.paths, list)
      rules = list.value.elements.enumerated().compactMap { index, element in
        Rule(path: element, index: index, defaults: nearest)
      }
    } else {
      (ruleForm, ruleList) = (.none, nil)
      rules = []
    }
  }
}
