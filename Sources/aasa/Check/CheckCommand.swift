package import ArgumentParser
internal import Diagnostics
internal import Posix

/// `aasa check`
package struct CheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look from outside whether a domain serves its association file as Apple asks.",
    discussion: """
      Resolves the name, connects to every address, verifies the certificate, asks for both paths \
      without following redirects, and validates what comes. The first line is the verdict; then \
      come the causes, in the order to mend them, each with what shows it.

      EXAMPLES:
        aasa check example.com
        aasa check example.com www.example.com
        aasa check example.com --origin 192.0.2.1:443   # before DNS moves
        aasa check localhost:8443 --ca root.pem

      EXIT CODES:
        0 all is right, warnings apart, 1 something is wrong, 2 wrong usage
      """)

  @Argument(help: ArgumentHelp("hosts, such as example.com", valueName: "domain"))
  var domains: [String]
  @OptionGroup var client: ClientOptions
  @Flag(help: "print a JSON object for each domain, one on each line") var json = false

  package init() {}

  package func validate() throws {
    for domain in domains { _ = try HostTarget(domain) }
  }

  package func run() throws {
    let settings = try client.settings()
    var isGood = true
    for (index, domain) in domains.enumerated() {
      guard let evidence = DomainEvidence(try HostTarget(domain), settings) else { continue }
      let report = CheckReport(evidence)
      if !report.isGood { isGood = false }
      let gap = index > 0 && !json ? "\n" : ""
      writeToStandard(1, gap + (json ? report.json + "\n" : report.text))
    }
    if !isGood { throw ExitCode.found }
  }
}
