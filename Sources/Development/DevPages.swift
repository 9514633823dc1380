internal import Server

/// The web pages of `aasa dev`: the files of the inspector, and the test page that clients get from
/// the public name.
///
/// The files in `Pages` are string literals, because arrays of bytes would take seconds to compile.
enum DevPages {
  /// Returns the inspector's file at a URL path; nil if no file has this path.
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
