internal import ArgumentParser
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Serving
internal import Settings

/// `aasa acme`
struct AcmeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acme",
    abstract: "Look after the server's own certificates.",
    discussion: """
      All of these read the state folder, on the machine where it is.

      EXAMPLES:
        aasa acme status
        aasa acme try example.com
        aasa acme renew example.com
        aasa acme record example.com
        aasa acme account
        aasa acme revoke --key-compromised example.com
        aasa acme rollover
      """,
    subcommands: [
      AcmeStatusCommand.self, AcmeTryCommand.self, AcmeRenewCommand.self, AcmeRecordCommand.self,
      AcmeAccountCommand.self, AcmeRevokeCommand.self, AcmeRolloverCommand.self,
    ])
}

/// Replaces the list of all settings in the help of commands that have few options of their own.
let serverSettingsWords = """
  Uses the server's settings, which aasa config prints; pass --config or any of its options.
  """

extension ServerOptions {
  /// The state folder and the CAs that the settings name.
  func issuance() throws -> (folder: StateFolder, authorities: [Authority]) {
    let configuration = try resolve()
    let folder = StateFolder(configuration.issuance.state)
    let authorities = configuration.issuance.authorities.map(Authority.init(setting:))
    if let path = folder.newerFile(authorities) {
      throw failure("a later version of aasa wrote \(path): run that version", .usage)
    }
    return (folder, authorities)
  }
}

/// `aasa acme status`
struct AcmeStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how many certificates there are, and which hosts need attention.",
    discussion: """
      Without hosts, it counts all, and lists those without a certificate or with an obstacle to \
      their renewal.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme status
        aasa acme status --all
        aasa acme status example.com --config /etc/aasa/server.json

      EXIT CODES:
        0 all hosts have a certificate and can renew
        1 one has none or cannot renew
        2 wrong usage, or a folder that no server uses
      """)

  @Argument(help: "hosts to show") var hosts: [String] = []
  @Flag(help: "show all hosts, not only hosts that need attention") var all = false
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let (folder, _) = try options.issuance()
    let files = folder.issuedFiles()
    var last: [String: Journal.Entry] = [:]
    for entry in folder.journal.entries() where !entry.host.isEmpty {
      last[entry.host] = entry
    }
    let waiting = folder.queue()
    let known = Set(files.keys).union(last.keys).union(waiting.keys)
    let wanted = hosts.isEmpty ? known.sorted() : hosts.map { $0.lowercased() }
    if known.isEmpty { try options.requireUse(of: folder, exitCode: .usage) }
    let now = Clock.wallSeconds()
    var lines: [String] = []
    var (good, patient) = (0, 0)
    for host in wanted {
      var (line, isFine) = Self.line(host, files[host], last[host], now: now)
      if isFine { good += 1 }
      // A first order needs nobody.
      let isPatient = !isFine && waiting[host] != nil && last[host]?.step != .failed
      if isPatient { patient += 1 }
      if let turn = waiting[host] {
        let left = max(0, turn.time - now)
        line += "; waits for an order: place \(turn.place) of \(waiting.count)"
        line += left == 0 ? "" : ", expected in \((left + 59) / 60) min"
      }
      if all || !hosts.isEmpty || !isFine && !isPatient { lines.append(line) }
    }
    if wanted.isEmpty {
      lines.append("no certificate has been requested yet in \(folder.root)")
    } else if hosts.isEmpty {
      let parts = numbers([
        (good, "good"), (patient, "waiting for their first order"),
        (wanted.count - good - patient, "in need of somebody"),
      ])
      lines.insert("\(wanted.count) \(wanted.count == 1 ? "host" : "hosts"): \(parts)", at: 0)
    }
    for line in lines { printReport(escapingInvisible(line) + "\n") }
    if good < wanted.count { throw ExitCode.found }
  }

  /// - Parameter last: The last line of the journal about the host.
  private static func line(
    _ host: String, _ file: IssuedFile?, _ last: Journal.Entry?, now: Int64
  ) -> (String, isFine: Bool) {
    var parts: [String] = []
    var isFine = false
    if let file {
      let validity = file.validity
      isFine = validity.notAfter > now
      parts.append(
        isFine
          ? "until \(day(validity.notAfter)), renews \(day(renewalTime(validity)))"
          : "EXPIRED \(day(validity.notAfter))")
      parts.append("by \(file.issuer)")
    } else {
      parts.append("no certificate")
    }
    if let last {
      let ago = Times(now: now).ago(last.time)
      switch last.step {
      case .failed:
        parts.append("failed \(ago): \(last.detail)")
        isFine = false
      case .served, .installed: break
      default: parts.append("\(last.step.rawValue) \(ago)")
      }
    }
    return ("\(host): " + parts.joined(separator: "; "), isFine)
  }
}

