internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
package import DigitalAssetLinks
internal import HTTP
package import JSON
internal import Posix
package import Rules

/// What the user requires of the files that a domain serves.
package struct Requirements: Sendable {
  /// The identifiers, with prefix, of apps that the file must list in at least one service.
  package var apps: [String] = []
  /// The identifiers of apps that the file must list in a particular service.
  private(set) var ofServices: [(service: String, app: String)] = []
  /// The apps whose entitlements the user gave. If the entitlements do not list a domain, this
  /// domain's file must list these apps in at least one service.
  var signedApps: [String] = []
  /// The hosts that the entitlements list for links; nil if no entitlements were given.
  package private(set) var namedHosts: NamedHosts?
  /// URLs that should open an app. A path without a host means this path on each domain.
  package var urls: [String] = []
  package var cases: [CaseFile] = []
  /// The association file that the domain should serve; nil if the user gave no such file.
  package var file: Document?
  /// The `assetlinks.json` that the domain should serve; nil if the user gave no such file.
  package var assetLinks: AssetLinksFile?

  /// - Parameter apps: App identifiers. A service may precede an identifier: `authsrv:ID`.
  package init(apps: [String] = [], urls: [String] = []) {
    for text in apps {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      if parts.count == 2, Association.serviceNames.contains(parts[0]) {
        ofServices.append((parts[0], parts[1]))
      } else {
        self.apps.append(text)
      }
    }
    self.urls = urls
  }

  /// If `text` is not valid as an app in the arguments, returns what to write instead; otherwise
  /// returns nil.
  package static func fault(ofApp text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if Association.serviceNames.contains(String(parts[0])), !parts[1].isEmpty { return nil }
    return "write an app identifier, alone or after one of the services "
      + "\(Association.serviceNames.joined(separator: ", ")): authsrv:ABCDE12345.com.example.app"
  }

  /// Adds an app whose entitlements the user gave.
  ///
  /// - Parameter subjects: The domains that the entitlements list. If the entitlements list no
  ///   domains, for example in a profile, the file of every checked domain must list the app.
  package mutating func add(_ app: String, isOf subjects: [CheckSubject]) {
    if apps.contains(app) || signedApps.contains(app) { return }
    if subjects.isEmpty { apps.append(app) } else { signedApps.append(app) }
  }

  /// Adds the hosts that an app's entitlements list for links.
  package mutating func add(_ hosts: NamedHosts) {
    var all = namedHosts ?? NamedHosts()
    all.add(hosts)
    namedHosts = all
  }

  /// Whether the user stated no requirements for the association file.
  var isEmpty: Bool {
    apps.isEmpty && ofServices.isEmpty && signedApps.isEmpty && urls.isEmpty && cases.isEmpty
      && file == nil
  }
}

extension Requirements {
  /// The apps that the domain's file must list in at least one service.
  fileprivate var appsOfAnyService: [String] { apps + signedApps.filter { !apps.contains($0) } }

  /// Returns the apps that links to a domain should open.
  fileprivate func apps(for subject: CheckSubject) -> [String] {
    let known =
      subject.services.isEmpty
      ? signedApps : subject.services.first { $0.name == "applinks" }?.apps ?? []
    let own = apps + ofServices.filter { $0.service == "applinks" }.map(\.app)
    return own + known.filter { !own.contains($0) }
  }
}

/// Findings about requirements that a domain's files do not meet. Contains no findings if the
/// domain has no file, because another finding reports the missing file.
struct RequirementFindings {
  private(set) var findings: [Finding] = []
  /// The requirements that are met, each in a few words.
  private(set) var remarks: [String] = []

  private let exchange: Exchange
  private let host: String
  /// The help text for the case that the file seems to be written by an identity server; otherwise
  /// nil.
  private var owner: String?

  init(_ evidence: DomainEvidence, _ requirements: Requirements, _ subject: CheckSubject) {
    self.init(of: evidence.chosen, evidence.target.host)
    if let link = evidence.link { check(link) }
    if let file = requirements.assetLinks { compare(evidence.assetLinks, with: file) }
    check(evidence, requirements, subject)
  }

