internal import Client

/// A CA that certificates are asked from.
package struct Authority: Sendable, Equatable {
  /// As the user writes it.
  package let name: String
  /// Of its directory.
  package let url: String

  package init(name: String, url: String) {
    self.name = name
    self.url = url
  }

  /// Which CAA values mean it, as far as that is known without asking it.
  package var identities: [String]? {
    switch name {
    case "letsencrypt", "letsencrypt-staging": ["letsencrypt.org"]
    case "zerossl": ["sectigo.com", "usertrust.com", "trust-provider.com"]
    case "google": ["pki.goog"]
    default: nil
    }
  }

  /// Its certificates are for tests, and nobody trusts them.
  var isForTests: Bool { name == "letsencrypt-staging" }

  /// The folder of what belongs to it: another CA never finds this one's orders.
  var folder: String {
    let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url[...]
    return String(rest.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
  }
}

/// The request for a URL; nil when it is not one that can be asked.
func request(_ url: String) -> FetchRequest? {
  let scheme: FetchRequest.Scheme
  var rest: Substring
  if url.hasPrefix("https://") {
    (scheme, rest) = (.https, url.dropFirst(8))
  } else if url.hasPrefix("http://") {
    (scheme, rest) = (.http, url.dropFirst(7))
  } else {
    return nil
  }
  rest = rest.prefix { $0 != "#" }
  let authority = rest.prefix { $0 != "/" && $0 != "?" }
  var path = String(rest.dropFirst(authority.count))
  if !path.hasPrefix("/") { path = "/" + path }
  guard let (host, port) = hostAndPort(authority) else { return nil }
  return FetchRequest(scheme, host: host, port: port, path: path)
}
