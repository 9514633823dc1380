internal import AppSiteAssociation
package import Diagnostics
internal import JSON
package import Rules

/// A statement list, such as Android's `assetlinks.json`, in the form in which the validation rules
/// read it.
///
/// Source: the Asset Links Specification, "Statement" and "AssetDescriptor".
package struct StatementList: Sendable {
  package let statements: [Statement]
  /// The whole list as JSON.
  let source: Value
  /// The elements of the list that are not objects, so they are not statements.
  let strangers: [Value]

  init(_ root: Value) {
    source = root
    statements = root.elements.filter { $0.kind == .object }.map(Statement.init)
    strangers = root.elements.filter { $0.kind != .object }
  }
}

extension StatementList {
  var relations: [Located<String>] { statements.flatMap(\.relations) }

  /// Whether a statement of this list includes another list. This type does not read the other
  /// list.
  package var includesAnother: Bool { statements.contains { $0.include != nil } }
}

/// One statement of the list. A statement says that the site has a relation, such as a permission,
/// to a target.
package struct Statement: Sendable {
  let source: Value
  /// The strings in the list `relation`.
  package let relations: [Located<String>]
  package let target: StatementTarget?
  /// The URL of another statement list that this statement includes.
  package let include: Located<String>?
  /// The members of `relation_extensions`. The key of each member is the name of a relation, and
  /// the value contains the extensions of this relation.
  let extensions: [Member]

  init(_ value: Value) {
    source = value
    relations = value.member("relation")?.locatedStrings ?? []
    target = value.member("target").flatMap { $0.kind == .object ? StatementTarget($0) : nil }
    include = value.member("include").flatMap(located)
    extensions = value.member("relation_extensions").map { Array($0.members) } ?? []
  }
}

extension Statement {
  func has(_ relation: AppRelation) -> Bool {
    relations.contains { $0.value == relation.rawValue }
  }

  /// Whether the statement contains a known relation that requires the target's site to be an
  /// origin.
  var isAboutOrigin: Bool {
    relations.contains { AppRelation.namesOfOrigins.contains($0.value) }
  }

  /// Whether Android accepts this statement, if Android can read the list. Android drops a
  /// statement if it cannot read the statement's relation or target. In a statement with `include`,
  /// Android ignores the other members.
  var isWellFormed: Bool {
    guard include == nil, let target, let list = source.member("relation"), list.kind == .array,
      list.elements.allSatisfy({ $0.string.map(hasRelationForm) ?? false })
    else { return false }
    switch target.kind {
    case .app:
      let digests = target.source.member("sha256_cert_fingerprints")
      return target.packageName?.value.isEmpty == false && !target.fingerprints.isEmpty
        && digests?.elements.allSatisfy { $0.kind == .string } ?? false
    case .site: return target.site != nil
    case .appleApp, nil: return false
    }
  }
}

/// The target of a statement: an app, or a site.
package struct StatementTarget: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case app = "android_app"
    case site = "web"
    /// An app for Apple's systems. The specification defines this kind, but no Android device reads
    /// it.
    case appleApp = "ios_app"
  }

  let source: Value
  let namespace: Located<String>?
  package let packageName: Located<String>?
  package let fingerprints: [Located<String>]
  package let site: Located<String>?

  init(_ value: Value) {
    source = value
    namespace = value.member("namespace").flatMap(located)
    packageName = value.member("package_name").flatMap(located)
    fingerprints = value.member("sha256_cert_fingerprints")?.locatedStrings ?? []
    site = value.member("site").flatMap(located)
  }

  package var kind: Kind? { namespace.flatMap { Kind(rawValue: $0.value) } }
}

