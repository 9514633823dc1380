internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Report what changes for users between two files.",
    usage: "aasa diff <old> <new> [<options>]",
    discussion: """
      Compares what the files mean: white space, key order, comments and equivalent \
      forms make no difference. Prints an example link for each decision that \
      changed, and the rules that decide it. A loss for users is an \
      error; a gain for users is a note. With --fail-on error, only losses fail.

      EXAMPLES:
        aasa diff old.json new.json
        git show HEAD:site.json | aasa diff --json - site.json
        aasa diff https://staging.example.com https://example.com
        aasa diff --format markdown --domain example.com old.json new.json

      EXIT CODES:
        0 the same for users
        1 different (as --fail-on says; default: note)
        2 wrong usage, or a file cannot be read
      """)

  @Argument(
    help: "the old association file, - for standard input, or https://HOST", completion: .file())
  var old: String
  @Argument(
    help: "the new association file, - for standard input, or https://HOST", completion: .file())
  var new: String
  @Option(help: ArgumentHelp("write examples as URLs on this host", valueName: "HOST"))
  var domain: String?
  @OptionGroup(title: "Asking a domain") var client: ClientOptions
  @OptionGroup(title: "Verdict") var verdict: VerdictOptions
  @OptionGroup var format: FormatOptions

  func validate() throws {
    try verdict.refuseCDN()
    if old == "-" && new == "-" {
      throw ValidationError("only one of the files can be standard input")
    }
    for text in [old, new] where text.contains("://") { _ = try parsing(HostTarget(text)) }
    if !old.contains("://") && !new.contains("://") {
      try client.refuseUnused("give a domain as https://HOST")
    }
    if let domain, Domain(domain) == nil || domain.hasPrefix("*") {
      throw ValidationError("--domain \(domain) is not a host name")
    }
  }

  func run() throws {
    guard let oldText = try readText(old, orAsking: client),
      let newText = try readText(new, orAsking: client)
    else { throw ExitCode.usage }
    let (policy, fault) = verdict.policy(in: folderName(of: new))
    if let fault { printError(fault.line) }
    if isList(oldText) || isList(newText) {
      let (oldFile, newFile) = (AssetLinksFile(oldText), AssetLinksFile(newText))
      for file in [oldFile, newFile] where isList(file.source) && file.list == nil {
        // Ignore the result: the call only reports why the JSON is invalid.
        _ = documentOrReport(file.source)
        throw ExitCode.usage
      }
      guard
        let report = DifferenceReport(
          oldFile, newFile, host: domain, ignoring: policy.ignored)
      else {
        let (list, other) = isList(oldText) ? (oldText, newText) : (newText, oldText)
        throw failure(
          "\(list.path) is a list of statements, but \(other.path) is not; give two files of the "
            + "same kind", .usage)
      }
      return try end(report)
    }
    guard let before = documentOrReport(oldText), let after = documentOrReport(newText) else {
      throw ExitCode.usage
    }
    try end(DifferenceReport(before, after, host: domain, ignoring: policy.ignored))
  }

  private func end(_ report: DifferenceReport) throws {
    let failing = verdict.policy.failing ?? .note
    let file = SubjectReport(path: new, source: nil, diagnostics: report.diagnostics(at: new))
    printReport(
      [file].rendered(
        as: format.choice, of: "diff", failing: failing, text: report.text,
        json: "\(report.json)\n", markdown: report.markdown), as: format.choice)
    if report.worst.map({ $0 >= failing }) ?? false { throw ExitCode.found }
  }
}

/// Returns whether the file is a JSON array. Android's file is an array, and Apple's file is an
/// object.
func isList(_ source: SourceText) -> Bool {
  source.bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
}
