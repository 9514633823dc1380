package import AppSiteAssociation
package import Catalog
package import Diagnostics
internal import JSON
internal import Settings
internal import TLS

/// Decides for which links the server sends a host's page. These are the links that the host's
/// association file opens in an app.
///
/// The time of a decision depends on the length of the link. To limit this time, links that are
/// longer than `longestLink` never get the page.
package struct PageMatch: Sendable {
  /// The content of the association file; nil if the match was made without a content.
  let content: Content?
  /// Returns whether a link opens an app. The function is nil if the page is not served at all.
  package let opensApp: (@Sendable ([UInt8]) -> Bool)?
  /// Why the page is not served; nil if the page is served.
  package let fault: Diagnostic?

  /// The maximum length in bytes of a link that can open the app.
  let longestLink: Int

  /// The maximum time for one decision, in nanoseconds.
  static let allowance = 200_000
  /// The minimum time to compare a link with one rule, in nanoseconds. Even a rule that fails at
  /// the first character takes this time.
  static let nanosecondsPerRule = 70
  /// The minimum useful value of `longestLink`. If `longestLink` is smaller, the page is not
  /// served.
  static let fewestBytes = 128

  /// - Parameter document: The parsed form of the file from which the content was made; nil if the
  ///   content must be parsed here.
  init(_ content: Content, _ document: Document? = nil, path: String) {
    self.init(
      document.map { Association($0.root) } ?? Self.association(content), path: path, of: content)
  }

  /// - Parameter path: The path of the association file, for messages.
  package init(_ association: Association?, path: String, of content: Content? = nil) {
    self.content = content
    guard let association, let matcher = try? Matcher(association) else {
      longestLink = 0
      (opensApp, fault) = (
        nil, Self.fault(path, "the file's patterns are too large to be compiled")
      )
      return
    }
    let rules = association.entries.reduce(0) { $0 + $1.rules.count }
    let longest =
      (Self.allowance - rules * Self.nanosecondsPerRule) / association.nanosecondsPerCharacter
    longestLink = longest
    guard longest >= Self.fewestBytes else {
      let message = "the file's rules are too many or too long to compare with each link"
      (opensApp, fault) = (nil, Self.fault(path, message))
      return
    }
    // All apps of one entry in the association file have the same rules. Therefore, for each entry,
    // check only one app.
    var apps: [Int] = []
    var entries: Set<Int> = []
    for app in matcher.appIdentifiers.indices
    where entries.insert(matcher.entryIndex(ofApp: app)).inserted {
      apps.append(app)
    }
    fault = nil
    opensApp = { [apps] link in
      if link.count > longest { return false }
      guard let texts = try? matcher.texts(of: link.span, domain: nil) else { return false }
      return apps.contains { app in
        if case .match = matcher.decide(texts, appAt: app) { true } else { false }
      }
    }
  }

  private static func association(_ content: Content) -> Association? {
    var options = ValidationOptions()
    options.signedContent = { source in
      SignedContent(bytes: try? CMS.content(of: source.bytes), diagnostics: [])
    }
    let text = SourceText(path: "", bytes: content.identity.body)
    return AssociationFile(text, options: options).document.map { Association($0.root) }
  }

  private static func fault(_ path: String, _ message: String) -> Diagnostic {
    Diagnostic(
      .pageNotMatched, message, at: .init(path: path),
      note: "requests for links of this host get 404, as if there were no page")
  }
}

/// Returns why a page for people without the app cannot be served; nil if the page can be served.
package func faultOfPage(_ bytes: [UInt8], isTruncated: Bool, _ path: String) -> Diagnostic? {
  func fault(_ message: String) -> Diagnostic {
    Diagnostic(.pageUnusable, message, at: .init(path: path))
  }
  if isTruncated { return fault("the page is over \(WellKnownFile.pageBytes) bytes") }
  if bytes.isEmpty { return fault("the page is empty") }
  if String(validating: bytes, as: UTF8.self) == nil { return fault("the page is not UTF-8") }
  return nil
}
