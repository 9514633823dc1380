package import Catalog
package import Settings

/// The served text in short: the body, `unavailable` or `absent`.
package func bodyText(_ availability: Availability?) -> String {
  switch availability {
  case .served(let file): text(file.content.identity.body)
  case .unavailable: "unavailable"
  case .absent: "absent"
  case nil: "no site"
  }
}

package func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Availability {
  package var content: Content? {
    if case .served(let file) = self { return file.content }
    return nil
  }
}

extension DomainName {
  /// From an entry's name, for tests that know it to be one.
  package static func named(_ name: String) -> DomainName { DomainName(entryName: name) ?? .any }
}

extension ContentKind {
  package static let association = file(WellKnownFiles.association)
  package static let assetLinks = file(WellKnownFiles.assetLinks)
}

extension Site {
  /// A site with the files of app associations, and others by their numbers.
  package convenience init(
    name: DomainName, association: Availability, assetLinks: Availability,
    others: [Int: Availability] = [:]
  ) {
    var answers = [association, assetLinks]
    for (number, answer) in others.sorted(by: { $0.key < $1.key }) {
      while answers.count < number { answers.append(.absent) }
      answers.append(answer)
    }
    while case .absent? = answers.last { answers.removeLast() }
    self.init(name: name, answers: answers)
  }
}

extension Catalog {
  /// The content that a host serves at the association path.
  package func association(_ host: String) -> String { bodyText(site(for: host)?.association) }
}

extension ContentStore {
  /// The content for these bytes, compressed.
  package mutating func content(of bytes: [UInt8], kind: ContentKind) -> Content {
    let content = adopt(maker.content(of: bytes, kind: kind))
    while hasUncompressed { compressNext() }
    return content
  }
}
