internal import ArgumentParser
internal import Issuance
internal import Posix
internal import Settings

/// The command `aasa acme`, whose subcommands manage automatic certificates.
struct AcmeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acme",
    abstract: "Manage the certificates that the server gets from CAs.",
    discussion: """
      These commands use the server's state folder (--acme-state); run them on the machine that \
      has this folder.

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

/// The help of a command with few options shows this text instead of the list of all settings.
let serverSettingsWords = """
  Uses the server's settings, which aasa config prints. To use other settings, pass \
  --config or any other option of aasa config.
  """

extension ServerOptions {
  /// Returns the state folder of automatic certificates, and the CAs, from the settings.
  func issuance() throws -> (folder: StateFolder, authorities: [Authority]) {
    let configuration = try resolve()
    let folder = StateFolder(configuration.issuance.state)
    let authorities = configuration.issuance.authorities.map(Authority.init(setting:))
    if let path = folder.newerFile(authorities).map(folder.path) {
      throw failure("a later version of aasa wrote \(path): run that version", .usage)
    }
    return (folder, authorities)
  }
}

struct AcmeRenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Request a new certificate now.",
    discussion: """
      The running server orders the certificate. If no server is running, the next server to \
      start orders it.

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
      do throws(StoreFault) {
        try folder.requestRenewal(of: host)
      } catch {
        throw failure("\(error)")
      }
      print(
        "a new certificate for \(host) is requested; to follow the request: aasa acme status "
          + "\(host)")
    }
  }
}

struct AcmeRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Print the DNS records of a name: CAA, and TXT for dns-persist-01.",
    discussion: """
      With the CAA record, only this server's account can get certificates for the name. The TXT \
      record proves to the CA that this account controls the name. A wildcard needs the TXT \
      record; other names need it only if the setting acmeChallenges has dns-persist-01.

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
      throw failure("choose the CA, for example --acme letsencrypt", .usage)
    }
    for authority in authorities {
      let (account, identities) = folder.account(at: authority)
      guard let identity = identities.first else {
        throw failure(
          "\(authority.name) does not announce its name for CAA records; see this CA's "
            + "documentation for the TXT record")
      }
      if isWildcard(name) || challenges.contains(.record) {
        guard let account else {
          throw failure(
            "the TXT record must contain an account at \(authority.name), but no such account "
              + "exists yet;"
              + " start the server, which creates an account, then run this command again")
        }
        print(PersistentRecord(name, identity: identity, account: account).line)
        if isWildcard(name) { continue }
      }
      if account == nil {
        printError(
          "warning: there is no account at \(authority.name) yet, so this record permits every "
            + "account at this CA; start the server, which creates an account, then run this "
            + "command again")
      }
      print("\(name). CAA 0 issue \"\(identity)\(account.map { "; accounturi=\($0)" } ?? "")\"")
    }
  }
}

struct AcmeAccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract:
      "Print the accounts at the CAs, and the thumbprint for answering challenges.",
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
