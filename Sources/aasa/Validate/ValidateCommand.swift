internal import AppSiteAssociation
package import ArgumentParser
internal import Diagnostics
internal import Posix
internal import TLS

/// `aasa validate`
package struct ValidateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Tell what is wrong with association files.",
    discussion: """
      A folder is searched for files named apple-app-site-association, and for those named as in \
      the domains folder: example.com.json, _wildcard.example.com.json, _default.json. Of signed \
      files the content is checked, and the signature. aasa explain tells more of a code.

      EXAMPLES:
        aasa validate apple-app-site-association
        aasa validate --strict domains/
        curl -s https://example.com/.well-known/apple-app-site-association | aasa validate -
        aasa validate --format sarif public/ > aasa.sarif

      EXIT CODES:
        0 no errors, 1 errors (with --strict: or warnings), 2 wrong usage
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, sarif, junit
  }

  @Argument(
    help: ArgumentHelp("files and folders, - for standard input", valueName: "path"),
    completion: .file())
  var paths: [String]
  @Option(help: ArgumentHelp("how to print: text, json, github, sarif or junit"))
  var format = Format.text
  @Flag(help: "exit with 1 for warnings too") var strict = false
  @Flag(help: "print only what makes the command fail") var quiet = false
  @Option(
    help: ArgumentHelp(
      "trust signatures that lead to the certificates of this PEM file, instead of the system's",
      valueName: "file"), completion: .file())
  var trust: String?

  package init() {}

  package func run() throws {
    let failing: Diagnostic.Severity = strict ? .warning : .error
    let options = try validationOptions()
    let report = ReportFormat(format, failing: failing, isQuiet: quiet)
    let inputs = collectInputs(paths)
    let progress = ProgressLine("validating", of: "files")
    let threads = availableProcessors()
    var tally = Tally()
    var files: [FileDiagnostics] = []
    // One batch after another, so that not all files are in memory at once.
    for start in stride(from: 0, to: inputs.count, by: Self.batch) {
      let count = min(Self.batch, inputs.count - start)
      let results = inParallel(count, slice: 8, threads: threads) { slice in
        slice.map { index in
          defer { progress.advance(1, of: inputs.count) }
          let input = inputs[start + index]
          return report.result(diagnostics(of: input, options, keeping: report.least))
        }
      }.joined().filter { !quiet || $0.worst != nil }
      for result in results {
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
    if tally.worst.map({ $0 >= failing }) ?? false { throw ExitCode.found }
  }

  /// Files that are read and told of together.
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

extension TrustStore {
  /// Nil when the system has none. Read for the first signed file: reading it takes longer than
  /// validating a hundred files.
  fileprivate static let ofSystem: TrustStore? = try? TrustStore.system()
}
