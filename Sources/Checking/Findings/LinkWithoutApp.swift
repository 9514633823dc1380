internal import Client
internal import Diagnostics
internal import HTTP

/// What a person gets at a link who does not have the app. It is a note, whatever it is.
func findingWithoutApp(_ link: Exchange) -> Finding {
  Finding(.linkWithoutApp, "without the app, " + whatAPersonGets(link))
}

private func whatAPersonGets(_ link: Exchange) -> String {
  guard let head = link.head else { return "the link gets no answer" }
  let place = head.isRedirect ? head.value(of: "location") : nil
  if let place {
    switch hostOfURL(place) {
    case "apps.apple.com", "itunes.apple.com", "appstore.com":
      return "the link leads to the App Store"
    case "play.google.com": return "the link leads to Google Play"
    default: return "the link leads to \(place)"
    }
  }
  switch head.status {
  case 200:
    let type = head.value(of: "content-type")?.lowercased() ?? "no content type"
    let isPage = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    return isPage ? "the link shows a page" : "the link shows content of the type \(type)"
  case 404, 410: return "the link is not found (\(head.status))"
  default: return "the link is answered with status \(head.status)"
  }
}

extension Kind {
  static let linkWithoutApp = Kind(
    "F133", "link-without-app", "what a person without the app gets at a link",
    "whoever does not have the app follows the link in the browser", nil, severity: .note,
    fix: "show a page there, with the way to the app: for aasa serve, aasa init --page writes one")

  static let linkKinds: [Kind] = [.linkWithoutApp]
}
