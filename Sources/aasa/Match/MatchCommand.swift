internal import AppSiteAssociation
internal import ArgumentParser
internal import Diagnostics
internal import JSON
internal import Posix
internal import Rules

struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Show which links a file lets the app open, and why.",
    usage: "aasa match <file> <url> ... [<options>]\naasa match --batch",
    discussion: """
      For each URL and each app, prints `opens`, `blocked` or `browser`, and the rule that \
      decides. `opens` means that the file permits the app to open the URL; a device has more \
      conditions. `blocked` means that a rule excludes the URL, `browser` that no rule matches it.

      EXAMPLES:
        aasa match Config/domains/example.com.json https://example.com/buy/42
        aasa match --explain --app ABCDE12345.com.example.app site.json '/help?id=1'
        aasa match --domain example.com site.json https://www.example.com/
        aasa match Config/domains https://example.com/buy/42   # the host's files
        aasa match Config/domains/example.com /buy/42   # a host's folder
        aasa match --batch < questions.jsonl

      Also matches the dynamic rules of assetlinks.json, in a folder or as a single file. Android \
      15 and later apply them to the links that the app's manifest allows.

      A URL may be a path on the domain, such as /buy/42. Without --domain, the host of a URL only \
      selects the files in a folder of domains.

      With --batch, each line of standard input is a question, and the answer is one line. A line \
      may have at most 1 MiB. A question and its answer:
        {"id":1,"aasa":{…},"domain":"a.example","appId":"TEAM.bundle","url":"/buy"}
        {"id":1,"decision":"match"}
      The decision is match, exclude or no_match; a line that cannot be understood gets no_match \
      with an "error", which is reported on standard error too.

      EXIT CODES:
        0 at least one URL can open an app; with --batch, all lines were understood
        1 no URL can open an app; with --batch, a line was not understood
        2 wrong usage, or the file or a URL cannot be read
      """)

  @Argument(
    help: "the association file, or a folder of one or more domains; - for standard input",
    completion: .file())
  var file: String?
  @Argument(help: "URLs, or paths on the domain") var urls: [String] = []
  @Flag(help: "show each rule that was tried and where it stopped matching") var explain = false
  @Option(
    help: ArgumentHelp(
      "match only this app, for example ABCDE12345.com.example.app", valueName: "ID"))
  var app: String?
  @Option(
    help: ArgumentHelp(
      "the host that serves the file; `*.example.com` is allowed", valueName: "HOST"))
  var domain: String?
  @Flag(help: "print one JSON object") var json = false
  @Flag(help: "answer questions in JSON Lines from standard input") var batch = false

  func validate() throws {
    if batch {
      guard file == nil, !explain, !json, app == nil, domain == nil else {
        throw ValidationError(
          "--batch reads everything from standard input and takes no other argument")
      }
      return
    }
    guard file != nil else { throw ValidationError("give an association file and a URL") }
    guard !urls.isEmpty else { throw ValidationError("give at least one URL after the file") }
    if let file, let other = urls.first, isMissing(file), !isMissing(other) {
      throw ValidationError("the file comes first: aasa match \(other) \(file)")
    }
    if let domain, Domain(domain) == nil {
      throw ValidationError("--domain \(domain) is not a host name")
    }
  }

  func run() throws {
    let code = batch ? runBatch() : try matchURLs()
    if code != 0 { throw ExitCode(code) }
  }

  private func matchURLs() throws -> Int32 {
    guard let file else { return ExitCode.usage.rawValue }
    if file != "-", (try? status(file))?.kind == .directory { return matchInFolder(file) }
    guard let text = readText(file) else { return ExitCode.usage.rawValue }
    if file != "-", isList(text) { return matchInFolder(file) }
    guard let document = documentOrReport(text) else { return ExitCode.usage.rawValue }
    do throws(PatternsTooLarge) {
      noteImpossibleApps(document)
      let report = LinkReport(
        try AppleLinks(document, domain: domain.flatMap(Domain.init)), app: app)
      let answers = try urls.map { url throws(PatternsTooLarge) in
        try report.answer(url, explaining: explain)
      }
      if json {
        let file = document.source.path.json
        print(["file": file, "urls": .array(answers.map(\.json))] as JSONTree)
      } else {
        printReport(answers.map { $0.heading + $0.text }.joined())
      }
      for answer in answers { if let error = answer.error { printError(error) } }
      return answers.contains { $0.fault != nil } ? 2 : answers.contains(where: \.opens) ? 0 : 1
    } catch {
      printError("error: \(file): \(tooLargePatterns)")
      return ExitCode.usage.rawValue
    }
  }

  /// Prints a note about each invalid app identifier, because rules for an invalid app identifier
  /// have no effect.
  private func noteImpossibleApps(_ document: Document) {
    let uses = IdentifierUse.impossible(in: Association(document.root))
    for use in uses where app == nil || app == use.text {
      let place = document.source.placeText(of: use.located.range)
      printError("note: \(place): no app has the identifier `\(use.text)`; aasa validate says why")
    }
  }

  private func matchInFolder(_ folder: String) -> Int32 {
    let matching = FolderMatching(root: withoutTrailingSlashes(folder), domain: domain, app: app)
    do throws(PatternsTooLarge) {
      guard let results = try matching.results(urls, explaining: explain) else {
        return ExitCode.usage.rawValue
      }
      print(
        results.json.isEmpty || !json ? results.text : results.json.joined(separator: "\n") + "\n",
        terminator: "")
      for error in results.errors { printError(error) }
      return results.code
    } catch {
      printError("error: \(folder): \(tooLargePatterns)")
      return ExitCode.usage.rawValue
    }
  }
}
