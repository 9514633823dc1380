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
  let store: Store

  package init(_ root: String) { store = Store(root) }

  package var root: String { store.root }
  package func path(_ name: String) -> String { store.path(name) }

  package var certificates: String { "certificates" }
  var accountKey: String { "acme/account.pem" }
  var newAccountKey: String { "acme/account.new.pem" }
  var rollover: String { "acme/rollover" }
  var lock: String { "issuer.lock" }
  var holder: String { "acme/holder" }
  package var journal: Journal { Journal(store: store) }
  var waiting: String { "acme/waiting" }
  var renewals: String { "acme/renew" }
  package var revoked: String { "acme/revoked" }
  var windows: String { "acme/windows" }

  func accountFile(_ authority: Authority) -> String { folder(authority) + "/account" }
  func limitsFile(_ authority: Authority) -> String { folder(authority) + "/limits" }
  func orders(_ authority: Authority) -> String { folder(authority) + "/orders" }
  func order(_ host: String, _ authority: Authority) -> String {
    orders(authority) + "/" + Self.fileName(host)
  }
  func certificate(_ host: String) -> String {
    certificates + "/" + Self.fileName(host) + ".pem"
  }
  func certificatePath(_ host: String) -> String { path(certificate(host)) }
  func renewal(_ host: String) -> String { renewals + "/" + Self.fileName(host) }
  func window(_ host: String) -> String { windows + "/" + Self.fileName(host) }

  /// Returns the file name for a host, such as `_wildcard.example.com` for `*.example.com`.
  static func fileName(_ host: String) -> String {
    isWildcard(host) ? DomainName.wildcard(domain(of: host)).fileName : host
  }

  static func host(_ fileName: String) -> String {
    if case .wildcard(let domain) = DomainName(entryName: fileName) { return "*." + domain }
    return fileName
  }

  private func folder(_ authority: Authority) -> String { "acme/" + authority.folder }

  /// Makes the folders that must exist even if they are empty.
  func make() throws(StoreFault) {
    for folder in [certificates, renewals] { try store.make(folder) }
  }

  /// Removes temporary files of writes that were interrupted when a process was killed.
  func removeTemporaryFiles() {
    for (folder, depth) in [("", 0), (certificates, 0), ("acme", 2)] {
      store.removeTemporaryFiles(in: folder, depth: depth, olderThan: 60)
    }
  }

  /// Reads the account's key; nil if there is none yet. Throws a `StoreFault` or a `KeyFault`.
  package func readKey() throws -> SigningKey? { try key(in: accountKey) }

  func key(in name: String) throws -> SigningKey? {
    let found = try store.readSecret(name, limit: 65_536) { Optional.some(SigningKey(pem: $0)) }
    guard let found else { return nil }
    guard let key = found else { throw KeyFault(path: path(name)) }
    return key
  }

  /// Writes a new key. Never replaces an existing key.
  func write(_ key: SigningKey, to name: String) throws(StoreFault) {
    try writeSecret("", key, to: name, replacing: false)
  }

  func writeSecret(
    _ head: String, _ key: SigningKey, _ tail: [UInt8] = [], to name: String,
    replacing: Bool = true
  ) throws(StoreFault) {
    let capacity = head.utf8.count + SigningKey.pemBytes + tail.count
    try store.writeSecret(name, capacity: capacity, replacing: replacing) { bytes in
      bytes += head.utf8
      key.appendPEM(to: &bytes)
      bytes += tail
    }
  }

  /// Returns the account's URL, and the names that identify the CA in CAA and TXT records (such as
  /// `letsencrypt.org`). The URL is nil if there is no account yet. The names are from the CA's
  /// directory if this program does not know the CA.
  package func account(at authority: Authority) -> (url: String?, identities: [String]) {
    let value = read(accountFile(authority))
    let identities = value?.member("identities")?.elements.compactMap(\.string) ?? []
    return (value?.text("account"), authority.identities ?? identities)
  }

  func writeAccount(
    _ url: String, _ identities: [String], _ authority: Authority
  ) throws(StoreFault) {
    try write(
      [
        "account": url.json, "authority": authority.url.json, "identities": identities.json,
      ], to: accountFile(authority))
  }

  /// Whether a person requested another account key, or a change of the key is unfinished.
  var wantsRollover: Bool { [rollover, newAccountKey].contains { store.status($0) != nil } }

  /// Returns the hosts that wait for an order. `place` is the position of a host, counted from 1.
  /// `time` is the expected time of the host's order, in seconds since 1970.
  package func queue() -> [String: (place: Int, time: Int64)] {
    let entries = read(waiting)?.entries("hosts") ?? []
    let turns = entries.enumerated().map { ($1.key, ($0 + 1, $1.value.number() ?? 0)) }
    return Dictionary(turns) { first, _ in first }
  }

  /// Whether a server has ever used this folder.
  package var isInUse: Bool { store.status(lock) != nil }

  /// Asks the issuing process to request a host's certificate now.
  package func requestRenewal(of host: String) throws(StoreFault) {
    try write("", to: renewal(host))
  }

  /// Asks the issuing process to change the account's key now.
  package func requestRollover() throws(StoreFault) { try write("", to: rollover) }

  /// Returns the object in a file; nil if the file contains no object.
  func read(_ name: String) -> Value? {
    try? store.readSecret(name, limit: IssuanceLimits.stateBytes, stateObject)
  }

  func write(_ members: KeyValuePairs<String, JSONTree?>, to name: String) throws(StoreFault) {
    try write(stateText(members), to: name)
  }

  func write(_ text: String, to name: String) throws(StoreFault) {
    try store.write(name, Array(text.utf8))
  }
}

/// The fault of a file that should contain the account's key but contains no key.
package struct KeyFault: Error, CustomStringConvertible {
  let path: String

  package var description: String { "\(path) has no private key that can be read" }
}
