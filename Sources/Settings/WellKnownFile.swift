/// A file that a host can serve: a row of the table of served files.
package struct WellKnownFile: Sendable, Equatable {
  /// The role of a file, which determines where the file can be and which clients get it.
  package enum Role: Sendable {
    /// Apple's or Android's association file. The file can be in the host's folder, in the
    /// subfolder `.well-known` of this folder, or a flat file. If a new version does not meet the
    /// host's expectations, the server continues to serve the last good version.
    case association, assetLinks
    /// Any other file in `.well-known`. The server knows only the file's name and media type.
    case other
    /// The page for people without the app. The file `page.html` is in the host's folder, or is a
    /// flat file. The page has no request path: the server sends the page for the links that the
    /// host's association file opens in an app.
    case page
  }

  /// The path below `/.well-known/`: a file name, or a folder and a file name.
  package let name: String
  package let mediaType: String
  /// Whether scripts of other sites may read the file. Some specifications require that all scripts
  /// may read the file.
  let isOpenToScripts: Bool
  package let role: Role

  package init(_ name: String, _ mediaType: String, isOpenToScripts: Bool = false) {
    self.init(name, mediaType, isOpenToScripts: isOpenToScripts, .other)
  }

  private init(_ name: String, _ mediaType: String, isOpenToScripts: Bool = false, _ role: Role) {
    self.name = name
    self.mediaType = mediaType
    self.isOpenToScripts = isOpenToScripts
    self.role = role
  }

  package static let association = WellKnownFile("apple-app-site-association", json, .association)
  package static let assetLinks = WellKnownFile("assetlinks.json", json, .assetLinks)
  /// The page for people without the app.
  package static let page = WellKnownFile("page.html", "text/html; charset=utf-8", .page)

  /// The maximum size of a page in bytes.
  package static let pageBytes = 65_536

  /// The additional header fields of responses with this file.
  package var fields: [(name: String, value: String)] {
    if role == .page { return Self.pageFields }
    return isOpenToScripts ? [("Access-Control-Allow-Origin", "*")] : []
  }

  /// Header fields that prevent the page from running scripts, from sending data, and from being
  /// framed. These fields allow images from all sites.
  package static let pageFields: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ), ("Referrer-Policy", "no-referrer"),
  ]

  /// The folder below `.well-known` that contains the file; nil if the file is directly in
  /// `.well-known`.
  package var folder: String? {
    name.firstIndex(of: "/").map { String(name[..<$0]) }
  }

  /// Whether the content must be JSON.
  package var isJSON: Bool {
    let type = mediaType.lowercased().prefix { $0 != ";" && $0 != " " }
    return type == "application/json" || type.hasSuffix("+json")
  }

  /// The files of the role `other` that the server serves without a setting. `change-password` is
  /// not one of these files, because a request for its path must be redirected, and this server
  /// never redirects.
  package static let all = [
    // developer.apple.com, "Register merchant domain". Both names are in use.
    WellKnownFile("apple-developer-merchantid-domain-association", text),
    WellKnownFile("apple-developer-merchantid-domain-association.txt", text),
    // developer.apple.com, "Configuring your environment for Sign in with Apple".
    WellKnownFile("apple-developer-domain-association.txt", text),
    // learn.microsoft.com, "Configure an application's publisher domain".
    WellKnownFile("microsoft-identity-association.json", json),
    // RFC 9116 section 3.
    WellKnownFile("security.txt", "text/plain; charset=utf-8"),
    // W3C, "Web Authentication Level 3", section 5.11.
    WellKnownFile("webauthn", json),
    // W3C, "A Well-Known URL for Relying Party Passkey Endpoints".
    WellKnownFile("passkey-endpoints", json),
    // spec.matrix.org, "Server discovery" and "Well-known URIs".
    WellKnownFile("matrix/client", json, isOpenToScripts: true),
    WellKnownFile("matrix/server", json),
    WellKnownFile("matrix/support", json, isOpenToScripts: true),
    // Discord, "Domain verification": one line, `dh=…`.
    WellKnownFile("discord", text),
    // Nostr, NIP-05.
    WellKnownFile("nostr.json", json, isOpenToScripts: true),
    // OpenID Connect Discovery 1.0, section 4.
    WellKnownFile("openid-configuration", json, isOpenToScripts: true),
  ]

  private static let text = "text/plain"
  private static let json = "application/json"
}
