internal import Client
internal import HTTP

/// A hosting service that can be recognized by its answers, and that needs special settings to
/// serve the file.
enum HostingService {
  case gitHubPages, firebase, iis, kestrel, amazon, vercel, netlify, shopify
  /// A website builder such as Wix. Its users have no server of their own.
  case builder

  /// - Parameter host: The host of the request. Some services can be recognized only by the host
  ///   names that these services give to their users.
  init?(_ head: ReceivedHead, host: String) {
    let server = head.value(of: "server")?.lowercased() ?? ""
    func isBelow(_ names: String...) -> Bool { names.contains { host.hasSuffix("." + $0) } }
    switch server {
    case "github.com": self = .gitHubPages
    case "kestrel": self = .kestrel
    case "amazons3", "cloudfront": self = .amazon
    case "vercel": self = .vercel
    case "netlify": self = .netlify
    // Wix sends `pepyaka` as the name of its server.
    case "squarespace", "pepyaka": self = .builder
    case _ where server.hasPrefix("microsoft-iis"): self = .iis
    case _ where head.value(of: "powered-by")?.lowercased() == "shopify",
      _ where isBelow("myshopify.com"):
      self = .shopify
    case _ where isBelow("github.io"): self = .gitHubPages
    case _ where isBelow("web.app", "firebaseapp.com"): self = .firebase
    case _ where isBelow("amplifyapp.com"): self = .amazon
    default: return nil
    }
  }

  /// The help text for the case that the service serves no file.
  var helpForMissing: String {
    switch self {
    case .gitHubPages:
      "GitHub Pages serves only the repository USER.github.io and custom domains at the root, not "
        + "project pages; add an empty file .nojekyll, because Jekyll leaves out .well-known"
    case .firebase:
      "Firebase Hosting: in firebase.json, remove \"**/.*\" from \"ignore\", because this pattern "
        + "excludes .well-known, and set \"appAssociation\": \"NONE\""
    case .iis:
      "IIS serves no file without a known extension, and the association file has no extension: "
        + "add a mimeMap with fileExtension=\".\" and mimeType=\"application/json\" to "
        + "web.config"
    case .kestrel:
      "ASP.NET Core's static files skip names without an extension: serve the path with MapGet"
    case .amazon:
      "S3 and Amplify: upload the file with its content type to "
        + ".well-known/apple-app-site-association; in Amplify, make a copy whose name ends in "
        + ".json, and put a rewrite to this copy before all other rules"
    case .vercel, .netlify:
      "put the file into the folder .well-known of the published files, and check that the build "
        + "copies .well-known"
    case .shopify, .builder: ownSubdomain
    }
  }

  /// The help text for the case that the file's path redirects; nil to use the general help text.
  var helpForRedirect: String? {
    switch self {
    case .vercel:
      "Vercel redirects between www and the bare domain before the deployment: under Settings > "
        + "Domains, serve both hosts, or list the served host in the app"
    case .netlify:
      "Netlify redirects to the site's primary domain before it serves any file: list the primary "
        + "domain in the app"
    default: nil
    }
  }

  /// The help text for the case that a page is served in place of the file; nil to use the general
  /// help text.
  var helpForPage: String? {
    switch self {
    case .amazon:
      "exempt both paths of the file from the rewrite for single-page applications, or from "
        + "CloudFront's custom error response; in Amplify, put a rewrite to a copy of the file, "
        + "whose name ends in .json, before all other rules"
    case .shopify, .builder: ownSubdomain
    default: nil
    }
  }

  /// The help text for a service that serves its own file in place of the user's file; otherwise
  /// nil.
  var helpForOtherFile: String? {
    if case .shopify = self { return "Shopify writes this file itself; " + ownSubdomain }
    return nil
  }

  private var ownSubdomain: String {
    "use a separate subdomain for the links, on a server that has the file"
  }
}

extension Exchange {
  /// The hosting service that answered; nil if no service is recognized.
  var service: HostingService? { head.flatMap { HostingService($0, host: request.host) } }
}
