/// What is looked at together.
enum LookKey: Hashable, Sendable {
  /// The names in the domains folder.
  case domainsFolder
  case domain(DomainName)
  /// The names in the certificates folder.
  case certificatesFolder
  /// What belongs to a name in the certificates folder.
  case certificate(String)

  /// What a name in the domains folder belongs to. Other names, such as links that lead to a version
  /// of the whole folder, concern the folder.
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
