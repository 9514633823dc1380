internal import Client
internal import Settings

/// A CA that issues certificates for this server.
package struct Authority: Sendable, Equatable {
  /// The name of the CA as the user wrote it.
  package let name: String
  /// The URL of the CA's directory.
  package let url: String
  /// The account at this CA that was created outside ACME.
  package var binding: ExternalAccount?

  /// The names that identify the CA in CAA records; nil if only the CA's directory lists them.
  package var identities: [String]? {
    switch name {
    case "letsencrypt", "letsencrypt-staging": ["letsencrypt.org"]
    case "zerossl": ["sectigo.com", "usertrust.com", "trust-provider.com"]
    case "google": ["pki.goog"]
    default: nil
    }
  }

  /// Whether the CA issues only test certificates, which no client trusts.
  var isForTests: Bool { name == "letsencrypt-staging" }

  /// The folder for the CA's files. Separate folders keep the orders of different CAs apart.
  var folder: String {
    let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url[...]
    return String(rest.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
  }
}

extension Authority {
  /// Creates a CA from the text of a setting: the name of a known CA, or a directory URL.
  package init(setting: String) {
    let url = IssuanceOptions.known.first { $0.name == setting }?.url
    self.init(name: setting, url: url ?? setting)
  }
}

func request(_ url: String) -> FetchRequest? {
  var rest = url.prefix { $0 != "#" }
  guard let scheme = FetchRequest.Scheme(takenFrom: &rest) else { return nil }
  let authority = rest.prefix { $0 != "/" && $0 != "?" }
  let path = rest.dropFirst(authority.count)
  guard let (host, port) = hostAndPort(authority) else { return nil }
  return FetchRequest(scheme, host: host, port: port, path: (path.hasPrefix("/") ? "" : "/") + path)
}
