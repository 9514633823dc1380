internal import ArgumentParser
internal import Diagnostics
internal import Issuance
internal import JSON
internal import Posix
internal import Reporting
internal import Serving
internal import Settings
internal import TLS

// The commands of `aasa acme` that check one host, or that change something at the CA.

struct AcmeTryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Check whether a CA would issue a certificate, without asking the CA.",
    discussion: """
      Resolves the name, asks each of its addresses for the answer to a challenge on port 80, and \
      reads CAA records, as the server does before it orders a certificate. For a wildcard, reads \
      the TXT record that aasa acme record prints. Prints what to change.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme try example.com

      EXIT CODES:
        0 nothing prevents a certificate
        1 something prevents a certificate; the message says what
        2 wrong usage or configuration
      """)

  @Argument(help: "hosts") var hosts: [String]
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let trials = try options.trials()
    var isGood = true
    for host in hosts.map({ $0.lowercased() }) {
      for (authority, trial) in trials {
        switch trial.trial(host) {
        case .ready: print("\(host): ready for \(authority)")
        case .unseen, .needsAccount:
          print(
            "\(host): ready for \(authority), as far as this machine can tell: it cannot connect to"
              + " every address of the host")
        case .fault(let fault):
          printError("error: \(fault.text)")
          printError("help: \(fault.help)")
          isGood = false
        }
        if !isGood { break }
      }
    }
    if !isGood { throw ExitCode.found }
  }
}

extension ServerOptions {
  /// Returns one check for each CA. The check shows whether the CA would issue a certificate for a
  /// host.
  func trials() throws -> [(authority: String, trial: NameCheck)] {
    let (folder, authorities) = try issuance()
    let settings = try resolve().issuance
    if authorities.isEmpty {
      throw failure("choose the CA, for example --acme letsencrypt", .usage)
    }
    guard settings.challenges != [.tls] else {
      throw failure("only the running server itself can try tls-alpn-01", .usage)
    }
    let answered = try? Issuing.thumbprint(settings.answer)
    guard let answer = try answered ?? folder.accountKey().map(thumbprint(of:)) else {
      throw failure(
        "there is no account in \(folder.root) yet; start the server, which creates the account's "
          + "key")
    }
    return try authorities.map { authority in
      let account = folder.account(at: authority)
      let caaIdentity = CAAIdentity(
        identities: account.identities, account: account.url, methods: settings.challenges)
      let trial = try NameCheck(
        thumbprint: answer, isPrivate: settings.roots != "none" && authority.identities == nil,
        caaIdentity: caaIdentity, resolver: settings.resolver)
      return (authority.name, trial)
    }
  }
}

extension StateFolder {
  /// Returns the account's key; nil if there is no key yet. Throws the exit code if the key cannot
  /// be read.
  func accountKey() throws -> SigningKey? {
    do { return try readKey() } catch {
      throw failure("\(error)")
    }
  }
}

extension ServerOptions {
  /// Throws the exit code if no server has ever used the folder, because then no server would
  /// handle a request in this folder. If a running server uses a different folder, the printed
  /// error contains the path of that folder.
  func requireUse(of folder: StateFolder, exitCode: ExitCode = .found) throws {
    if folder.isInUse { return }
    let other = try stateFolderOfServer().flatMap { $0 == folder.root ? nil : $0 }
    throw failure(
      "no server has obtained certificates in \(folder.root); "
        + (other.map { "the running server's state folder is \($0): add --acme-state \($0)" }
          ?? "pass the server's state folder with --acme-state"),
      exitCode)
  }

  /// Returns the state folder of the server that listens at the admin address; nil if no server
  /// answers.
  private func stateFolderOfServer() throws -> String? {
    guard let address = try resolve().admin else { return nil }
    let client = AdminClient(
      addresses: address.addresses.flatMap(AdminOptions.reachable), timeout: 2000)
    guard let answer = try? client.get("/status?limit=0"),
      let status = try? Document(parsing: SourceText(path: "/status", bytes: answer.body))
    else { return nil }
    return status.root.member("acmeState")?.string
  }
}

struct AcmeRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke the certificate of a host, and request a new one.",
    discussion: """
      Revokes the certificate at the CA that issued it. The running server requests a certificate \
      with a new key at once, and serves the revoked certificate until the new one arrives.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme revoke --key-compromised example.com
      """)

  @Argument(help: "the host") var host: String
  @Flag(help: "report to the CA that the private key may have leaked") var keyCompromised = false
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let (folder, _) = try options.issuance()
    try options.requireUse(of: folder)
    let configuration = try options.resolve()
    let roots: SourceText?
    do throws(StartFault) { roots = try Issuing.roots(configuration) } catch {
      for entry in error.entries { writeToStandard(2, entry.line(as: .text, time: 0)) }
      throw ExitCode.usage
    }
    let host = host.lowercased()
    do throws(IssuanceFailure) {
      try revoke(
        host, in: folder, roots: roots, reason: keyCompromised ? .keyCompromise : .unspecified,
        variables: environmentVariables())
    } catch {
      throw failure("the certificate of \(host) is not revoked: \(error.text)")
    }
    do throws(StoreFault) { try folder.requestRenewal(of: host) } catch {
      throw failure(
        "the certificate is revoked, but a new certificate cannot be requested: \(error)")
    }
    print(
      "revoked; a new certificate for \(host) is requested; to follow the request: aasa acme "
        + "status \(host)")
  }
}

struct AcmeRolloverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollover",
    abstract: "Change the account's private key at all CAs.",
    discussion: """
      The running server changes the key when no order is in progress. If no server is running, \
      the next server to start changes it. The accounts and the CAA records for them stay valid. \
      Servers with --acme-answer need the new thumbprint: copy it from the log to the file set by \
      acmeAnswer, and send SIGHUP.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme rollover
      """)

  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let folder = try options.issuance().folder
    try options.requireUse(of: folder)
    do throws(StoreFault) { try folder.requestRollover() } catch {
      throw failure("\(error)")
    }
    print(
      "a new key is requested; once the server uses it, the log and aasa acme account show its "
        + "thumbprint")
  }
}
