package import Diagnostics
package import JSON

/// An association file with all that several rules ask for, found once.
package struct FileUnderCheck: Sendable {
  package let source: SourceText
  package let association: Association
  package let options: ValidationOptions
  /// Every pattern, in the order of services, entries and rules.
  package let patterns: [PatternUse]
  /// Every app identifier that counts.
  package let identifiers: [IdentifierUse]
  /// Every object with the keys that Apple defines for it.
  let keyed: [KeyedObject]
  /// Texts for people: comments, and what stands under keys that begin like remarks.
  let remarks: [Located<String>]
  /// What rules decide beside each other.
  let reach: ReachOfEntries

  package init(_ document: Document, options: ValidationOptions) {
    source = document.source
    association = Association(document.root)
    self.options = options
    patterns = PatternUse.all(in: association, of: source)
    identifiers = IdentifierUse.all(in: association)
    keyed = KeyedObject.all(in: association)
    remarks = Self.remarks(in: document.root)
    reach = ReachOfEntries(association)
  }

  private static func remarks(in value: Value) -> [Located<String>] {
    var result = value.elements.flatMap(remarks)
    for member in value.members {
      if member.value.kind != .string {
        result += remarks(in: member.value)
      } else if member.keyEquals("comment") || KeyedObject.isRemark(member.key),
        let text = member.locatedString
      {
        result.append(text)
      }
    }
    return result
  }

  package var entries: [DetailsEntry] { association.applinks?.entries ?? [] }

  /// The services that are only a list of apps and are written as objects, with their names.
  var appLists: [(name: String, list: AppList)] {
    [
      ("webcredentials", association.webcredentials), ("appclips", association.appclips),
      ("activitycontinuation", association.activitycontinuation),
    ].compactMap { name, list in list.map { (name, $0) } }
  }

  /// Whether a key of `object` is nearly `key`, which is told of by another rule.
  func hasMisspeltKey(_ key: String, in object: Value) -> Bool {
    keyed.contains { keyed in
      keyed.source.range == object.range
        && keyed.strangeKeys.contains { $0.fault == .misspelt(key) }
    }
  }

  /// The line on which a byte stands, counted from 1, for a message that names another place.
  func line(of range: Range<Int>) -> Int { source.place(of: range).line }
}
