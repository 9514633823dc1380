internal import Server

/// The web pages of `aasa dev`: the files of the inspector, and the page at the public end of the
/// tunnel.
///
/// The files are in `Pages` as text, because an array of bytes would take the compiler seconds.
enum DevPages {
  /// A file of the inspector, by its path; nil if there is none.
  static func asset(_ path: String) -> (contentType: String, text: String)? {
    switch path {
    case "/": (html, inspectorPage)
    case "/common.css": (css, PageStyle.common + PageStyle.components)
    case "/inspector.css": (css, inspectorStyle)
    case "/inspector.js": (script, inspectorScript)
    case "/page.js": (script, pageScript)
    case "/requests.js": (script, requestsScript)
    case "/file.js": (script, fileScript)
    case "/links.js": (script, linksScript)
    case "/trials.js": (script, trialsScript)
    case "/favicon.svg": ("image/svg+xml", PageStyle.favicon)
    default: nil
    }
  }

  private static let html = "text/html; charset=utf-8"
  private static let css = "text/css; charset=utf-8"
  private static let script = "text/javascript; charset=utf-8"
}
