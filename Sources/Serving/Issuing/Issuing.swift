internal import Bytes
internal import Catalog
package import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Server
package import Settings
internal import Synchronization
internal import TLS

/// The parts of the server that support automatic certificates: the issuer, and the data that the
/// issuer shares with the listeners.
package struct Issuing: Sendable {
  let answers: ChallengeAnswers
  let challenges = ChallengeCertificates()
  /// The issuer; nil if another machine issues the certificates.
  private let issuer: Issuer?
  private let wanted: WantedHosts
  /// The value of the setting `acmeAnswer`: the thumbprint of another machine's account, or the
  /// path of a file that contains the thumbprint. `none` if this machine issues the certificates.
  private let answer: String
  /// The folder of the certificates that this machine issues; nil if another machine issues the
  /// certificates.
  let certificates: String?
  /// The folder with one file for each revoked certificate; nil if another machine issues the
  /// certificates.
  let revocations: String?
  var board: StatusBoard? { issuer?.status }

  /// Nil if the settings do not enable automatic certificates. Throws a `StartFault` or a
  /// `StateFault`.
  init?(_ configuration: Configuration, environment: [String: String]) throws {
    let settings = configuration.issuance
    answer = settings.answer
    if settings.answer != "none" {
      answers = ChallengeAnswers(thumbprint: try Self.thumbprint(settings.answer))
      (issuer, certificates, revocations) = (nil, nil, nil)
      wanted = WantedHosts(hasWildcards: false)
      return
    }
    if settings.authorities.isEmpty { return nil }
    let folder = StateFolder(configuration.issuance.state)
    certificates = folder.path(folder.certificates)
    revocations = folder.path(folder.revoked)
    answers = ChallengeAnswers()
    var options = Issuer.Options(
      authorities: settings.authorities.map(Authority.init(setting:)), folder: folder)
    options.roots = try Self.roots(configuration)
    options.challenges = settings.challenges
    options.resolver = settings.resolver
    wanted = WantedHosts(hasWildcards: options.challenges.contains { $0.fits("*.example.com") })
    options.variables = environment
    if settings.profile != "none" { options.profile = settings.profile }
    if settings.binding != "none" { try Self.bind(&options.authorities, by: settings.binding) }
    issuer = try Issuer(options)
  }

  /// Reads the file of the setting `acmeEab`. The file contains one external account for all CAs,
  /// or one section per CA. A section begins with the line `ca: NAME`.
  static func bind(_ authorities: inout [Authority], by path: String) throws(StartFault) {
    let text = String(decoding: try read(path, for: "acmeEab").bytes, as: UTF8.self)
    var parts: [(name: String?, lines: String)] = [(nil, "")]
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("ca:") {
        parts.append((String(line.dropFirst(3).trimmed { $0 == " " || $0 == "\t" }), ""))
      } else {
        parts[parts.count - 1].lines += line + "\n"
      }
    }
    if parts.count > 1, parts[0].lines.allSatisfy(\.isWhitespace) { parts.removeFirst() }
    for (name, lines) in parts {
      guard let binding = ExternalAccount(lines) else {
        let place = name.map { " after `ca: \($0)`" } ?? ""
        throw StartFault(
          "acmeEab", path, "the file lacks a line `kid: …` or `key: …`\(place)")
      }
      let bound = authorities.indices.filter { name == nil || authorities[$0].name == name }
      if let name, bound.isEmpty {
        throw StartFault("acmeEab", path, "`ca: \(name)` is not a CA in the setting acme")
      }
      for index in bound { authorities[index].binding = binding }
    }
  }

  /// Reads the root certificates of a private CA. Returns nil if the setting is `none`.
  package static func roots(_ configuration: Configuration) throws(StartFault) -> SourceText? {
    let path = configuration.issuance.roots
    if path == "none" { return nil }
    let source = try read(path, for: "acmeCa")
    do throws(CMSError) { _ = try TrustStore.roots(in: source) } catch {
      throw StartFault("acmeCa", path, error.message)
    }
    return source
  }

  /// Returns the thumbprint from the value of the setting `acmeAnswer`. The value is a thumbprint,
  /// or the path of a file that contains a thumbprint.
  package static func thumbprint(_ text: String) throws(StartFault) -> String {
    if IssuanceOptions.isThumbprint(text) { return text }
    if isMissing(text) {
      // No file exists at the path, so the text may be a mistyped thumbprint.
      let word = text.split(separator: "/").last ?? ""
      throw StartFault(
        "acmeAnswer", text,
        "there is no such file, and \(word) is not a thumbprint (43 characters of A to Z, "
          + "a to z, 0 to 9, - and _; this text has \(word.utf8.count))")
    }
    let content = String(decoding: try read(text, for: "acmeAnswer").bytes, as: UTF8.self)
    let found = content.filter { !$0.isWhitespace }
    guard IssuanceOptions.isThumbprint(found) else {
      throw StartFault("acmeAnswer", text, "the file contains no thumbprint of 43 characters")
    }
    return found
  }

  private static func read(
    _ path: String, for setting: String
  ) throws(StartFault) -> SourceText {
    do throws(SystemError) {
      return SourceText(path: path, bytes: try readFile(path, limit: 1_048_576))
    } catch {
      throw StartFault(setting, path, error.reason)
    }
  }

  // MARK: Functions for the running server

  /// Starts issuing certificates. Call this function after the files are loaded.
  func start(
    _ status: StatusPublisher, _ server: Server, expectsProxy: Bool, _ log: ServerLog
  ) throws(SystemError) {
    guard let issuer else { return }
    // Listeners that expect the PROXY protocol refuse connections without a PROXY header, so the
    // issuer cannot make handshakes with them.
    let addresses = expectsProxy ? [] : server.endpoints.filter(\.isSecure).map(\.address.reachable)
    var environment = Issuer.Environment { [wanted] in wanted.current(status.current) }
    environment.answer = { [answers] in answers.thumbprint = $0 }
    environment.addresses = addresses
    environment.certificates = addresses.isEmpty ? nil : challenges
    environment.served = {
      let found = status.current.certificates.compactMap(\.certificate)
      return Dictionary(found.map { ($0.path, $0) }) { $1 }
    }
    environment.announce = { log.announce($0 + "\n") }
    environment.report = { log.report($0) }
    status.follow { issuer.noteNews() }
    try issuer.start(environment)
  }

  /// Returns whether a CA may have to reach this server. This is true if another machine issues the
  /// certificates, or if hosts still need certificates.
  func awaitsCertificates(_ status: HostingStatus) -> Bool {
    issuer == nil || !wanted.current(status).isEmpty
  }

  /// Reads the file of the setting `acmeAnswer` again, because the account may have a new key. Uses
  /// a separate thread, so that the caller does not wait for a slow file system.
  func readAgain(_ log: ServerLog) {
    if answer == "none" || IssuanceOptions.isThumbprint(answer) { return }
    _ = try? Thread(named: "thumbprint") { [answer, answers] in
      do throws(StartFault) { answers.thumbprint = try Self.thumbprint(answer) } catch {
        log.report(error)
      }
    }
  }

  func stop() { issuer?.stop() }

  func hasEnded() -> Bool { issuer?.hasEnded() ?? true }
}

