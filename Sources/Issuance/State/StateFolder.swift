package import Posix
package import TLS

/// The files that the issuer writes: one folder, and nothing outside of it.
///
/// ```
/// issuer.lock             the kernel's lock: one issuer at a time
/// acme/account.pem        the account's key, the same at all CAs
/// acme/account.new.pem    the next one, while it is made known to the CAs
/// acme/rollover           somebody asks for another key
/// acme/CA/account         the account's URL at one CA
/// acme/CA/limits          what is left of its limits, and which hosts it has refused
/// acme/CA/orders/HOST     an order under way, with the key that its certificate is for
/// acme/renew/HOST         somebody asks for a new certificate now
/// acme/journal            a line for each step
/// certificates/HOST.pem   what is served
/// ```
package struct StateFolder: Sendable {
  package let root: String

  package init(_ root: String) { self.root = root }

  package var certificates: String { root + "/certificates" }
  var accountKey: String { root + "/acme/account.pem" }
  var newAccountKey: String { root + "/acme/account.new.pem" }
  var rollover: String { root + "/acme/rollover" }
  package var lock: String { root + "/issuer.lock" }
  package var journal: String { root + "/acme/journal" }
  package var renewals: String { root + "/acme/renew" }

  func account(_ authority: Authority) -> String { folder(authority) + "/account" }
  func limitsFile(_ authority: Authority) -> String { folder(authority) + "/limits" }
  func orders(_ authority: Authority) -> String { folder(authority) + "/orders" }
  func order(_ host: String, _ authority: Authority) -> String {
    orders(authority) + "/" + Self.fileName(host)
  }
  package func certificate(_ host: String) -> String {
    certificates + "/" + Self.fileName(host) + ".pem"
  }

  /// As in the domains folder: `_wildcard.example.com` for `*.example.com`.
  static func fileName(_ host: String) -> String {
    isWildcard(host) ? "_wildcard." + domain(of: host) : host
  }

  /// The host that a file belongs to.
  static func host(_ fileName: some StringProtocol) -> String {
    fileName.hasPrefix("_wildcard.") ? "*" + fileName.dropFirst(9) : String(fileName)
  }

  private func folder(_ authority: Authority) -> String { root + "/acme/" + authority.folder }

  /// Makes the folders that are missing.
  func make(for authorities: [Authority]) throws(SystemError) {
    try makeFolder(certificates, mode: 0o700)
    try makeFolder(renewals, mode: 0o700)
    for authority in authorities { try makeFolder(orders(authority), mode: 0o700) }
  }

  /// Removes what a kill in the middle of writing left.
  func removeTemporaryFiles(of authorities: [Authority]) {
    let folders = authorities.flatMap { [folder($0), orders($0)] }
    for path in [root, root + "/acme", certificates, renewals] + folders {
      Posix.removeTemporaryFiles(in: path)
    }
  }

  /// The account's key, if there is one.
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

  func write(_ key: SigningKey, to path: String) throws(SystemError) {
    var bytes = key.pem()
    defer { cleanse(&bytes) }
    try writeFileAtomically(path, bytes, mode: 0o600, replacing: false)
  }

  /// The account's URL at a CA, as it was said last.
  package func accountURL(at authority: Authority) -> String? {
    fields(text(account(authority)) ?? "")["account"]
  }

  /// What a CA calls itself in DNS records, as it was said last.
  package func identities(at authority: Authority) -> [String] {
    if let known = authority.identities { return known }
    let said = fields(text(account(authority)) ?? "")["identities"] ?? ""
    return said.split(separator: " ").map(String.init)
  }

  /// Whether a server has ever worked with this folder.
  package var isInUse: Bool { (try? status(lock)) != nil }

  /// Asks whoever issues for a certificate now.
  package func wish(for host: String) throws(SystemError) {
    try makeFolder(renewals, mode: 0o700)
    try writeFileAtomically(renewals + "/" + Self.fileName(host), [], mode: 0o600)
  }

  /// Asks whoever issues for another key of the account now.
  package func wishForRollover() throws(SystemError) {
    try makeFolder(renewals, mode: 0o700)
    try writeFileAtomically(rollover, [], mode: 0o600)
  }

  /// The text of a small file; nil when there is none.
  func text(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 65_536) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String, to path: String) throws(SystemError) {
    try writeFileAtomically(path, Array(text.utf8), mode: 0o600)
  }
}

/// A file that should have the account's key does not.
package struct KeyFault: Error, CustomStringConvertible {
  let path: String

  package var description: String { "\(path) has no private key that can be read" }
}

/// `key: value` lines, as they stand at the beginning of this module's files.
func fields(_ text: String) -> [Substring: String] {
  var result: [Substring: String] = [:]
  for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
    if line.hasPrefix("-----BEGIN") { break }
    guard let colon = line.firstIndex(of: ":") else { continue }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    result[line[..<colon]] = String(value)
  }
  return result
}