/// A right that a statement grants to an app. The raw value is the name of the relation.
package enum AppRelation: String, Sendable, CaseIterable {
  /// The right to open links (App Links).
  case openLinks = "delegate_permission/common.handle_all_urls"
  /// The right to use passwords and passkeys.
  case shareCredentials = "delegate_permission/common.get_login_creds"

  /// The names of all relations that Android and Google's services know: the relations in this
  /// type's cases, and the relations of web apps.
  static let knownNames = namesOfOrigins + ["delegate_permission/common.query_webapk"]

  /// The names of known relations that require the target's site to be an origin. The relation
  /// `query_webapk` is not in this list, because its site is the URL of a web app's manifest.
  fileprivate static let namesOfOrigins =
    allCases.map(\.rawValue) + ["delegate_permission/common.use_as_origin"]
}

private func located(_ value: Value) -> Located<String>? {
  value.string.map { Located($0, range: value.range) }
}

/// Returns the statements of an `assetlinks.json` as lines of text. There is one line for each
/// relation and fingerprint of an app, and one line for each relation and site. Nil if Android
/// cannot read the file, or if the file includes another file.
package func statementLines(of file: AssetLinksFile) -> Set<String>? {
  guard let statements = file.list?.statements,
    !statements.contains(where: { $0.include != nil })
  else { return nil }
  return Set(statements.flatMap(\.lines))
}

extension Statement {
  var lines: [String] {
    guard let target else { return [] }
    return relations.map(\.value).flatMap { relation in
      [statementLine(relation, site: target.site?.value)]
        + target.fingerprints.map {
          statementLine(relation, app: target.packageName?.value, fingerprint: $0.value)
        }
    }.compactMap(\.self)
  }
}

/// Returns one statement as a line of text; nil if the statement contains neither an app with a
/// fingerprint nor a site.
package func statementLine(
  _ relation: String, site: String? = nil, app: String? = nil, fingerprint: String? = nil
) -> String? {
  if let app, let fingerprint { return "\(relation) \(app) \(fingerprint.uppercased())" }
  guard var site else { return nil }
  // Google's documentation also writes a host with a trailing dot: `https://example.com.`
  while site.hasSuffix("/") || site.hasSuffix(".") { site.removeLast() }
  return "\(relation) \(site)"
}

/// The result of reading an `assetlinks.json`: its statements, or the reason why Android cannot
/// read the file.
///
/// A file that violates some rules can still be readable.
package struct AssetLinksFile: Sendable {
  package let source: SourceText
  /// The statements; nil if Android cannot read the file.
  package let list: StatementList?
  /// Why Android cannot read the file; nil if Android can read it.
  package let fault: Diagnostic?

  /// Reads a file without checking any validation rule.
  package init(_ source: SourceText) {
    self.source = source
    do throws(SyntaxError) {
      let root = try Document(parsing: source).root
      list = root.kind == .array ? StatementList(root) : nil
      fault = root.kind == .array ? nil : Self.notAnArray(root, source)
    } catch {
      list = nil
      var diagnostic = error.diagnostic(in: source)
      // For an empty file, the general help text suggests an association file. Replace this help
      // text.
      if [.empty, .onlyWhiteSpace].contains(error.kind) {
        diagnostic.help =
          "write a list of statements (aasa init --android writes one), or answer with 404"
      }
      fault = diagnostic
    }
  }

  private static func notAnArray(_ root: Value, _ source: SourceText) -> Diagnostic {
    Diagnostic(
      .assetLinksNotAnArray, "the top level of assetlinks.json is not a JSON array",
      at: source.location(of: root.range.lowerBound..<(root.range.lowerBound + 1)))
  }

  /// Checks all validation rules.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules to skip.
  ///   - limit: The maximum number of findings of each rule in the report.
  package func report(ignoring ignored: Set<String> = [], limit: Int = 50) -> ValidationReport {
    guard let list else {
      return ValidationReport(isReadable: false, diagnostics: [fault].compactMap(\.self))
    }
    return StatementRule.report(
      of: statementRules, on: list, in: source, ignoring: ignored, limit: limit)
  }
}
