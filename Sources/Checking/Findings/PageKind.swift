internal import Bytes
package import HTTP

/// The kind of a web page that a server sends in place of the file. The kind is recognized by texts
/// in the page.
package enum PageKind: CaseIterable {
  case challenge, login, serverDefault, missing, application

  /// Nil if the kind of the page is not recognized.
  package init?(_ head: ReceivedHead, _ body: [UInt8]) {
    if head.value(of: "cf-mitigated") != nil || head.value(of: "x-amzn-waf-action") != nil {
      self = .challenge
      return
    }
    let text = body.prefix(65_536).map { byte in
      byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
    guard let kind = Self.allCases.first(where: { $0.marks.contains { text.contains($0) } }) else {
      return nil
    }
    self = kind
  }

  /// Texts that are typical of pages of this kind, in lower case.
  private var marks: [String] {
    switch self {
    case .challenge:
      [
        "challenge-platform", "<title>just a moment", "attention required! | cloudflare",
        "_incapsula_resource", "px-captcha", "g-recaptcha", "h-captcha", "cf-turnstile",
        "awswafintegration", "ddos-guard", "verify you are human", "errors.edgesuite.net",
      ]
    case .login:
      [
        "type=\"password\"", "type='password'", "type=password", "<title>sign in", "<title>log in",
        "<title>login",
      ]
    case .serverDefault:
      [
        "<title>welcome to nginx", "apache2 debian default page", "apache2 ubuntu default page",
        "<title>iis windows server", "caddy works!", "<title>test page for",
      ]
    case .missing: ["<title>404", "page not found", "<title>not found"]
    case .application:
      [
        "id=\"root\"", "id=root>", "id=\"app\"", "id=app>", "<app-root", "id=\"__next\"",
        "__next_data__", "id=\"__nuxt\"", "id=\"svelte\"", "data-reactroot", "ng-version=",
        "type=\"module\"",
      ]
    }
  }

  /// The kind of page as words for the middle of a sentence.
  package var words: String {
    switch self {
    case .challenge: "a bot protection challenge"
    case .login: "a login page"
    case .serverDefault: "the web server's own default page"
    case .missing: "a page that says \"not found\", with status 200,"
    case .application: "the start page of a web application"
    }
  }

  package var help: String {
    switch self {
    case .challenge:
      "exempt both paths of the file from bot protection, for every client: neither Apple's robot "
        + "nor a device solves challenges"
    case .login: "exempt both paths of the file from the login: Apple's robot cannot log in"
    case .serverDefault:
      "configure the server for this host: the server has no site with this name, or looks for "
        + "the site's files in another folder"
    case .missing:
      "put the file where the server looks for it, and answer requests for missing "
        + "files with status 404"
    case .application:
      "serve the file at both paths, ahead of the fallback to the start page (nginx: a separate "
        + "location before try_files; a static host: copy .well-known into the deployed folder)"
    }
  }
}
