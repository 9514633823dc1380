internal import Bytes
internal import Client
internal import Diagnostics
internal import HTTP

/// Returns the finding about what people without the app get at a link. The finding is always a
/// note.
func findingWithoutApp(_ link: Exchange) -> Finding {
  let (words, help) = browserFallback(for: link)
  return Finding(.linkWithoutApp, "without the app, " + words, help: help)
}

/// - Returns: Words for the answer, and the help text. If the help text is nil, the finding uses
///   the help text of its kind.
private func browserFallback(for link: Exchange) -> (words: String, help: String?) {
  guard let head = link.head else { return ("the link gets no answer", nil) }
  let place = head.isRedirect ? head.value(of: "location") : nil
  if let place {
    switch hostOfURL(place) {
    case "apps.apple.com", "itunes.apple.com", "appstore.com":
      return ("the link leads to the App Store", nothing)
    case "play.google.com": return ("the link leads to Google Play", nothing)
    default: return ("the link leads to \(place)", "check that this page leads to the app")
    }
  }
  switch head.status {
  case 200:
    let type = head.value(of: "content-type")?.lowercased() ?? "no content type"
    guard type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") else {
      return ("the link shows content of the type \(type)", nil)
    }
    if (link.body ?? []).contains("apple-itunes-app") {
      return ("the link shows a page on which Safari offers the app in a banner", nothing)
    }
    return (
      "the link shows a page on which Safari does not offer the app",
      "if it should, put <meta name=\"apple-itunes-app\" content=\"app-id=NUMBER\"> into the page's "
        + "head: a Smart App Banner"
    )
  case 404, 410: return ("the page of the link is not found (\(head.status))", nil)
  default: return ("the server answers the link with status \(head.status)", nil)
  }
}

private let nothing = "nothing needs to be done"

extension Kind {
  static let linkWithoutApp = Kind(
    "F133", "link-without-app",
    "the finding shows what users without the app get when they open "
      + "a link",
    "users without the app open the link in the browser", nil, severity: .note,
    fix: "at the link, serve a page that leads to the app; aasa page writes such a page for aasa "
      + "serve")

  static let linkKinds: [Kind] = [.linkWithoutApp]
}