  /// Checks the requirements against the copy in Apple's CDN. Nil if the CDN has no readable copy.
  init?(ofCopy evidence: DomainEvidence, _ requirements: Requirements, _ subject: CheckSubject) {
    guard let copy = evidence.cdn, isFile(copy), servedDocument(copy) != nil else { return nil }
    self.init(of: copy, evidence.target.host)
    check(evidence, requirements, subject)
  }

  private init(of exchange: Exchange, _ host: String) {
    self.exchange = exchange
    self.host = host
  }

  private mutating func check(
    _ evidence: DomainEvidence, _ requirements: Requirements, _ subject: CheckSubject
  ) {
    let urls =
      requirements.urls.filter { concerns($0, subject) } + (subject.link.map { [$0] } ?? [])
    if let hosts = requirements.namedHosts, !hosts.contains(host), !urls.isEmpty {
      reportUnnamed(isOpen: hosts.isOpen)
    }
    if requirements.isEmpty && subject.services.isEmpty && urls.isEmpty { return }
    guard isFile(exchange), let document = servedDocument(exchange) else { return }
    if let file = requirements.file { compare(document, with: file) }
    let association = Association(document.root)
    owner = ownerHelp(association)
    for service in subject.services {
      let more = service.apps.filter { !requirements.apps.contains($0) }
      check(service.name, requirements.apps + more, association)
    }
    for (service, app) in requirements.ofServices {
      let isChecked = subject.services.contains { $0.name == service && $0.apps.contains(app) }
      if !isChecked { check(service, [app], association) }
    }
    let apps = requirements.apps(for: subject)
    if subject.services.isEmpty {
      for app in requirements.appsOfAnyService { checkAnyService(app, association) }
    }
    do throws(PatternsTooLarge) {
      for url in urls { try check(url, apps, document) }
      if let link = subject.link, let copy = evidence.cdn, !subject.isDirect {
        findings += try copyLinkFinding(link, of: copy, evidence, apps, document).map { [$0] } ?? []
      }
      for cases in requirements.cases { try check(cases, document) }
    } catch {
      findings.append(
        Finding(.expectationNotMet, tooLargePatterns, help: "write fewer, shorter patterns"))
    }
  }

  /// Reports that the app's entitlements do not list the host, although links to the host should
  /// open the app.
  private mutating func reportUnnamed(isOpen: Bool) {
    findings.append(
      Finding(
        .hostNotNamed, "the app does not list \(host), so no link to it opens the app",
        severity: isOpen ? .warning : nil,
        help: isOpen
          ? "set the values of the build's variables, as in --set NAME=VALUE, or add "
            + "applinks:\(host) to the app"
          : "add applinks:\(host) to the app's associated domains, which needs a new build, or "
            + "share links to a host that the app lists; for customers' hosts, use subdomains of a "
            + "host that the app lists as applinks:*.HOST"))
  }

  // MARK: The expected file

  private mutating func compare(_ served: Document, with file: Document) {
    let report = DifferenceReport(file, served, host: nil)
    if report.isSame {
      remarks.append("the file is equivalent to \(file.source.path)")
      return
    }
    findings.append(
      Finding(
        .otherThanExpectedFile, "the file differs in meaning from \(file.source.path)",
        exchange,
        help: "deploy the expected file; if you have already deployed the file, something in "
          + "front of your application sends an older file"
          + (answerer(exchange).map { ": \($0)" } ?? ""),
        evidence: report.text.split(separator: "\n").prefix(12).map(String.init)))
  }

