internal import AppSiteAssociation
package import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import TLS

/// `aasa validate`
package struct ValidateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Report what is wrong with association files and assetlinks.json.",
    usage: "aasa validate <path> ... [<options>]",
    discussion: """
      In a folder, finds the files apple-app-site-association and assetlinks.json, and webauthn \
      and passkey-endpoints in .well-known, and also compares the files of one host with each \
      other. A folder of domains is read as aasa serve reads it: example.com.json, \
      _wildcard.example.com.json, _default.json, and assetlinks, .cases and .hosts beside them. \
      A version with an error never replaces a good one there. Of a signed file both content and \
      signature are checked. A file .aasa.json beside the files may hold \
      {"failOn": "warning", "ignore": ["A081"]}; aasa serve honours it too.
      aasa explain says more about a code.

      EXAMPLES:
        aasa validate apple-app-site-association
        aasa validate --strict domains/
        curl -s https://example.com/apple-app-site-association | aasa validate -
        aasa validate --format sarif public/ > aasa.sarif

      EXIT CODES:
        0 no errors, 1 errors (or what --fail-on says), 2 wrong usage, or nothing was
        checked
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, sarif, junit
  }

  @Argument(
    help: ArgumentHelp("files and folders, - for standard input", valueName: "path"),
    completion: .file())
  var paths: [String]
  @Option(help: ArgumentHelp("the format: text, json, github, sarif or junit"))
  var format = Format.text
  @OptionGroup(title: "Verdict") var verdict: VerdictOptions
  @Flag(help: "print only what makes the command fail") var quiet = false
  @Option(
    help: ArgumentHelp(
      "trust signatures that lead to the certificates of this PEM file, instead of the system's",
      valueName: "file"), completion: .file())
  var trust: String?

  package init() {}

  package func validate() throws { try verdict.refuseCDN() }

  package func run() throws {
    let options = try validationOptions()
    let report = ReportFormat(
      format, failing: verdict.policy.failing ?? .error, isQuiet: quiet)
    let found = collectInputs(paths)
    let policies = PoliciesByFolder(verdict, found)
    let inputs =
      found + (policies.faults + disagreements(among: found)).map(ValidationInput.fault)
    let progress = ProgressLine("validating", of: "files")
    let threads = availableProcessors()
    var tally = Tally()
    var hasFailed = false
    var hasRead = false
    var files: [FileDiagnostics] = []
    // One batch after another, so that not all files are in memory at once.
    for start in stride(from: 0, to: inputs.count, by: Self.batch) {
      let count = min(Self.batch, inputs.count - start)
      let results = inParallel(count, slice: 8, threads: threads) { slice in
        slice.map { index in
          defer { progress.advance(1, of: inputs.count) }
          let input = inputs[start + index]
          let policy = policies.policy(of: input)
          var options = options
          options.ignored = policy.ignored
          var file = diagnostics(of: input, options, keeping: report.least(policy))
          file.failing = policy.failing
          return report.result(file, isFile: input.isFile && file.isRead)
        }
      }.joined()
      hasRead = hasRead || results.contains(where: \.isFile)
      hasFailed = hasFailed || results.contains(where: \.fails)
      for result in results where !quiet || result.worst != nil {
        tally.add(result.worst)
        if let file = result.file { files.append(file) }
      }
      let text = results.map(\.text).joined()
      if text.isEmpty { continue }
      progress.erase()
      writeToStandard(1, text)
    }
    progress.end()
    writeToStandard(1, report.end(files, tally))
    if !hasRead { throw ExitCode.usage }
    if hasFailed { throw ExitCode.found }
  }

  /// The number of files that are read and reported together.
  private static let batch = 512

  private func validationOptions() throws -> ValidationOptions {
    var options = ValidationOptions()
    let given = try trust.map(readTrustStore)
    let now = Clock.wallSeconds()
    options.signedContent = {
      signedContent(of: $0, trust: given ?? TrustStore.ofSystem, now: now)
    }
    return options
  }
}

extension FileDiagnostics {
  /// Whether the file was read, whatever was found in it.
  fileprivate var isRead: Bool { !diagnostics.contains { $0.isOf(.unreadable) } }
}

/// The policy of each file, by its folder, each of which is read once.
private struct PoliciesByFolder {
  private var policies: [String: VerdictPolicy] = [:]
  private let given: VerdictPolicy
  /// The faults of files `.aasa.json`.
  private(set) var faults: [Diagnostic] = []

  init(_ options: VerdictOptions, _ inputs: [ValidationInput]) {
    given = options.policy
    for input in inputs {
      let path: String
      switch input {
      case .file(let file), .assetLinks(let file), .passkeys(let file, _), .other(let file, _):
        path = file
      case .standardInput, .fault: continue
      }
      let folder = folderName(of: path)
      if policies[folder] != nil { continue }
      let (policy, fault) = options.policy(beside: path)
      policies[folder] = policy
      if let fault { faults.append(fault) }
    }
  }

  func policy(of input: ValidationInput) -> VerdictPolicy {
    switch input {
    case .file(let path), .assetLinks(let path), .passkeys(let path, _), .other(let path, _):
      policies[folderName(of: path)] ?? given
    case .standardInput, .fault: given
    }
  }
}
