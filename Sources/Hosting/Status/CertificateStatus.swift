package import TLS

/// How the certificates of the folder stand, in the order of their paths: shares what the loader
/// keeps, for there may be very many.
package struct CertificateStatuses: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  fileprivate let entries: CertificateEntries
  fileprivate let certificates: [Certificate?]
  fileprivate let troubles: Troubles<String>

  init(
    entries: CertificateEntries, certificates: [Certificate?], troubles: Troubles<String>
  ) {
    self.entries = entries
    self.certificates = certificates
    self.troubles = troubles
  }

  /// None.
  package init(arrayLiteral elements: Never...) {
    self.init(entries: CertificateEntries(), certificates: [], troubles: Troubles())
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }
  package subscript(index: Int) -> CertificateStatus { CertificateStatus(all: self, index: index) }
}

/// One certificate of the folder.
package struct CertificateStatus: Sendable {
  fileprivate let all: CertificateStatuses
  fileprivate let index: Int

  /// The name of its files without their ending, or of its folder.
  package var name: String { all.entries.name(index) }
  /// The file of its chain, seen from the certificates folder: no other has the same.
  package var file: String { all.entries.chain(index) }
  /// What is served; nil when there was no good version yet.
  package var certificate: Certificate? { all.certificates[index] }
  package var trouble: Trouble? { all.troubles.isEmpty ? nil : all.troubles[file] }
}
