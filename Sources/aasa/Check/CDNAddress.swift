internal import AppSiteAssociation
internal import ArgumentParser
internal import Client

/// Where Apple's CDN, or a stand-in for it, is asked for a domain's file.
struct CDNAddress: Sendable {
  let target: HostTarget
  /// What stands before the domain in the path, with a slash at its end.
  let path: String

  /// Seen in the field.
  static let apple = "https://app-site-association.cdn-apple.com/a/v1"

  /// Reads a URL with a path.
  init(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard let parts = try? URLParts(bytes.span), parts.host != nil, parts.query == nil,
      parts.fragment == nil
    else {
      throw ValidationError("--cdn \(text) is not a URL such as \(Self.apple)")
    }
    target = try HostTarget(String(decoding: bytes[..<parts.path.lowerBound], as: UTF8.self))
    let path = String(decoding: bytes[parts.path], as: UTF8.self)
    self.path = path.hasSuffix("/") ? path : path + "/"
  }

  func request(for host: String) -> FetchRequest? { target.request(path: path + host) }
}
