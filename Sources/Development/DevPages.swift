/// The web pages of `aasa dev`: the files of the inspector, and the page at the public end of the
/// tunnel.
///
/// The files are in `Pages` as they are served; the compiler embeds them into the program.
enum DevPages {
  /// A file of the inspector, by its path; nil if there is none.
  static func asset(_ path: String) -> (contentType: String, bytes: [UInt8])? {
    switch path {
    case "/": (html, PackageResources.inspector_html)
    case "/common.css": (css, PackageResources.common_css)
    case "/inspector.css": (css, PackageResources.inspector_css)
    case "/inspector.js": (script, PackageResources.inspector_js)
    case "/page.js": (script, PackageResources.page_js)
    case "/requests.js": (script, PackageResources.requests_js)
    case "/file.js": (script, PackageResources.file_js)
    case "/links.js": (script, PackageResources.links_js)
    case "/trials.js": (script, PackageResources.trials_js)
    case "/favicon.svg": ("image/svg+xml", PackageResources.favicon_svg)
    default: nil
    }
  }

  private static let html = "text/html; charset=utf-8"
  private static let css = "text/css; charset=utf-8"
  private static let script = "text/javascript; charset=utf-8"
}
