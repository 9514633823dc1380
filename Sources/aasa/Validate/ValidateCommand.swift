internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Gzip
internal import Keeping
internal import Posix
internal import Reporting
internal import Rules
internal import Serving
internal import TLS

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Report what is wrong with files, and how to fix it.",
    usage: "aasa validate <path> ... [<options>]",
    discussion: """
      In a folder, finds the files apple-app-site-association and assetlinks.json, and in \
      .well-known also webauthn and passkey-endpoints. Compares the files of one host with each \
      other. In a folder of domains, finds the files that aasa serve uses: for example \
      example.com.json, _wildcard.example.com.json and _default.json, and beside them \
      example.com.assetlinks.json, example.com.cases and example.com.hosts. aasa serve never \
      replaces a good version with a version that has an error. Checks both the content and the \
      signature of a signed file. A file .aasa.json beside the files can also set --fail-on and \
      --ignore, for example {"failOn": "warning", "ignore": ["A081"]}; aasa serve also obeys the \
      key ignore of this file.
      Each message has a code, for example A081: aasa explain A081 explains it.

      EXAMPLES:
        aasa validate apple-app-site-association
        aasa validate --strict domains/
        curl -s https://example.com/apple-app-site-association | aasa validate -
        aasa validate --format sarif public/ > aasa.sarif

      EXIT CODES:
        0 no errors
        1 errors (or what --fail-on says)
        2 wrong usage, or nothing was checked
      """)

  @Argument(
    help: ArgumentHelp("files and folders, - for standard input", valueName: "path"),
    completion: .file())
  var paths: [String]
  @OptionGroup var format: FormatOptions
  @OptionGroup(title: "Verdict") var verdict: VerdictOptions
  @Flag(help: "print only what makes the command fail") var quiet = false
  @Option(
    help: ArgumentHelp(
      "trust signers that chain to the certificates in this PEM file instead of the system's "
        + "certificates",
      valueName: "file"), completion: .file())
  var trust: String?

  func validate() throws { try verdict.refuseCDN() }

  func run() throws {
    let policy = verdict.policy
    let given = try trust.map(readTrustStore)
    var options = ValidationOptions()
    options.ignored = policy.ignored
    options.gzipSize = { gzipSize(of: $0) }
    options.signedContent = {
      signedContent(of: $0, trust: given ?? TrustStore.ofSystem, now: Clock.wallSeconds())
    }
    let inputs = collectInputs(paths, verdict)
    // Compare the files of a host only if there are several input files.
    var hosts = inputs.count > 1 ? HostFiles(inputs) : nil
    var run = Run(
      format: format.choice, failing: policy.failing ?? .error, isQuiet: quiet, options: options,
      progress: inputs.count > 1 ? ProgressLine("validating", of: "files") : nil)
    // Read the files in batches, so that not all files are in memory at once.
    for start in stride(from: 0, to: inputs.count, by: Self.batch) {
      run.judge(
        inputs[start..<min(start + Self.batch, inputs.count)], of: inputs.count, &hosts)
    }
    if let faults = hosts?.disagreements.map({ ValidationInput($0) }) {
      run.judge(faults[...], of: inputs.count, &hosts)
    }
    run.progress?.end()
    let (tally, files) = (run.tally, run.kept.files)
    writeToStandard(
      1,
      files.rendered(
        as: run.format, of: "validate", failing: run.failing, text: quiet ? "" : tally.summary,
        json: files.json))
    if !run.hasRead { throw ExitCode.usage }
    if run.hasFailed { throw ExitCode.found }
  }

  private static let batch = 512
}

private struct Judged: Sendable {
  let path: String
  let isRead: Bool
  /// The highest severity; nil for a file without findings.
  let worst: Diagnostic.Severity?
  let fails: Bool
  /// The file, if it must be compared with other files; otherwise nil.
  let read: ReadFile?
  /// The text to print when the batch has been checked; empty if the output format begins with a
  /// summary.
  var text = ""
  /// The diagnostics of the file. If the output format begins with a summary, the diagnostics are
  /// stored until all files have been checked.
  var file: SubjectReport?
}

private let terminal = ReportStyle.ofOutput.map { TerminalRenderer($0) } ?? TerminalRenderer()

private struct Run {
  let format: OutputFormat
  let failing: Diagnostic.Severity
  let isQuiet: Bool
  let options: ValidationOptions
  let progress: ProgressLine?
  var tally = Tally()
  var hasFailed = false
  var hasRead = false
  var kept = KeptFindings()

  /// Checks inputs on all processors, and prints the findings.
  mutating func judge(
    _ inputs: ArraySlice<ValidationInput>, of count: Int, _ hosts: inout HostFiles?
  ) {
    let (format, failing, isQuiet, options) = (format, failing, isQuiet, options)
    let (progress, wanted) = (progress, hosts)
    let results = inParallel(inputs.count, slice: 8, threads: availableProcessors()) { slice in
      slice.map { index -> Judged in
        defer { progress?.advance(1, of: count) }
        let input = inputs[inputs.startIndex + index]
        let lowest = input.policy?.failing ?? failing
        let least = isQuiet ? lowest : .note
        var options = options
        options.ignored = input.policy?.ignored ?? options.ignored
        options.includesNotes = least == .note
        var (file, read) = input.judged(options, keeping: least)
        file.failing = input.policy?.failing
        let worst = file.diagnostics.map(\.severity).max()
        var judged = Judged(
          path: input.path,
          isRead: input.isFile && !file.diagnostics.contains { $0.isOf(.unreadable) },
          worst: worst, fails: worst.map { $0 >= lowest } ?? false,
          read: wanted?.wants(input.path) == true ? read : nil)
        if !format.isOfEachSubject {
          judged.file = file
        } else if worst != nil || file.omitted > 0 {
          judged.text = [file].rendered(
            as: format, of: "validate", failing: failing, text: terminal.render(file), json: "")
        }
        return judged
      }
    }.joined()
    var text = ""
    for judged in results {
      hosts?.take(judged.read, judged.path)
      hasRead = hasRead || judged.isRead
      hasFailed = hasFailed || judged.fails
      text += judged.text
      if isQuiet && judged.worst == nil { continue }
      tally.add(judged.worst, in: judged.path)
      if let file = judged.file { kept.add(file, of: judged.path) }
    }
    if text.isEmpty { return }
    progress?.erase()
    writeToStandard(1, text)
  }
}
