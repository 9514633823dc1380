package import Diagnostics
package import JSON
package import Rules

/// A conversion of an association file to another form.
package struct Conversion: Sendable {
  package enum Form: String, Sendable, CaseIterable {
    /// `components`, for iOS 13 and later.
    case components
    /// One entry with `paths` for each app, for systems before iOS 13.
    case paths
    /// Both forms in each entry, for old and new systems.
    case both
  }

  /// The new form; nil keeps the current form.
  package var form: Form?
  package var stripsComments = false

  package init(form: Form? = nil, stripsComments: Bool = false) {
    self.form = form
    self.stripsComments = stripsComments
  }

  /// Returns the file in its new form. Throws unless the new file provably makes the same decisions
  /// for users as the old file.
  package func convert(_ document: Document) throws(ConversionFault) -> JSONTree {
    let association = Association(document.root)
    guard document.root.kind == .object else { throw .noObject }
    var tree = JSONTree(document.root)
    if let applinks = association.applinks, let form {
      let links =
        switch form {
        case .components: ComponentsForm(applinks).tree
        case .paths: try PathsForm(applinks).tree()
        case .both: try BothForms(applinks).tree()
        }
      tree = replacingLinks(of: document.root, links)
    }
    if stripsComments { tree = tree.withoutComments }
    try prove(tree, association)
    return tree
  }

  /// Returns the file's top-level object with a new value for `applinks`. If the object has several
  /// members `applinks`, removes all of them except the last.
  private func replacingLinks(of root: Value, _ links: JSONTree) -> JSONTree {
    let last = root.lastMember("applinks")?.keyRange
    return .object(
      root.members.compactMap { member in
        if !member.keyEquals("applinks") { return .init(member) }
        return member.keyRange == last ? .init(member, links) : nil
      })
  }

  private func prove(_ tree: JSONTree, _ old: Association) throws(ConversionFault) {
    guard let new = tree.association else { throw .unproven(app: "") }
    let differences = differences(old: old, new: new)
    if let unknown = differences.first(where: { $0.kind == .notCompared }) {
      throw .unproven(app: unknown.app)
    }
    if let first = differences.first { throw .differs(first) }
  }
}

/// Why a file cannot be converted.
package enum ConversionFault: Error, Sendable, Equatable {
  case noObject
  /// `paths` cannot express this rule.
  case notExpressible(RuleReference, reason: String)
  /// The converted file would decide a link differently from the old file, for example with this
  /// difference.
  case differs(Difference)
  /// It would take too much work to prove that the converted file decides the app's links as the
  /// old file does.
  case unproven(app: String)

  /// The message: one sentence that starts in lower case and has no full stop. The position of the
  /// rule is not part of the message.
  package var message: String {
    switch self {
    case .noObject: return "the file's top level is not a JSON object"
    case .notExpressible(_, let reason): return reason
    case .unproven(let app):
      return "it would take too much work to prove that the result means the same for \(app)"
    case .differs(let difference):
      let app = difference.app
      guard let change = difference.change, difference.isDecision
      else { return "the result would not mean the same for \(app)" }
      return "the result would not mean the same: \(change.example) "
        + "\(change.old.words(for: app)) now, but \(change.new.words(for: app)) after the "
        + "conversion"
    }
  }
}

extension JSONTree {
  /// Writes the tree as JSON and reads the JSON as an association file. Nil if the JSON is invalid.
  var association: Association? {
    let document = try? Document(parsing: SourceText(path: "", bytes: minified))
    return document.map { Association($0.root) }
  }

  /// The tree without comments. Query items and variables are never removed, even if they have a
  /// name that is also a key of comments, such as `comment`.
  package var withoutComments: JSONTree {
    switch self {
    case .token: return self
    case .array(let elements): return .array(elements.map(\.withoutComments))
    case .object(let members):
      return .object(
        members.compactMap { member in
          if Self.remarkKeys.contains(member.key) { return nil }
          if Self.otherNames.contains(member.key) { return member }
          var member = member
          member.value = member.value.withoutComments
          return member
        })
    }
  }

  private static let remarkKeys = Set(
    [#""comment""#, #""comments""#, #""_comment""#, #""$comment""#, #""//""#]
      .map { Array($0.utf8) })
  private static let otherNames = Set(
    [#""?""#, #""substitutionVariables""#].map { Array($0.utf8) })
}

extension AppLinks {
  /// Returns the members of `applinks`, except `apps` and the members with the given keys. If a key
  /// is repeated, returns only the last member with this key.
  ///
  /// - Parameter details: The new entries. If devices read the value of the member `details`, the
  ///   new entries replace this value.
  func members(leavingOut keys: [String] = [], details: [JSONTree]) -> [JSONTree.Member] {
    source.members.filter { member in
      let key = member.key
      return key != "apps" && !keys.contains(key)
        && source.lastMember(key)?.keyRange == member.keyRange
    }.map { member in
      let isNew = member.keyEquals("details") && detailsForm != .none
      return isNew ? .init(member, .array(details)) : .init(member)
    }
  }
}

/// Returns a JSON text without white space between its values, and optionally without comments.
///
/// Changes no other byte: escapes, numbers and repeated keys stay as they are. So every JSON reader
/// reads the same values as before.
package func minified(_ document: Document, strippingComments: Bool) -> [UInt8] {
  let tree = JSONTree(document.root)
  return (strippingComments ? tree.withoutComments : tree).minified
}
