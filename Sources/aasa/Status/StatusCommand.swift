internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// `aasa status`
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the running server's state, and who fetched what.",
    usage: "aasa status [<domain> ...] [<options>]",
    discussion: """
      For each domain: the version that is served and since when, what is wrong with its files, its \
      certificate, and when Apple's CDN and devices last fetched it, and whether they got the \
      current version. Without a name: a summary, and the domains with problems first.

      EXAMPLES:
        aasa status
        aasa status example.com
        aasa status '*.example.com' _default
        aasa status --json --limit 1000
        aasa status --admin 127.0.0.1:12273   # another server on this machine

      EXIT CODES:
        0 all is well
        1 a domain is unknown or has errors, or the server is not ready
        2 wrong usage, or the server cannot be reached
      """)

  @Argument(
    help: ArgumentHelp(
      "hosts or entries of the domains folder (default: all)", valueName: "domain"))
  var domains: [String] = []
  @Flag(help: "print the server's answer, one JSON object") var json = false
  @Option(help: ArgumentHelp("the most domains to list", valueName: "N")) var limit = 20
  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if domains.count > StatusDocument.namedDomains {
      throw ValidationError("ask for at most \(StatusDocument.namedDomains) domains at once")
    }
    guard (0...StatusDocument.mostDomains).contains(limit) else {
      throw ValidationError("--limit must be from 0 to \(StatusDocument.mostDomains)")
    }
    if let odd = domains.first(where: { !Self.isSendable($0) }) {
      let hint =
        hostsEntry(ofURL: odd).map { "did you mean \($0)?" } ?? "write for example example.com"
      throw ValidationError("\(escapingInvisible(odd)) is not a domain; \(hint)")
    }
  }

  /// Returns whether a name has only characters that need no encoding in a query (RFC 3986 section
  /// 2.3), and the `*` of wildcards.
  private static func isSendable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "*"):
          true
        default: false
        }
      }
  }

  func run() throws {
    Signal.ignoreBrokenPipes()
    let state: String
    do throws(AdminFault) {
      let client = AdminClient(addresses: try admin.addresses(), timeout: 10_000)
      let query = domains.isEmpty ? ["limit=\(limit)"] : domains.map { "domain=" + $0 }
      let format = json ? "format=json" : "format=text"
      let answer = try client.get("/status?" + (query + [format]).joined(separator: "&"))
      guard answer.status == 200 else {
        throw .unexpected(answer.address, "status \(answer.status)")
      }
      guard let found = answer.state else { throw .old(answer.address) }
      if json { writeToStandard(1, answer.text) } else { printReport(answer.text) }
      state = found
    } catch {
      for line in error.lines { printError(line) }
      throw ExitCode.usage
    }
    if state != "good" { throw ExitCode.found }
  }
}
