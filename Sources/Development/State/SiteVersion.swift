internal import AppSiteAssociation
internal import Bytes
internal import Catalog
internal import Checking
internal import Diagnostics
internal import JSON
internal import Keeping
internal import Posix
internal import Rules
internal import TLS

/// One version of the association file: its bytes and its rules.
struct SiteVersion: Sendable {
  let bytes: [UInt8]
  let contentType: String
  /// The first twelve hexadecimal digits of the SHA-256 digest of the served bytes.
  let name: String
  /// When this version of the file was read, in milliseconds since 1970.
  let since: Int64
  let document: Document
  let links: AppleLinks
  /// Determines, as `aasa serve` does, whether `page.html` is served for a link.
  let page: PageMatch
  /// Example links, each with the app that the link opens. There may be apps without an example
  /// link.
  let examples: [(reference: String, app: String)]
}

/// The result of examining an association file.
struct Examination: Sendable {
  let source: SourceText
  let diagnostics: [Diagnostic]
  /// The version to serve; nil if the file has errors. A file with errors is not served.
  let version: SiteVersion?

  /// Examines a text as `aasa validate` does.
  ///
  /// - Parameters:
  ///   - file: The file from which the text was read; nil if the text was generated.
  ///   - now: Milliseconds since 1970.
  init(_ source: SourceText, of file: ForeignFile? = nil, now: Int64) {
    var options = ValidationOptions()
    options.limit = DevLimits.diagnostics
    options.signedContent = { signedContent(of: $0, trust: nil, now: now / 1_000) }
    let association = AssociationFile(source, options: options)
    let report = association.report(options)
    self.source = source
    var diagnostics = report.diagnostics
    var version: SiteVersion?
    if report.isReadable, !diagnostics.contains(where: { $0.severity == .error }) {
      version = SiteVersion(source, association, since: now)
      if version == nil {
        diagnostics.append(
          Diagnostic(
            .patternsTooLargeForExpectations, tooLargePatterns, at: .init(path: source.path)))
      }
    }
    self.diagnostics = file?.withoutQuotes(diagnostics) ?? diagnostics
    self.version = version
  }

  /// The result for a file that cannot be read.
  init(unreadable source: SourceText, _ error: SystemError) {
    self.source = source
    version = nil
    diagnostics = [
      Diagnostic(
        .hostedFileUnreadable, "the file cannot be read: \(error.reason)",
        at: .init(path: source.path),
        help: "save the file again; the previous version is served until then")
    ]
  }
}

extension SiteVersion {
  /// Nil if the file cannot be parsed, or if the patterns in the file are too large.
  fileprivate init?(_ source: SourceText, _ file: AssociationFile, since: Int64) {
    guard let document = file.document else { return nil }
    guard let links = try? AppleLinks(document) else { return nil }
    bytes = source.bytes
    contentType = file.form == .signed ? "application/pkcs7-mime" : "application/json"
    name = versionName(source.bytes)
    self.since = since
    self.document = document
    self.links = links
    page = PageMatch(links.association, path: source.path)
    examples = exampleLinks(links)
  }
}

func versionName(_ bytes: [UInt8]) -> String {
  Digest.sha256(bytes.span).prefix(6).hexText
}

/// Returns example links for each app, at most one link per rule. If no rule of an app provides an
/// example, returns one of the shortest links that open the app.
private func exampleLinks(_ links: AppleLinks) -> [(reference: String, app: String)] {
  var examples: [(reference: String, app: String)] = []
  for app in links.apps {
    guard let entry = links.entry(of: app), let applinks = links.association.applinks else {
      continue
    }
    var own: [String] = []
    for rule in applinks.entries[entry].rules where !rule.isExclusion {
      guard let reference = plainLink(rule), !own.contains(reference) else { continue }
      if links.decide(reference, for: [app]).first?.outcome == .opens { own.append(reference) }
      if own.count == DevLimits.linksPerApp { break }
    }
    examples += own.map { ($0, app) }
    if examples.count >= DevLimits.links { break }
  }
  let found = Set(examples.map(\.app))
  if links.apps.allSatisfy(found.contains) { return examples }
  return examples + shortestLinks(links.association).filter { !found.contains($0.app) }
}

/// Returns a rule's path, with the character `1` instead of each wildcard. Returns nil if the rule
/// has a query but no path, or if the path contains a variable or a character that needs encoding.
private func plainLink(_ rule: Rule) -> String? {
  let pattern = rule.effective.path?.value ?? (rule.effective.query == nil ? "*" : nil)
  guard let pattern, !pattern.contains("$(") else { return nil }
  let text = pattern == "*" ? "" : String(pattern.map { $0 == "*" || $0 == "?" ? "1" : $0 })
  let path = text.hasPrefix("/") ? text : "/" + text
  // The path becomes part of a URL, so it must not contain characters that need encoding.
  return path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") } ? path : nil
}

/// Returns, for each app, one of the shortest links that open the app. Finds these links by
/// comparing the file with an empty file.
private func shortestLinks(_ association: Association) -> [(reference: String, app: String)] {
  guard let nothing = try? Document(parsing: SourceText(path: "", bytes: Array("{}".utf8))) else {
    return []
  }
  return differences(old: Association(nothing.root), new: association).compactMap { difference in
    guard difference.kind == .appAdded, difference.service == "applinks",
      let change = difference.change, change.new == .opens
    else { return nil }
    return (change.example, difference.app)
  }
}