/// The served hosts that have no certificate from the user. This list is computed again only if the
/// catalog or a certificate of the user has changed.
private final class WantedHosts: Sendable {
  private struct State {
    var catalog: Catalog?
    var covered: [ObjectIdentifier] = []
    var list: Set<String> = []
  }

  private let hasWildcards: Bool
  private let state = Mutex(State())

  init(hasWildcards: Bool) { self.hasWildcards = hasWildcards }

  func current(_ now: HostingStatus) -> Set<String> {
    state.withLock { state in
      let own = now.certificates.filter { !$0.isIssuedHere }.compactMap(\.certificate)
      let identities = own.map(ObjectIdentifier.init)
      if !now.isLoaded || state.catalog === now.catalog && state.covered == identities {
        return state.list
      }
      let covered = CoveredNames(own)
      state.catalog = now.catalog
      state.covered = identities
      let all = now.catalog.hosts + (hasWildcards ? now.catalog.wildcards : [])
      let hosts = Set(all.filter { !covered.contains($0) })
      if hosts != state.list { state.list = hosts }
      return state.list
    }
  }
}

extension SocketAddress {
  /// The address at which this machine can reach a listener. For a listener with an unspecified
  /// address, this is the loopback address.
  fileprivate var reachable: SocketAddress {
    guard isUnspecified else { return self }
    return SocketAddress(isIPv4 ? .loopbackIPv4 : .loopbackIPv6, port: port)
  }
}
