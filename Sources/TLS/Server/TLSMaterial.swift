/// The certificates, by name, and ticket keys of new sessions.
///
/// An immutable snapshot. A reload builds a new one and publishes it; existing sessions keep the
/// one they began with.
package final class TLSMaterial: Sendable {
  package let ticketKeys: TicketKeys
  /// True when a default was asked for and no certificate has that name.
  package let isDefaultMissing: Bool
  private let index: Index

  /// Where certificates are looked up, apart from the keys so that these can be replaced alone.
  struct Index: Sendable {
    var byName = NameIndex()
    /// For clients without a server name, and for names that no certificate has.
    var byDefault: CertificateChoice?
    /// The only certificates, if all have the same names, at most one for each kind of key.
    var only: CertificateChoice?
    /// Serves every name, and covers every host.
    var selfSignedFallback: Certificate?
  }

  private init(ticketKeys: TicketKeys, isDefaultMissing: Bool, index: Index) {
    self.ticketKeys = ticketKeys
    self.isDefaultMissing = isDefaultMissing
    self.index = index
  }

  /// Builds the snapshot.
  ///
  /// If several certificates with the same kind of key (RSA, ECDSA, …) have a name, valid ones are
  /// preferred to invalid ones, and among those the one that expires last. Certificates that are
  /// not valid now are served only for names that no valid certificate has, not even as a wildcard.
  ///
  /// - Parameters:
  ///   - certificates: Each with the name of its files, which `defaultName` may refer to.
  ///   - defaultName: The name of a certificate's files, or a host name of a certificate; empty for
  ///     none.
  ///   - selfSignedFallback: Served for every name if `certificates` is empty.
  ///   - now: Seconds since 1970.
  package static func build(
    certificates: [(name: String, certificate: Certificate)], defaultName: String = "",
    ticketKeys: TicketKeys, selfSignedFallback: Certificate? = nil, now: Int64
  ) -> TLSMaterial {
    build(
      certificates: certificates.map(\.certificate),
      named: certificates.filter { $0.name == defaultName }.map(\.certificate),
      defaultName: defaultName, ticketKeys: ticketKeys, selfSignedFallback: selfSignedFallback,
      now: now)
  }

  /// The same, without the names of the certificates' files.
  ///
  /// - Parameter named: The certificates whose files are called `defaultName`.
  package static func build(
    certificates: [Certificate], named: [Certificate], defaultName: String,
    ticketKeys: TicketKeys, selfSignedFallback: Certificate?, now: Int64
  ) -> TLSMaterial {
    var index = Index()
    if certificates.isEmpty {
      index.selfSignedFallback = selfSignedFallback
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

  /// Whether a certificate has the name `hostname` (lower case), itself or by a wildcard. The
  /// self-signed fallback does not count, because devices refuse it.
  package func covers(_ hostname: String) -> Bool {
    index.byName.find(hostname) != nil
  }

  /// The certificates with the name `hostname` (lower case), themselves or by a wildcard; at most
  /// one for each kind of key.
  package func certificates(for hostname: String) -> [Certificate] {
    index.byName.find(hostname)?.certificates ?? []
  }
}

extension TLSMaterial {
  /// The certificates chosen for a connection.
  struct Selection: Sendable {
    let choice: CertificateChoice?
    /// The basis of the choice, which decides about the hosts that may be requested on the
    /// connection.
    let basis: Basis

    enum Basis {
      /// Every chosen certificate has the server name.
      case serverName
      /// The default, or the only one: its own names count.
      case fallback
      /// The self-signed fallback: all hosts.
      case selfSignedFallback
    }

    static let none = Selection(choice: nil, basis: .fallback)

    var certificates: [Certificate] { choice?.certificates ?? [] }
  }

  /// The choice for a server name in lower case; nil if the client sent none.
  ///
  /// With a name: exact, then wildcard, then the default. Without: the default, then the only
  /// certificate. Empty if nothing can be served.
  func select(serverName: [UInt8]?) -> Selection {
    if let selfSignedFallback = index.selfSignedFallback {
      return Selection(
        choice: .init(certificates: [selfSignedFallback]), basis: .selfSignedFallback)
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
  /// Whether each chosen certificate covers `host`. Which of them OpenSSL used is unknown in a
  /// resumed session, and does not matter.
  func covers(host: Span<UInt8>, serverName: [UInt8]?) -> Bool {
    switch basis {
    case .selfSignedFallback: return true
    case .serverName:
      // The usual case: the host is the server name of the connection.
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