/// `aasa acme renew`
struct AcmeRenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Request a new certificate now.",
    discussion: """
      The running server orders it, or the next one to start.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme renew example.com
      """)

  @Argument(help: "hosts") var hosts: [String]
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let folder = try options.issuance().folder
    try options.requireUse(of: folder)
    for host in hosts.map({ $0.lowercased() }) {
      if let fault = nameFault(host, isPrivate: true) {
        throw failure(fault.text, .usage)
      }
      do throws(SystemError) {
        try folder.requestRenewal(of: host)
      } catch {
        throw failure("\(error)")
      }
      print("a new certificate for \(host) is requested: aasa acme status \(host)")
    }
  }
}

/// `aasa acme record`
struct AcmeRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Print the DNS records of a name: CAA, and TXT for dns-persist-01.",
    discussion: """
      With the CAA record, only this server's account gets certificates. The TXT record proves \
      to the CA that this account controls the wildcard; other names need it only if acmeChallenges has \
      dns-persist-01.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme record example.com
        aasa acme record '*.example.com' --acme letsencrypt
      """)

  @Argument(help: "the name, or a wildcard such as '*.example.com'") var name: String
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let (folder, authorities) = try options.issuance()
    let challenges = try options.resolve().issuance.challenges
    let name = name.lowercased()
    if let fault = nameFault(name, isPrivate: true) {
      throw failure(fault.text, .usage)
    }
    if authorities.isEmpty {
      throw failure("name the CA, for example --acme letsencrypt", .usage)
    }
    for authority in authorities {
      let (account, identities) = folder.account(at: authority)
      guard let identity = identities.first else {
        throw failure(
          "\(authority.name) has no known CAA name; its documentation has the TXT record")
      }
      if isWildcard(name) || challenges.contains(.record) {
        guard let account else {
          throw failure(
            "there is no account at \(authority.name) yet, which the TXT record must name;"
              + " start the server, which makes one, then ask again")
        }
        print(PersistentRecord(name, identity: identity, account: account).line)
        if isWildcard(name) { continue }
      }
      if account == nil {
        printError(
          "warning: there is no account at \(authority.name) yet, so this record permits every account "
            + "there; start the server, which makes one, then ask again")
      }
      print("\(name). CAA 0 issue \"\(identity)\(account.map { "; accounturi=\($0)" } ?? "")\"")
    }
  }
}

/// `aasa acme account`
struct AcmeAccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract:
      "Print the accounts at the CAs, and the thumbprint that challenges are answered with.",
    discussion: """
      \(serverSettingsWords)

      EXAMPLES:
        aasa acme account
      """)

  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let (folder, authorities) = try options.issuance()
    guard let key = try folder.accountKey() else {
      throw failure("there is no account in \(folder.root) yet")
    }
    print("thumbprint \(thumbprint(of: key))")
    for authority in authorities {
      print("\(authority.name) \(folder.account(at: authority).url ?? "no account yet")")
    }
  }
}
