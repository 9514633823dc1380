internal import AppSiteAssociation
package import ArgumentParser
internal import Client
internal import Diagnostics
internal import Posix

/// `aasa check`
package struct CheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look from outside whether a domain serves its association file as Apple asks.",
    discussion: """
      Resolves the name, connects to every address, verifies the certificate, asks for both paths \
      without following redirects, and validates what comes; asks Apple's CDN what it has; looks \
      around: port 80, www and the bare domain, the wildcard's root, assetlinks.json. The first \
      line is the verdict; then come the causes, in the order to mend them, each with what shows it.

      EXAMPLES:
        aasa check example.com
        aasa check example.com --expect ABCDE12345.com.example.app --url /buy/42
        aasa check --entitlements App.entitlements --expect ABCDE12345.com.example.app
        aasa check --from domains.txt --format junit > report.xml
        aasa check example.com --origin 192.0.2.1:443   # before DNS moves
        aasa check example.com --resolve example.com:443:192.0.2.1
        aasa check localhost:8443 --ca root.pem

      EXIT CODES:
        0 all is right, warnings apart, 1 something is wrong, 2 wrong usage,
        3 all is right, and Apple's CDN has another version of the file
      """)

  @Argument(
    help: ArgumentHelp("hosts, such as example.com; - for a list of them", valueName: "domain"))
  var domains: [String] = []
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("a file with one host on each line (repeatable)", valueName: "FILE"))
  var lists: [String] = []
  @Option(
    help: ArgumentHelp(
      "check each domain of an app's entitlements, and the entries themselves (repeatable)",
      valueName: "FILE"))
  var entitlements: [String] = []
  @Option(
    help: ArgumentHelp(
      "the file must name this app, prefix and bundle identifier (repeatable)", valueName: "ID"))
  var expect: [String] = []
  @Option(
    help: ArgumentHelp(
      "the file must permit this URL, or path, to open the app (repeatable)", valueName: "URL"))
  var url: [String] = []
  @Option(
    help: ArgumentHelp(
      "the file must meet these expectations, as for aasa test (repeatable)",
      valueName: "FILE"))
  var cases: [String] = []
  @OptionGroup var client: ClientOptions
  @Option(
    help: ArgumentHelp(
      "ask this instead of Apple's CDN, or none (default: Apple's, unless --origin or --ca is given)",
      valueName: "URL"))
  var cdn: String?
  @Option(
    help: ArgumentHelp(
      "domains that are looked at beside each other (default: \(CheckLimits.parallel))",
      valueName: "N"))
  var parallel = CheckLimits.parallel
  @Option(help: ArgumentHelp("text, json or junit", valueName: "FORMAT"))
  var format: CheckFormat = .text
  @Flag(help: "the same as --format json: an object for each domain, one on each line")
  var json = false

  package init() {}

  package func validate() throws {
    for domain in domains where domain != "-" { _ = try CheckSubject(domain) }
    if let cdn, cdn != "none" { _ = try CDNAddress(cdn) }
    guard !domains.isEmpty || !lists.isEmpty || !entitlements.isEmpty || !url.isEmpty else {
      throw ValidationError("name a domain, such as example.com")
    }
    guard (1...CheckLimits.mostParallel).contains(parallel) else {
      throw ValidationError("--parallel \(parallel) is not from 1 to \(CheckLimits.mostParallel)")
    }
    if json && format == .junit { throw ValidationError("give --json or --format, not both") }
  }

  package func run() throws {
    var wishes = Wishes(apps: expect, urls: url)
    wishes.cases = try cases.map(readCases)
    var subjects = try namedSubjects()
    var worst: Int32 = 0
    for path in entitlements {
      let found = try AssociatedDomains(entitlements: path)
      for diagnostic in found.diagnostics {
        printError(diagnostic.line)
        if diagnostic.severity == .error { worst = 1 }
      }
      subjects += found.subjects
      if let app = found.app, !wishes.apps.contains(app) { wishes.apps.append(app) }
    }
    if subjects.isEmpty && entitlements.isEmpty { subjects = try subjectsOfURLs() }
    guard subjects.count <= CheckLimits.domains else {
      throw ValidationError(
        "there are \(subjects.count) domains, more than \(CheckLimits.domains); check fewer at once"
      )
    }
    let checking = Checking(
      subjects: subjects, settings: try client.settings(), wishes: wishes,
      cdn: try cdn.flatMap { $0 == "none" ? nil : try CDNAddress($0) },
      apple: cdn == nil && !client.isPrivate ? try CDNAddress(CDNAddress.apple) : nil,
      format: json ? .json : format, parallel: parallel)
    worst = CheckRun.worse(worst, checking.run())
    if worst != 0 { throw ExitCode(worst) }
  }

  private func namedSubjects() throws -> [CheckSubject] {
    var names: [String] = []
    for domain in domains {
      names += domain == "-" ? try readDomainList("-") : [domain]
    }
    for list in lists { names += try readDomainList(list) }
    return try names.map(CheckSubject.init)
  }

  /// Without a domain those of the URLs are meant.
  private func subjectsOfURLs() throws -> [CheckSubject] {
    var hosts: [String] = []
    for url in url {
      guard let host = hostOfURL(url) else {
        throw ValidationError("name the domain of \(url)")
      }
      if !hosts.contains(host) { hosts.append(host) }
    }
    if hosts.isEmpty { throw ValidationError("the lists name no domain") }
    return try hosts.map(CheckSubject.init)
  }

  private func readCases(_ path: String) throws -> CaseFile {
    do throws(SystemError) {
      let content = try readNamedInput(path, limit: CaseLimits.fileBytes)
      let file = CaseFile(SourceText(path: path, bytes: content.bytes))
      for diagnostic in file.diagnostics { printError(diagnostic.line) }
      if file.diagnostics.isEmpty { return file }
    } catch {
      printError(escapingControls("error: cannot read \(path): \(error.reason)"))
    }
    throw ExitCode.usage
  }
}

/// How the reports are written.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json, junit
}
