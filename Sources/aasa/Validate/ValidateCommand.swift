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
    var options = ValidationOptions()
    let trusted = try trustStore()
    let now = Clock.wallSeconds()
    options.signedContent = { signedContent(of: $0, trust: trusted, now: now) }
    var files: [FileDiagnostics] = []
    let inputs = collectInputs(paths)
    let progress = ProgressLine("validating", of: "files")
    for input in inputs {
      defer { progress.advance(1, of: inputs.count) }
      let file = diagnostics(of: input, options, keeping: quiet ? failing : .note)
      if !quiet || !file.diagnostics.isEmpty { files.append(file) }
    }
    progress.end()
    write(files, failing)
    if files.contains(where: { $0.diagnostics.contains { $0.severity >= failing } }) {
      throw ExitCode.found
    }
  }

  private func trustStore() throws -> TrustStore? {
    guard let trust else { return try? TrustStore.system() }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readContent(trust, limit: TLS.Limits.pemFileBytes).bytes
    } catch {
      printError(escapingControls("error: cannot read \(trust): \(error.reason)"))
      throw ExitCode.usage
    }
    do throws(CMSError) {
      return try TrustStore.roots(in: SourceText(path: trust, bytes: bytes))
    } catch {
      if case .file(let diagnostic) = error {
        printError(diagnostic.line)
      } else {
        printError("error: \(error)")
      }
      throw ExitCode.usage
    }
  }

  private func write(_ files: [FileDiagnostics], _ failing: Diagnostic.Severity) {
    let text: String
    switch format {
    case .text:
      let isTerminal = standardOutputIsTerminal
      let forbids = environmentVariables()["NO_COLOR"].map { !$0.isEmpty } ?? false
      let renderer = TerminalRenderer(usesColor: isTerminal && !forbids)
      text = files.map(renderer.render).joined() + (quiet ? "" : summary(of: files) + "\n")
    case .json: text = files.json
    case .github: text = files.githubAnnotations
    case .sarif: text = files.sarif(version: programVersion, codes: codeDescriptions())
    case .junit: text = files.junit(failing: failing)
    }
    writeToStandard(1, text)
  }
}

/// `2 files: 1 with errors, 1 clean`
func summary(of files: [FileDiagnostics]) -> String {
  let worst = files.map { file in file.diagnostics.map(\.severity).max() }
  let clean = worst.count { $0 == nil }
  let parts = [
    (worst.count { $0 == .error }, "with errors"),
    (worst.count { $0 == .warning }, "with warnings"),
    (worst.count { $0 == .note }, "with notes only"), (clean, "clean"),
  ]
  let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  return "\(files.count) \(files.count == 1 ? "file" : "files")"
    + (words.isEmpty ? "" : ": " + words)
}

func codeDescriptions() -> [CodeDescription] {
  RulePage.all.map {
    CodeDescription(
      code: $0.code, name: $0.name, severity: $0.severity, summary: $0.what, help: $0.text)
  }
}
