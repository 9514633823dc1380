/// The certificates and ticket keys for new sessions. Certificates are found by host name.
///
/// This object never changes. A reload makes a new object for new sessions; existing sessions
/// continue to use the object with which they began.
package final class TLSMaterial: Sendable {
  package let ticketKeys: TicketKeys
  /// Whether the user chose a default certificate but no certificate has that name.
  package let isDefaultMissing: Bool
  private let byName: NameIndex
  /// The default certificates, for clients that send no server name and for names that no
  /// certificate has.
  private let byDefault: CertificateChoice?
  /// All certificates, if all have the same names; otherwise nil. Among several certificates with
  /// the same kind of key, only the best one is included.
  private let only: CertificateChoice?
  /// The self-signed certificate that serves every name and covers every host; nil if it is not
  /// used.
  private let selfSignedFallback: Certificate?

  /// Several certificates may have the same name and the same kind of key (RSA, ECDSA, …). Then
  /// prefers valid certificates, and among these the certificate that expires last. A certificate
  /// that is not valid now is served only for names that no valid certificate covers, directly or
  /// by a wildcard.
  ///
  /// - Parameters:
  ///   - certificates: The certificates, each with the name of its files.
  ///   - defaultName: The name of a certificate's files, or one of the host names in a certificate;
  ///     empty if there is no default certificate.
  ///   - selfSignedFallback: The certificate to serve for every name if `certificates` is empty.
  ///   - now: The current time, in seconds since 1970.
  package init(
    certificates: [(name: String, certificate: Certificate)], defaultName: String = "",
    ticketKeys: TicketKeys, selfSignedFallback: Certificate? = nil, now: Int64
  ) {
    let all = certificates.map(\.certificate)
    self.ticketKeys = ticketKeys
    self.selfSignedFallback = all.isEmpty ? selfSignedFallback : nil
    byName = NameIndex(all, now: now)
    let haveSameNames = all.allSatisfy { $0.names == all[0].names }
    only = haveSameNames ? .best(of: all, now: now) : nil
    let named = certificates.filter { $0.name == defaultName }.map(\.certificate)
    byDefault =
      defaultName.isEmpty ? nil : .best(of: named, now: now) ?? byName.find(defaultName)
    isDefaultMissing = !defaultName.isEmpty && byDefault == nil
  }

  /// Returns whether a certificate has the name `hostname` (lower case), directly or by a wildcard.
  /// Ignores the self-signed fallback, because devices refuse it.
  package func covers(_ hostname: String) -> Bool {
    byName.find(hostname) != nil
  }

  /// Returns the certificates with the name `hostname` (lower case), directly or by a wildcard; at
  /// most one for each kind of key.
  package func certificates(for hostname: String) -> [Certificate] {
    byName.find(hostname)?.certificates ?? []
  }
}

extension TLSMaterial {
  /// The certificates chosen for a connection.
  struct Selection: Sendable {
    let choice: CertificateChoice?
    /// The basis of the choice, which decides the hosts that may be requested on the connection.
    let basis: Basis

    enum Basis {
      /// Every chosen certificate has the server name.
      case serverName
      /// The default certificate, or the only certificate. The names in this certificate decide
      /// which hosts may be requested.
      case fallback
      /// The self-signed fallback. Every host may be requested.
      case selfSignedFallback
    }

    static let none = Selection(choice: nil, basis: .fallback)

    var certificates: [Certificate] { choice?.certificates ?? [] }
  }

  /// Chooses certificates for a session. `serverName` is in lower case, or nil if the client sent
  /// no name. With a name, tries the exact name, a wildcard, and the default certificate, in that
  /// order. Without a name, tries the default certificate, then the only certificate. If all
  /// attempts fail, the selection is empty.
  func select(serverName: [UInt8]?) -> Selection {
    if let selfSignedFallback {
      return Selection(
        choice: .init(certificates: [selfSignedFallback]), basis: .selfSignedFallback)
    }
    guard let serverName else {
      return Selection(choice: byDefault ?? only, basis: .fallback)
    }
    if let found = byName.find(String(decoding: serverName, as: UTF8.self)) {
      return Selection(choice: found, basis: .serverName)
    }
    return Selection(choice: byDefault, basis: .fallback)
  }
}

extension TLSMaterial.Selection {
  /// Returns whether each chosen certificate covers `host`. All are checked, because a resumed
  /// session does not show which certificate OpenSSL used.
  func covers(host: Span<UInt8>, serverName: [UInt8]?) -> Bool {
    switch basis {
    case .selfSignedFallback: return true
    case .serverName:
      // In the usual case, the host is the connection's server name.
      if let serverName, equal(serverName.span, host) { return true }
    case .fallback: break
    }
    return choice?.covers(host: host) ?? false
  }
}

/// Returns whether two spans contain the same bytes.
func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}
