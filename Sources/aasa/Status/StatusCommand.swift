internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import Posix
internal import Reporting

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the running server's state, and who fetched what.",
    usage: "aasa status [<domain> ...] [<options>]",
    discussion: """
      Shows for each domain: the version served, and since when; problems with its files; its \
      certificate; when Apple's CDN and devices last fetched the file, and whether they got the \
      current version. Without a domain, shows a summary, and lists domains with problems first.

      --admin can be repeated, or can be a host with several addresses: one report combines all \
      servers and adds up their fetches.

      EXAMPLES:
        aasa status
        aasa status example.com
        aasa status '*.example.com' _default
        aasa status --json --limit 1000
        aasa status --format junit > report.xml
        aasa status --open                    # the same as a page in a browser
        aasa status --admin 127.0.0.1:12273   # another server on this machine
        aasa status example.com --admin 10.0.0.1:12272 --admin 10.0.0.2:12272

      EXIT CODES:
        0 all is well
        1 a domain is unknown or has errors, or the server is not ready
        2 wrong usage, or the server cannot be reached
      """)

  @Argument(
    help: ArgumentHelp(
      "hosts or entries of the domains folder (default: all)", valueName: "domain"))
  var domains: [String] = []
  @OptionGroup var format: FormatOptions
  @Option(help: ArgumentHelp("the maximum number of domains to list", valueName: "N")) var limit =
    20
  @Flag(help: "print the address of the status page, and open the page if there is a desktop")
  var open = false
  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if domains.count > StatusDocument.namedDomains {
      throw ValidationError("ask for at most \(StatusDocument.namedDomains) domains at once")
    }
    if open, domains.count > 1 {
      throw ValidationError("--open shows the server or one domain; pass at most one domain")
    }
    guard (0...StatusDocument.mostDomains).contains(limit) else {
      throw ValidationError("--limit must be from 0 to \(StatusDocument.mostDomains)")
    }
    if let odd = domains.first(where: { !Self.isSendable($0) }) {
      let hint =
        hostsEntry(ofURL: odd).map { "did you mean \($0)?" } ?? "write a host such as example.com"
      throw ValidationError("\(escapingInvisible(odd)) is not a domain; \(hint)")
    }
  }

  /// Returns whether a name can be part of a query without encoding: it has only letters, digits,
  /// `-`, `.`, `_`, and the `*` of a wildcard.
  private static func isSendable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255
      && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._*".utf8.contains($0) }
  }

  func run() throws {
    Signal.ignoreBrokenPipes()
    let isGood: Bool
    do throws(AdminFault) { isGood = try show() } catch {
      for line in error.lines { printError(line) }
      throw ExitCode.usage
    }
    if !isGood { throw ExitCode.found }
  }

  /// Prints a report on the servers, or opens the status page of the first server in a browser.
  /// Returns false if the report shows a fault that someone must fix.
  private func show() throws(AdminFault) -> Bool {
    let servers = try admin.servers()
    let client = AdminClient(addresses: servers.first ?? [], timeout: 10_000)
    if open {
      let page = domains.first.map(domainPath) ?? "/"
      let address = "http://\(try client.get("/livez").address)\(page)"
      writeToStandard(1, address + "\n")
      openOnDesktop(address)
      return true
    }
    let parts = domains.isEmpty ? ["limit=\(limit)"] : domains.map { "domain=" + $0 }
    let query = "/status?" + parts.joined(separator: "&")
    if servers.count > 1 {
      let fleet = FleetStatus(servers, query, areNamed: !domains.isEmpty)
      let report = fleet.subjects.rendered(
        as: format.choice, of: "status", failing: .error, text: fleet.text,
        json: "\(fleet.json)\n")
      printReport(report, as: format.choice)
      guard fleet.isAnswered else { throw .unreachable([]) }
      return fleet.isGood
    }
    let answer = try client.get(query + "&format=\(format.choice.rawValue)")
    guard answer.status == 200 else {
      throw .unexpected(answer.address, "status \(answer.status)")
    }
    guard let state = answer.state else { throw .old(answer.address) }
    printReport(answer.text, as: format.choice)
    return state == "good"
  }
}
