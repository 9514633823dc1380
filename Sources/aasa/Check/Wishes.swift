internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix
internal import TLS

/// What the user wants of the files that are served.
struct Wishes: Sendable {
  /// App identifiers with their prefixes.
  var apps: [String] = []
  /// URLs that an app is to open, or paths on each domain.
  var urls: [String] = []
  var cases: [CaseFile] = []

  var isEmpty: Bool { apps.isEmpty && urls.isEmpty && cases.isEmpty }
}

/// What of the wishes does not come true. Nothing is said where there is no file: other findings do.
struct WishFindings {
  private(set) var findings: [Finding] = []
  /// What comes true, a few words each.
  private(set) var remarks: [String] = []

  private let exchange: Exchange
  private let host: String

  init(_ evidence: DomainEvidence, _ wishes: Wishes, services: [String]) {
    exchange = evidence.chosen
    host = evidence.target.host
    if wishes.isEmpty && services.isEmpty { return }
    guard isFile(exchange), let document = servedDocument(exchange) else { return }
    let association = Association(document.root)
    for service in services.isEmpty && !wishes.apps.isEmpty ? ["applinks"] : services {
      check(service, wishes.apps, association)
    }
    do throws(PatternsTooLarge) {
      for url in wishes.urls where concerns(url) { try check(url, wishes.apps, document) }
      for cases in wishes.cases { try check(cases, document) }
    } catch {
      findings.append(
        Finding(.error, "F072", tooLargePatterns, help: "write fewer, shorter patterns"))
    }
  }

  // MARK: Apps

  private mutating func check(_ service: String, _ apps: [String], _ association: Association) {
    let named = identifiers(service, association)
    if apps.isEmpty && named.isEmpty {
      findings.append(
        Finding(
          .error, "F073",
          "the file has no app under \(service), for which the app names the domain",
          help: "add the app under \(service)"))
    }
    for app in apps where !named.contains(app) {
      let bundle = app.drop { $0 != "." }
      let same = bundle.isEmpty ? nil : named.first { $0.drop { $0 != "." } == bundle }
      let near = same ?? nearest(to: app, among: named)
      let help =
        same.map { "it has the same bundle identifier with another prefix: \($0)" }
        ?? near.map { "did you mean \($0)?" }
        ?? (named.isEmpty
          ? "it names none there" : "it names \(named.prefix(5).joined(separator: ", "))")
      findings.append(
        Finding(.error, "F070", "the file does not name \(app) under \(service)", help: help))
    }
    for app in apps where named.contains(app) { remarks.append("\(service) names \(app)") }
  }

  private func identifiers(_ service: String, _ association: Association) -> [String] {
    switch service {
    case "applinks":
      (association.applinks?.entries ?? []).flatMap { $0.appIdentifiers.map(\.value) }
    case "webcredentials": association.webcredentials?.apps.map(\.value) ?? []
    case "appclips": association.appclips?.apps.map(\.value) ?? []
    default: association.activitycontinuation?.apps.map(\.value) ?? []
    }
  }

  // MARK: URLs

  /// Whether a URL is one of this host's, or a path.
  private func concerns(_ url: String) -> Bool {
    guard let other = hostOfURL(url) else { return true }
    return other == host
  }

  private mutating func check(
    _ url: String, _ apps: [String], _ document: Document
  ) throws(PatternsTooLarge) {
    for app in apps.isEmpty ? [nil] : apps.map(Optional.some) {
      let matching = try URLMatching(document, domain: Domain(host), app: app)
      let results = try matching.results([url], explaining: true)
      if results.exitCode == 0 {
        remarks.append("\(url) opens " + (app ?? "an app"))
        continue
      }
      var finding = Finding(
        .error, "F071", "the file does not permit \(url) to open " + (app ?? "any app"),
        help: "look at the rules that were tried; aasa match tells the same of a file on disk")
      finding.evidence = results.text.split(separator: "\n").dropFirst().prefix(12).map {
        String($0.drop { $0 == " " })
      }
      findings.append(finding)
    }
  }

  // MARK: Cases

  private mutating func check(
    _ cases: CaseFile, _ document: Document
  ) throws(PatternsTooLarge) {
    var runner = try CaseRunner(document)
    var (count, failed) = (0, 0)
    for expectation in cases.expectations where concerns(expectation.url) {
      count += 1
      guard let failure = try runner.failure(of: expectation, domain: Domain(host)) else {
        continue
      }
      failed += 1
      if failed > CheckLimits.wishFindings { continue }
      let place = cases.source.place(of: expectation.urlRange)
      var finding = Finding(
        .error, "F072", failure.message,
        help: "correct the file, or this line if it is no longer what you expect")
      finding.evidence = ["\(cases.source.path):\(place.line)"] + failure.reasons
      findings.append(finding)
    }
    if failed > CheckLimits.wishFindings {
      findings.append(
        Finding(
          .error, "F072",
          "\(failed - CheckLimits.wishFindings) more expectations of \(cases.source.path) are not met"
        ))
    }
    if count > 0 && failed == 0 {
      remarks.append("\(cases.source.path): \(count) expectations are met")
    }
  }
}

private let servedName = "apple-app-site-association"

/// The file that was served, or what was signed in it; nil when it is no JSON.
func servedDocument(_ exchange: Exchange) -> Document? {
  guard let body = exchange.body else { return nil }
  // A name that is short beside the lines that are told of it.
  let source = SourceText(path: servedName, bytes: body)
  guard case .usable(let form) = fileForm(of: source) else { return nil }
  if form == .json { return try? Document(parsing: source) }
  guard let content = try? CMS.content(of: body) else { return nil }
  return try? Document(parsing: SourceText(path: servedName, bytes: content))
}

/// The host in lower case; nil for a path on the domain.
func hostOfURL(_ url: String) -> String? {
  let bytes = Array(url.utf8)
  guard let parts = try? URLParts(bytes.span), let host = parts.host else { return nil }
  return String(decoding: bytes[host], as: UTF8.self).lowercased()
}
