internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// The domains that `aasa check` checks, and the required content of their files.
struct DomainsToCheck {
  var subjects: [CheckSubject] = []
  private(set) var requirements: Requirements
  /// Results for faulty lines of lists and faulty entitlements.
  private(set) var faults: [CheckedSubject] = []

  init(_ command: CheckCommand) throws {
    requirements = Requirements(apps: command.expect, urls: command.url)
    requirements.cases = try command.cases.map(readCases)
    for path in command.file { try requireFile(path) }
    let policy = command.verdict.policy
    for domain in command.domains where domain != "-" {
      subjects += try CheckCommand.names(in: domain).map { try parsing(CheckSubject($0)) }
    }
    for list in (command.domains.contains("-") ? ["-"] : []) + command.lists {
      for domain in try readDomainList(list) {
        do throws(UsageFault) {
          subjects.append(try CheckSubject(domain.text))
        } catch {
          faults += [CheckedSubject(domain, error, policy)].compactMap(\.self)
        }
      }
    }
    for path in command.entitlements { try addDomains(of: path, try command.variables, policy) }
    subjects = subjects.merged
    // If the user gave a manifest but no domain, the links are only for the check of the Android
    // app.
    if command.manifest.manifest == nil || !subjects.isEmpty { try addHosts(of: command.url) }
    guard subjects.count <= CheckLimits.domains else {
      throw ValidationError(
        "there are \(subjects.count) domains, more than \(CheckLimits.domains); check fewer at once"
      )
    }
  }

  /// Adds the requirement that the checked domains serve the file at this path.
  private mutating func requireFile(_ path: String) throws {
    guard let text = readText(path) else { throw ExitCode.usage }
    guard isList(text) ? requirements.assetLinks == nil : requirements.file == nil else {
      throw ValidationError(
        "--file \(path): give at most one association file and one assetlinks.json")
    }
    if isList(text) {
      let file = AssetLinksFile(text)
      guard file.list != nil else {
        throw ValidationError(
          "\(path) is not valid JSON; to find the error: aasa validate \(path)")
      }
      requirements.assetLinks = file
    } else {
      guard let document = documentOrReport(text) else { throw ExitCode.usage }
      requirements.file = document
    }
  }

  /// Adds the domains in a file with entitlements, and the requirements that follow from the
  /// entitlements.
  private mutating func addDomains(
    of path: String, _ variables: [String: String], _ policy: VerdictPolicy
  ) throws {
    let file = try reading(path, AppFile(reading: path))
    func add(_ found: AssociatedDomains, named name: String) {
      faults += [CheckedSubject(name, found.findings, policy)].compactMap(\.self)
      subjects += found.subjects
    }
    for app in file.apps {
      let found = AssociatedDomains(app, variables: variables)
      add(found, named: file.apps.count == 1 ? path : "\(path): \(app.app ?? "")")
      if let identifier = found.app { requirements.add(identifier, isOf: found.subjects) }
      // Do not require the app's hosts for a provisioning profile, because a profile does not list
      // these hosts.
      if app.kind != .profile { requirements.add(found.namedHosts) }
      for clip in app.clips {
        let found = AssociatedDomains(clip, variables: variables, within: app)
        add(found, named: "\(path): \(clip.place ?? "")")
        requirements.add(found.namedHosts)
      }
    }
  }

  /// Adds the hosts of the given URLs to the domains to check. Without this, the command would
  /// silently skip a URL whose host is not among these domains.
  private mutating func addHosts(of urls: [String]) throws {
    let isEmpty = subjects.isEmpty
    for url in urls {
      guard let host = hostOfURL(url) else {
        if isEmpty { throw ValidationError("give the domain that serves \(url)") }
        continue
      }
      let subject = try parsing(CheckSubject(host))
      if !subjects.contains(where: { $0.target.host == subject.target.host }) {
        subjects.append(subject)
      }
    }
  }

  /// Returns the URLs of the links that should open an app. A path becomes a URL for each domain.
  func links(_ urls: [String]) -> [String] {
    let paths = urls.filter { hostOfURL($0) == nil }
    return subjects.flatMap { subject in
      (paths + [subject.link].compactMap(\.self)).map { path in
        "https://\(subject.target.host)\(path.hasPrefix("/") ? "" : "/")\(path)"
      }
    } + urls.filter { hostOfURL($0) != nil }
  }
}

private func readCases(_ path: String) throws -> CaseFile {
  let file = CaseFile(
    try readInput(path, limit: CaseLimits.fileBytes, orFailWith: .usage))
  for diagnostic in file.diagnostics { printError(diagnostic.line) }
  if !file.diagnostics.isEmpty { throw ExitCode.usage }
  if file.expectations(on: .apple).isEmpty {
    throw failure("\(path) contains no expectations", .usage)
  }
  return file
}

/// Reads a list of domains from a file, or from standard input if the path is `-`.
func readDomainList(_ path: String, takesRemarks: Bool = true) throws -> [ListedDomain] {
  let text = try readWhole(path, limit: CheckLimits.listBytes, "a list of domains")
  return Checking.domains(in: text.bytes, named: text.path, takesRemarks: takesRemarks)
}

/// Reads a whole file. Reads standard input if the path is `-`.
func readWhole(_ path: String, limit: Int, _ what: String) throws -> SourceText {
  let text = try readInput(path, limit: limit, orFailWith: .usage)
  guard text.bytes.count <= limit else {
    throw failure("\(path): \(what) may have at most \(limit >> 20) MiB; split the file", .usage)
  }
  return text
}
