internal import AppSiteAssociation
package import Client
internal import Rules

/// The address of Apple's CDN, or of a replacement, for fetching a domain's file.
package struct CDNAddress: Sendable {
  package let target: HostTarget
  /// The part of the path before the domain, with a slash at its end.
  let path: String

  /// The address of Apple's CDN, as observed.
  package static let apple = "https://app-site-association.cdn-apple.com/a/v1"

  /// Parses a URL with a path.
  package init(_ text: String) throws(UsageFault) {
    let bytes = Array(text.utf8)
    guard let parts = try? URLParts(bytes.span), parts.host != nil, parts.query == nil,
      parts.fragment == nil
    else {
      throw UsageFault("--cdn \(text) is not a URL such as \(Self.apple)")
    }
    target = try HostTarget(String(decoding: bytes[..<parts.path.lowerBound], as: UTF8.self))
    let path = String(decoding: bytes[parts.path], as: UTF8.self)
    self.path = path.hasSuffix("/") ? path : path + "/"
  }

  package func request(for host: String) -> FetchRequest? { target.request(path: path + host) }
}
