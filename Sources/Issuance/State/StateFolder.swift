internal import Diagnostics
internal import JSON
package import Posix
internal import Settings
package import TLS

/// The files that the issuer writes, all in one folder.
///
/// ```
/// issuer.lock             the kernel's lock: one issuer at a time
/// acme/holder             the process that gets certificates, written again every 30 seconds
/// acme/account.pem        the account's key, the same at all CAs
/// acme/account.new.pem    the account's next key, until all CAs know it
/// acme/rollover           a request for another account key
/// acme/CA/account         the account's URL at one CA
/// acme/CA/limits          the CA's rate limits, and the hosts that the CA has refused
/// acme/CA/orders/HOST     an order under way, with the key that its certificate is for
/// acme/windows/HOST       the CA's renewal window for the host's certificate
/// acme/renew/HOST         a request for a new certificate now
/// acme/revoked/DIGEST     a certificate whose revocation was requested
/// acme/waiting            the hosts that wait for an order
/// acme/journal            a line for each step
/// certificates/HOST.pem   the certificates to serve, with their keys
/// ```
package struct StateFolder: Sendable {
  package let root: String

  package init(_ root: String) { self.root = root }

  package var certificates: String { root + "/certificates" }
  var accountKey: String { root + "/acme/account.pem" }
  var newAccountKey: String { root + "/acme/account.new.pem" }
  var rollover: String { root + "/acme/rollover" }
  package var lock: String { root + "/issuer.lock" }
  var holder: String { root + "/acme/holder" }
  package var journal: Journal { Journal(path: root + "/acme/journal") }
  var waiting: String { root + "/acme/waiting" }
  package var renewals: String { root + "/acme/renew" }
  package var revoked: String { root + "/acme/revoked" }
  var windows: String { root + "/acme/windows" }

  func accountFile(_ authority: Authority) -> String { folder(authority) + "/account" }
  func limitsFile(_ authority: Authority) -> String { folder(authority) + "/limits" }
  func orders(_ authority: Authority) -> String { folder(authority) + "/orders" }
  func order(_ host: String, _ authority: Authority) -> String {
    orders(authority) + "/" + Self.fileName(host)
  }
  package func certificate(_ host: String) -> String {
    certificates + "/" + Self.fileName(host) + ".pem"
  }
  func renewal(_ host: String) -> String { renewals + "/" + Self.fileName(host) }
  func window(_ host: String) -> String { windows + "/" + Self.fileName(host) }

  /// Returns the file name for a host, as in the domains folder: `_wildcard.example.com` for
  /// `*.example.com`.
  static func fileName(_ host: String) -> String {
    isWildcard(host) ? DomainName.wildcard(domain(of: host)).fileName : host
  }

  static func host(_ fileName: some StringProtocol) -> String {
    fileName.hasPrefix("_wildcard.") ? "*" + fileName.dropFirst(9) : String(fileName)
  }

  private func folder(_ authority: Authority) -> String { root + "/acme/" + authority.folder }

  func make(for authorities: [Authority]) throws(SystemError) {
    try makeFolder(certificates, mode: 0o700)
    for path in [renewals, windows] + authorities.map(orders) { try makeFolder(path, mode: 0o700) }
  }

  /// Removes temporary files of writes that were interrupted when a process was killed.
  func removeTemporaryFiles(of authorities: [Authority]) {
    let folders = authorities.flatMap { [folder($0), orders($0)] }
    for path in [root, root + "/acme", certificates, renewals, windows] + folders {
      Posix.removeTemporaryFiles(in: path)
    }
  }

  /// Reads the account's key; nil if there is no key yet.
  ///
  /// Throws a `SystemError` or a `KeyFault`.
  package func readKey() throws -> SigningKey? { try key(in: accountKey) }

  func key(in path: String) throws -> SigningKey? {
    var bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, limit: 65_536)
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
    defer { cleanse(&bytes) }
    guard let key = SigningKey(pem: bytes) else { throw KeyFault(path: path) }
    return key
  }

  /// Writes a new key. Never replaces an existing key.
  func write(_ key: SigningKey, to path: String) throws(SystemError) {
    try writeSecret("", key, to: path, replacing: false)
  }

  /// Writes a file that contains a private key. The bytes are in one buffer that is never
  /// reallocated, and are overwritten afterwards.
  func writeSecret(
    _ head: String, _ key: SigningKey, _ tail: [UInt8] = [], to path: String,
    replacing: Bool = true
  ) throws(SystemError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(head.utf8.count + SigningKey.pemBytes + tail.count)
    defer { cleanse(&bytes) }
    bytes += head.utf8
    key.appendPEM(to: &bytes)
    bytes += tail
    try writeFileAtomically(path, bytes, mode: 0o600, replacing: replacing)
  }

  /// Returns the account's URL, and the CA's own names in DNS records. The URL is nil if there is
  /// no account yet. For a CA that this program does not know, the names come from the CA's
  /// directory.
  package func account(at authority: Authority) -> (url: String?, identities: [String]) {
    let value = read(accountFile(authority))
    let identities = value?.member("identities")?.elements.compactMap(\.string) ?? []
    return (value?.text("account"), authority.identities ?? identities)
  }

  func writeAccount(
    _ url: String, _ identities: [String], _ authority: Authority
  ) throws(SystemError) {
    try write(
      [
        "account": url.json, "authority": authority.url.json, "identities": identities.json,
      ], to: accountFile(authority))
  }

  /// Whether a person requested another account key, or a change of the key is unfinished.
  var wantsRollover: Bool { [rollover, newAccountKey].contains { (try? status($0)) != nil } }

  /// Returns the hosts that wait for an order. For each, `place` is its position, counted from 1,
  /// and `time` is the expected time of its order, in seconds since 1970.
  package func queue() -> [String: (place: Int, time: Int64)] {
    let entries = read(waiting)?.entries("hosts") ?? []
    let turns = entries.enumerated().map { ($1.key, ($0 + 1, $1.value.number() ?? 0)) }
    return Dictionary(turns) { first, _ in first }
  }

  /// Whether a server has ever used this folder.
  package var isInUse: Bool { (try? status(lock)) != nil }

  /// Asks the issuing process to request a host's certificate now.
  package func requestRenewal(of host: String) throws(SystemError) { try request(renewal(host)) }

  /// Asks the issuing process to change the account's key now.
  package func requestRollover() throws(SystemError) { try request(rollover) }

  private func request(_ path: String) throws(SystemError) {
    try makeFolder(renewals, mode: 0o700)
    try write("", to: path)
  }

  /// Returns the object in a file; nil if the file contains no object. The file must not contain a
  /// key.
  func read(_ path: String) -> Value? {
    (try? readFile(path, limit: IssuanceLimits.stateBytes)).flatMap(stateObject)
  }

  func write(_ members: KeyValuePairs<String, JSONTree?>, to path: String) throws(SystemError) {
    try write(stateText(members), to: path)
  }

  func write(_ text: String, to path: String) throws(SystemError) {
    try writeFileAtomically(path, Array(text.utf8), mode: 0o600)
  }
}

/// The fault of a file that should contain the account's key but contains no key.
package struct KeyFault: Error, CustomStringConvertible {
  let path: String

  package var description: String { "\(path) has no private key that can be read" }
}
