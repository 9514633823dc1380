package import ArgumentParser
internal import Client
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
        0 all is right, warnings apart, 1 something is wrong, 2 wrong usage,
        3 all is right, and Apple's CDN has another version of the file
      """)

  @Argument(help: ArgumentHelp("hosts, such as example.com", valueName: "domain"))
  var domains: [String]
  @OptionGroup var client: ClientOptions
  @Option(
    help: ArgumentHelp(
      "ask this instead of Apple's CDN, or none (default: Apple's, unless --origin or --ca is given)",
      valueName: "URL"))
  var cdn: String?
  @Flag(help: "print a JSON object for each domain, one on each line") var json = false

  package init() {}

  package func validate() throws {
    for domain in domains { _ = try HostTarget(domain) }
    if let cdn, cdn != "none" { _ = try CDNAddress(cdn) }
  }

  package func run() throws {
    let settings = try client.settings()
    var worst: Int32 = 0
    for (index, domain) in domains.enumerated() {
      let target = try HostTarget(domain)
      guard let evidence = DomainEvidence(target, settings, cdn: try cdnAddress(target)) else {
        continue
      }
      let report = CheckReport(evidence)
      // Something wrong with one is worse than an old copy of another.
      if worst != 1 { worst = report.isGood ? max(worst, report.isCopyOld ? 3 : 0) : 1 }
      let gap = index > 0 && !json ? "\n" : ""
      writeToStandard(1, gap + (json ? report.json + "\n" : report.text))
    }
    if worst != 0 { throw ExitCode(worst) }
  }

  /// The CDN knows public names by HTTPS. What is looked at before DNS moves, or is trusted here
  /// only, is none of its business.
  private func cdnAddress(_ target: HostTarget) throws -> CDNAddress? {
    if let cdn { return cdn == "none" ? nil : try CDNAddress(cdn) }
    let isPublic = target.isPublicName && target.scheme == .https && target.port == nil
    return isPublic && !client.isPrivate ? try CDNAddress(CDNAddress.apple) : nil
  }
}