  private mutating func compare(_ exchange: Exchange?, with file: AssetLinksFile) {
    func report(_ message: String, _ evidence: [String] = []) {
      findings.append(Finding(.otherThanExpectedStatements, message, exchange, evidence: evidence))
    }
    guard let exchange else { return report("assetlinks.json was not requested") }
    let served = exchange.response.flatMap { $0.head.status == 200 ? $0.body : nil }
    guard let served else {
      let found = exchange.fault.map(\.description) ?? responseSummary(exchange)
      return report("assetlinks.json is not served (\(found)), but \(file.source.path) is expected")
    }
    let found = AssetLinksFile(SourceText(path: exchange.request.url, bytes: served))
    guard let differences = DifferenceReport(file, found, host: host) else {
      return report("assetlinks.json is not a list of statements, unlike \(file.source.path)")
    }
    if differences.isSame {
      remarks.append("assetlinks.json is equivalent to \(file.source.path)")
    } else {
      report(
        "assetlinks.json differs in meaning from \(file.source.path)",
        Array(differences.lines.prefix(12)))
    }
  }

  /// Reports what people without the app get at a link, and whether the link redirects to another
  /// host. Only the host of the link itself can make the link open an app.
  private mutating func check(_ link: Exchange) {
    findings.append(findingWithoutApp(link))
    guard let head = link.head, head.isRedirect, let place = head.value(of: "location"),
      let other = hostOfURL(place), other != host
    else { return }
    findings.append(
      Finding(
        .linkRedirects,
        "the link redirects to \(other), but only the file of \(host) can make "
          + "the link open an app",
        link))
  }

  // MARK: Expected apps

  /// Checks that at least one service lists the app. The user did not say which service.
  private mutating func checkAnyService(_ app: String, _ association: Association) {
    let services = Association.serviceNames.filter { !association.apps(of: $0).isEmpty }
    let naming = services.filter { association.apps(of: $0).contains(app) }
    if naming.isEmpty {
      reportMissing(
        app, services.isEmpty ? "any service" : services.joined(separator: ", "),
        services.flatMap(association.apps))
    } else {
      remarks.append("\(naming.joined(separator: " and ")) names \(app)")
    }
  }

  private mutating func check(_ service: String, _ apps: [String], _ association: Association) {
    let named = association.apps(of: service)
    if apps.isEmpty && named.isEmpty {
      findings.append(
        Finding(
          .serviceWithoutApp,
          "the app lists the domain for \(service), but the file has no app under \(service)",
          help: owner ?? "add the app under \(service)"))
    }
    for app in apps where !named.contains(app) { reportMissing(app, service, named) }
    for app in apps where named.contains(app) { remarks.append("\(service) names \(app)") }
  }

  /// - Parameter named: The apps that the file lists in the service.
  private mutating func reportMissing(_ app: String, _ service: String, _ named: [String]) {
    let more = exchange.service?.helpForOtherFile.map { "; " + $0 } ?? ""
    findings.append(
      Finding(
        .appNotNamed, "the file does not list \(app) under \(service)",
        help: advice(app, service, named) + more))
  }

  /// If an identity server seems to have written the file, returns the help text for this case;
  /// otherwise nil. Such a server lists only its own app.
  private func ownerHelp(_ association: Association) -> String? {
    guard association.source.members.map(\.key) == ["authsrv"] else { return nil }
    return
      "the file has only authsrv, so an identity server probably wrote it: answer the path before "
      + "the identity server can, with one file that lists the identity server's apps and "
      + "your apps"
  }

  /// Returns advice about an app that the file does not list. The advice depends on the apps that
  /// the file lists.
  private func advice(_ app: String, _ service: String, _ named: [String]) -> String {
    func bundle(_ app: String) -> Substring { app.drop { $0 != "." } }
    let own = bundle(app)
    if !own.isEmpty, let same = named.first(where: { bundle($0) == own }) {
      return "the file has the same bundle identifier with another prefix: \(same)"
    }
    if let near = nearest(to: app, among: named) { return "did you mean \(near)?" }
    if let owner { return owner }
    if named.isEmpty { return "the file lists no app under \(service)" }
    return "the file lists \(named.prefix(5).joined(separator: ", "))"
  }

  // MARK: URLs that apps should open

  /// Whether a URL has this host, or is only a path that applies to this host.
  private func concerns(_ url: String, _ subject: CheckSubject? = nil) -> Bool {
    guard let other = hostOfURL(url) else { return subject?.takesPaths ?? true }
    return other == host
  }

