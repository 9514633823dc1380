internal import Settings

/// What a single scan covers.
enum ScanKey: Hashable, Sendable {
  /// The names in the domains folder.
  case domainsFolder
  case domain(DomainName)
  /// The names in the certificates folder.
  case certificatesFolder
  /// The names in the folder of automatic certificates.
  case issuedFolder
  /// The file `confirm` in the state folder.
  case stateFolder
  /// The files in either of the two certificates folders that belong to a name.
  case certificate(String)

  /// Makes the key for a name in the domains folder. If the name does not belong to a domain, the
  /// key is `domainsFolder`. For example, a link to a version of the whole folder does not belong
  /// to a domain.
  init(nameInDomains name: String) {
    for isDirectory in [false, true] {
      if case .part(_, let domain) = NameClass(name, isDirectory: isDirectory) {
        self = .domain(domain)
        return
      }
    }
    self = .domainsFolder
  }
}
