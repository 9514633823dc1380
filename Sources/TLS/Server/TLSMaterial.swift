/// What sessions are made with: certificates found by name, and ticket keys.
///
/// An immutable snapshot. A reload builds a new one and publishes it; sessions in flight keep the
/// one they began with.
package final class TLSMaterial: Sendable {
  package let ticketKeys: TicketKeys
  /// True when a default was asked for and no certificate has that name.
  package let isDefaultMissing: Bool
  private let index: Index

  /// Where certificates are looked up, apart from the keys so that these can be replaced alone.
  struct Index: Sendable {
    var byName = NameIndex()
    /// For clients that name no host, and for names no certificate has.
    var byDefault: CertificateChoice?
    /// All certificates are one set: the same names, at most one for each kind of key.
    var only: CertificateChoice?
    /// Serves every name, and covers every host.
    var standIn: Certificate?
  }

  private init(ticketKeys: TicketKeys, isDefaultMissing: Bool, index: Index) {
    self.ticketKeys = ticketKeys
    self.isDefaultMissing = isDefaultMissing
    self.index = index
  }

  /// Builds the snapshot.
  ///
  /// When several certificates with the same kind of key (RSA, ECDSA, …) have a name, one that is
  /// valid now goes before one that is not, and among those the one that lasts longest wins.
  /// Certificates that are not valid now are served only for names that no valid certificate
  /// has, not even as a wildcard.
  ///
  /// - Parameters:
  ///   - certificates: each with the name its files have, which `defaultName` may refer to.
  ///   - defaultName: the name of a certificate's files, or a host name that a certificate has;
  ///     empty for none.
  ///   - standIn: served for every name when `certificates` is empty.
  ///   - now: seconds since 1970.
  package static func build(
    certificates: [(name: String, certificate: Certificate)], defaultName: String = "",
    ticketKeys: TicketKeys, standIn: Certificate? = nil, now: Int64
  ) -> TLSMaterial {
    build(
      certificates: certificates.map(\.certificate),
      named: certificates.filter { $0.name == defaultName }.map(\.certificate),
      defaultName: defaultName, ticketKeys: ticketKeys, standIn: standIn, now: now)
  }

  /// The same, without the names of the certificates' files.
  ///
  /// - Parameter named: those of the certificates whose files are called `defaultName`.
  package static func build(
    certificates: [Certificate], named: [Certificate], defaultName: String,
    ticketKeys: TicketKeys, standIn: Certificate?, now: Int64
  ) -> TLSMaterial {
    var index = Index()
    if certificates.isEmpty {
      index.standIn = standIn
      return TLSMaterial(
        ticketKeys: ticketKeys, isDefaultMissing: !defaultName.isEmpty, index: index)
    }
    index.byName = NameIndex(certificates, now: now)
    if certificates.allSatisfy({ $0.names == certificates[0].names }) {
      index.only = .best(of: certificates, now: now)
    }
    if !defaultName.isEmpty {
      index.byDefault =
        named.isEmpty
        ? index.byName.find(defaultName) : .best(of: named, now: now)
    }
    return TLSMaterial(
      ticketKeys: ticketKeys, isDefaultMissing: !defaultName.isEmpty && index.byDefault == nil,
      index: index)
  }

  /// The same certificates with other ticket keys.
  package func with(ticketKeys: TicketKeys) -> TLSMaterial {
    TLSMaterial(ticketKeys: ticketKeys, isDefaultMissing: isDefaultMissing, index: index)
  }

  /// Whether a certificate names `hostname` (lower case), itself or by a wildcard. The stand-in,
  /// which devices refuse, does not count.
  package func covers(_ hostname: String) -> Bool {
    index.byName.find(hostname) != nil
  }

  /// The certificates that name `hostname` (lower case), themselves or by a wildcard; at most one
  /// for each kind of key.
  package func certificates(for hostname: String) -> [Certificate] {
    index.byName.find(hostname)?.certificates ?? []
  }
}

extension TLSMaterial {
  /// The certificates chosen for a connection.
  struct Selection: Sendable {
    let choice: CertificateChoice?
    /// What the choice says about the hosts that may be asked for on the connection.
    let basis: Basis

    enum Basis {
      /// Every certificate chosen has the server name.
      case serverName
      /// The default, or the only one: its own names count.
      case fallback
      /// Self-signed in want of anything better: all hosts.
      case standIn
    }

    static let none = Selection(choice: nil, basis: .fallback)

    var certificates: [Certificate] { choice?.certificates ?? [] }
  }

  /// The choice for a server name, lower-cased; nil when the client named none.
  ///
  /// With a name: exact, then wildcard, then the default. Without: the default, then the only
  /// certificate there is. Empty when nothing can be served.
  func select(serverName: [UInt8]?) -> Selection {
    if let standIn = index.standIn {
      return Selection(choice: .init(certificates: [standIn]), basis: .standIn)
    }
    guard let serverName else {
      return Selection(choice: index.byDefault ?? index.only, basis: .fallback)
    }
    if let found = index.byName.find(String(decoding: serverName, as: UTF8.self)) {
      return Selection(choice: found, basis: .serverName)
    }
    return Selection(choice: index.byDefault, basis: .fallback)
  }
}

extension TLSMaterial.Selection {
  /// Whether each certificate chosen covers `host`: which of them OpenSSL took for the client's
  /// sake is not known on a resumed session, and need not be.
  func covers(host: Span<UInt8>, serverName: [UInt8]?) -> Bool {
    switch basis {
    case .standIn: return true
    case .serverName:
      // The usual case: the host is the name the connection was opened for.
      if let serverName, equal(serverName.span, host) { return true }
    case .fallback: break
    }
    return choice?.covers(host: host) ?? false
  }
}

/// Whether two spans hold the same bytes.
func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}
