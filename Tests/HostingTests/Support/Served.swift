@testable import Hosting

/// The served text in short: the body, `unavailable` or `absent`.
func bodyText(_ availability: Availability?) -> String {
  switch availability {
  case .served(let file): text(file.content.identity.body)
  case .unavailable: "unavailable"
  case .absent: "absent"
  case nil: "no site"
  }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Availability {
  var content: Content? {
    if case .served(let file) = self { return file.content }
    return nil
  }
}

extension DomainName {
  /// From an entry's name, for tests that know it to be one.
  static func named(_ name: String) -> DomainName { DomainName(entryName: name) ?? .any }
}

extension Catalog {
  /// The content that a host serves at the association path.
  func association(_ host: String) -> String { bodyText(site(for: host)?.association) }
}