  private mutating func check(
    _ url: String, _ apps: [String], _ document: Document
  ) throws(PatternsTooLarge) {
    for app in apps.isEmpty ? [nil] : apps.map(Optional.some) {
      let links = try AppleLinks(document, domain: Domain(host))
      let answer = try LinkReport(links, app: app).answer(onHost(url, host), explaining: true)
      if answer.opens {
        remarks.append("\(url) opens " + (app ?? "an app"))
        continue
      }
      // Skip the app if a finding already says that the file does not list the app.
      if let app, findings.contains(where: { $0.isOf(.appNotNamed) && $0.message.contains(app) }) {
        continue
      }
      let tried = answer.text.split(separator: "\n").prefix(12)
      findings.append(
        Finding(
          .linkDoesNotOpen, "the file does not permit \(url) to open " + (app ?? "any app"),
          help: owner, evidence: tried.map { String($0.drop { $0 == " " }) }))
    }
  }

  // MARK: Files of expectations

  private mutating func check(
    _ cases: CaseFile, _ document: Document
  ) throws(PatternsTooLarge) {
    let links = try AppleLinks(document, domain: Domain(host))
    var (count, failed) = (0, 0)
    var budget = CaseLimits.tested
    for expectation in cases.expectations(on: .apple) where concerns(expectation.url) {
      count += 1
      let failure: (message: String, reasons: [String])
      do throws(UncheckedExpectation) {
        guard let found = try links.failure(of: expectation, &budget) else { continue }
        failure = (found.message, found.reasons)
      } catch {
        if case .patternsTooLarge = error { throw PatternsTooLarge() }
        failure = ("\(expectation.url): \(error.message)", [])
      }
      failed += 1
      if failed > CheckLimits.requirementFindings { continue }
      let place = cases.source.place(of: expectation.urlRange)
      findings.append(
        Finding(
          .expectationNotMet, failure.message,
          evidence: ["\(cases.source.path):\(place.line)"] + failure.reasons))
    }
    if failed > CheckLimits.requirementFindings {
      findings.append(
        Finding(
          .expectationNotMet,
          "more expectations of \(cases.source.path) that are not met: "
            + "\(failed - CheckLimits.requirementFindings)"
        ))
    }
    if count > 0 && failed == 0 {
      remarks.append(
        "\(cases.source.path): \(count.counting("expectation is", "expectations are")) met")
    }
  }
}

/// The name of the served file in reports. The file's whole URL would make the lines of a report
/// too long.
let servedName = "apple-app-site-association"

/// Returns the file in an answer, or the content of a signed file; nil if this content is not JSON.
func servedDocument(_ exchange: Exchange) -> Document? {
  exchange.body.flatMap { associationDocument($0) }
}

/// Returns an association file, or the content of a signed association file; nil if this content is
/// not JSON.
func associationDocument(_ body: [UInt8], named name: String = servedName) -> Document? {
  var options = ValidationOptions()
  options.signedContent = { signedContent(of: $0, trust: nil, now: 0) }
  return AssociationFile(SourceText(path: name, bytes: body), options: options).document
}

/// Returns the host of a URL in the form that DNS uses: in lower case, with `xn--` labels and
/// without a dot at its end. Nil if the URL is only a path.
package func hostOfURL(_ url: String) -> String? {
  let bytes = Array(url.utf8)
  guard let parts = try? URLParts(bytes.span), let range = parts.host else { return nil }
  let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
  let host = InternationalName.ascii(text) ?? text
  return host.hasSuffix(".") ? String(host.dropLast()) : host
}

/// Returns a URL with its host replaced by `host`. A path without a host is returned unchanged.
func onHost(_ url: String, _ host: String) -> String {
  let bytes = Array(url.utf8)
  guard let parts = try? URLParts(bytes.span), let range = parts.host else { return url }
  return String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + host
    + String(decoding: bytes[range.upperBound...], as: UTF8.self)
}
