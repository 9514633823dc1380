internal import AppSiteAssociation
internal import Bytes
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Rules

/// The list of expectations: URLs, each with the effect that the URL should have. The list is
/// stored in a file in the format of `aasa test`.
struct CaseList: Sendable {
  /// The path of the file of expectations; nil if the list is not stored in a file.
  let path: String?
  private let file: CaseFile

  init(path: String?, bytes: [UInt8] = []) {
    self.path = path
    file = CaseFile(SourceText(path: path ?? "", bytes: bytes))
    diagnostics = file.diagnostics
  }

  /// Reads the list from the file of expectations. If this file is missing, the list is empty.
  init(reading path: String) throws(SystemError) {
    do throws(SystemError) {
      let folder = parentFolder(path)
      let found = try ForeignFile(reading: path, limit: CaseLimits.fileBytes, in: folder)
      self.init(path: path, bytes: found.content.bytes)
      diagnostics = found.withoutQuotes(file.diagnostics)
    } catch {
      guard error.isNotFound else { throw error }
      self.init(path: path)
    }
  }

  private var expectations: [Expectation] { file.expectations(on: .apple) }

  /// The errors in the lines of the file of expectations.
  private(set) var diagnostics: [Diagnostic]

  /// Returns the URLs of the expectations, with `host` as the host of each URL.
  func links(on host: String, _ version: SiteVersion?) -> [(url: String, opens: String?)] {
    expectations.prefix(DevLimits.links).map { expectation in
      let bytes = Array(expectation.url.utf8)
      let start = (try? URLParts(bytes.span))?.path.lowerBound ?? 0
      var reference = String(decoding: bytes[start...], as: UTF8.self)
      if !reference.hasPrefix("/") { reference = "/" + reference }
      return ("https://" + host + reference, version?.opens(expectation.url))
    }
  }

  /// Returns the list of expectations as JSON for the inspector's page.
  func json(_ version: SiteVersion?, _ android: AndroidRules?) -> JSONTree {
    var budget = CaseLimits.hosted
    let rows = expectations.prefix(DevLimits.cases).map { expectation -> JSONTree in
      var passes = false
      if let links = version?.links,
        let failure = try? Optional.some(links.failure(of: expectation, &budget))
      {
        passes = failure == nil
      }
      return [
        "url": expectation.url.json,
        "opens": (expectation.outcome == .opens ? expectation.app : nil)?.json ?? .null,
        "now": version?.opens(expectation.url)?.json ?? .null,
        "android": android.opensJSON(expectation.url),
        "passes": passes.json,
      ]
    }
    return ["path": path?.json ?? .null, "cases": .array(rows)]
  }

  // MARK: Changes to the list

  /// Why a change to the list is impossible, as a sentence.
  enum Fault: Error, Equatable {
    /// The list cannot be changed in this way, for example because the URL is already listed.
    case conflict(String)
    /// The requested change is not a valid expectation.
    case unusable(String)
  }

  /// Returns the file's content plus one expectation.
  ///
  /// If the host of the URL is the public host, adds only the path of the URL, because the next
  /// tunnel has a different public host.
  ///
  /// - Parameters:
  ///   - app: The app that the URL should open; nil if it should open no app.
  ///   - publicHost: The public host; nil if it is unknown.
  func adding(
    _ wanted: String, opens app: String?, _ version: SiteVersion?, publicHost: String?
  ) throws(Fault) -> [UInt8] {
    let url = reference(wanted, on: publicHost)
    guard url.utf8.count <= DevLimits.urlBytes else {
      throw .unusable("the URL has more than \(DevLimits.urlBytes) bytes")
    }
    if let app, app.isEmpty || app.utf8.count > DevLimits.appBytes || !isOneWord(app) {
      throw .unusable(
        "the app identifier is invalid; it should look like ABCDE12345.com.example.app")
    }
    let bytes = Array(url.utf8)
    _ = try mapping(URLParts(bytes.span)) { (error: URLFault) in Fault.unusable(error.message) }
    guard isOneWord(url) else { throw .unusable("the URL contains white space") }
    if expectations.contains(where: { $0.url == url }) {
      throw .conflict("the URL is in the list already")
    }
    guard expectations.count < DevLimits.cases else {
      throw .conflict("the list has \(DevLimits.cases) URLs already; remove some URLs")
    }
    var outcome = LinkOutcome.opens.rawValue
    if app == nil {
      outcome = (version?.blocks(url) ?? false ? LinkOutcome.blocked : .browser).rawValue
    }
    var content = file.source.bytes
    if let last = content.last, last != 0x0A { content.append(0x0A) }
    let fields = [url, outcome] + (app.map { [$0] } ?? [])
    let line =
      file.isCSV ? fields.map(csvField).joined(separator: ",") : fields.joined(separator: "  ")
    return content + Array((line + "\n").utf8)
  }

  /// Returns the file's content without the expectations for a URL.
  func removing(_ url: String) throws(Fault) -> [UInt8] {
    let ranges = expectations.filter { $0.url == url }.map { line(around: $0.urlRange) }
    guard !ranges.isEmpty else { throw .conflict("the URL is not in the list") }
    var content = file.source.bytes
    for range in ranges.reversed() { content.removeSubrange(range) }
    return content
  }

  /// Returns the range of the whole line around `range`, with the line terminator.
  private func line(around range: Range<Int>) -> Range<Int> {
    let bytes = file.source.bytes
    let start = bytes[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    return start..<end
  }
}

/// If the host of the URL is `host`, returns the URL without scheme and host; otherwise returns the
/// whole URL.
private func reference(_ url: String, on host: String?) -> String {
  let bytes = Array(url.utf8)
  guard let host, let parts = try? URLParts(bytes.span), let found = parts.host,
    String(decoding: bytes[found], as: UTF8.self).lowercased() == host
  else { return url }
  let rest = String(decoding: bytes[parts.path.lowerBound...], as: UTF8.self)
  return rest.hasPrefix("/") ? rest : "/" + rest
}

/// Whether the text contains neither white space nor control characters.
private func isOneWord(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !$0.isControl }
}

/// Quotes a field as RFC 4180 section 2 requires.
private func csvField(_ text: String) -> String {
  guard text.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
  return "\"" + text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
}

extension SiteVersion {
  /// Returns the first app that a URL opens, ignoring the URL's host; nil if the URL opens no app.
  func opens(_ url: String) -> String? {
    decisions(url).first { $0.decision.outcome == .opens }?.app
  }

  /// Whether a rule blocks the URL for at least one app.
  func blocks(_ url: String) -> Bool { decisions(url).contains { $0.decision.outcome == .blocked } }

  private func decisions(_ url: String) -> [(app: String, decision: LinkDecision)] {
    Array(zip(links.apps, links.decide(url, for: links.apps)))
  }
}
