internal import Catalog
internal import Diagnostics
internal import HTTP
internal import Keeping
package import Server
internal import Settings

/// The admin listener's pages for browsers: the overview of the server, the table of domains, and a
/// page for each domain.
///
/// The pages show the content of `/status`, change nothing, and work without JavaScript.
package struct StatusPages {
  let document: StatusDocument
  /// The number of fetches in each hour; nil if fetches are not counted.
  let fetches: FetchHistory?

  package init(document: StatusDocument, fetches: FetchHistory?) {
    self.document = document
    self.fetches = fetches
  }

  /// The content of a page, without the parts that all pages share.
  struct Page {
    /// The heading of the page. The title of the HTML document begins with the same text.
    let title: String
    /// The state that the color of the page's header shows: `current` for good, `older` for a
    /// warning, `broken` for bad. For any other value, the color is neutral.
    var state = "current"
    var headline: String
    /// The line of text below `headline`.
    var more = ""
    /// The content below the header, as HTML.
    let content: String
  }

  /// Returns the response for a path; nil if there is no page at the path.
  package func answer(to request: PageRequest) -> PageAnswer? {
    switch request.path {
    case "/": page(overview).varying
    case "/domains": page(domains(DomainQuery(request)))
    case "/domain": domain(request.values(of: "name").last ?? "")
    default: StatusAssets.answer(request.path)
    }
  }

  private func domain(_ name: String) -> PageAnswer {
    if let found = domainPage(name) { return page(found) }
    let unknown = Page(
      title: "Unknown", state: "broken", headline: "no file in the domains folder serves this name",
      content: """
        <section><p><code>\(pageText(name))</code> has no entry, and no wildcard covers it.
        Add a file for it to <code>\(pageText(document.status.folder))</code>, or look for it in
        <a href="/domains">the domains</a>.</p></section>
        """)
    var answer = page(unknown)
    answer.status = .notFound
    return answer
  }

  private func page(_ page: Page) -> PageAnswer {
    func link(_ path: String, _ name: String) -> String {
      let isCurrent = page.title == name
      return "<a href=\"\(path)\"\(isCurrent ? " aria-current=\"page\"" : "")>\(name)</a>"
    }
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(pageText(page.title)) · aasa</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/common.css">
      <link rel="stylesheet" href="/status.css">
      <script type="module" src="/status.js"></script>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>
      <div id="offline" hidden><p role="alert" id="offline-text"></p></div>
      <header id="band" data-state="\(page.state)">
      <div class="top"><h1>\(pageText(page.title))</h1>
      <nav aria-label="Pages">\(link("/", "Server")) \(link("/domains", "Domains"))</nav></div>
      <p id="state">\(pageText(page.headline))</p>
      <p id="state-more">\(pageText(page.more))</p>
      </header>
      <main id="content" tabindex="-1">
      \(page.content)
      </main>
      <footer><p id="made" class="quiet">as of \(Times.date(document.now)) ·
      <a href="/status">JSON</a> · <a href="/metrics">metrics</a></p>
      <p id="renewing" class="quiet" hidden><button type="button" id="pause">Pause</button>
      <span id="renewed"></span></p></footer>
      </body>
      </html>

      """
    return PageAnswer(contentType: "text/html; charset=utf-8", Array(text.utf8))
      .secured(forms: "'self'")
  }
}

/// The styles, scripts and images that the pages load.
enum StatusAssets {
  static func answer(_ path: String) -> PageAnswer? {
    let file: (type: String, text: String)? =
      switch path {
      case "/common.css": ("text/css; charset=utf-8", PageStyle.common + PageStyle.components)
      case "/status.css": ("text/css; charset=utf-8", style)
      case "/status.js": ("text/javascript; charset=utf-8", script)
      case "/favicon.svg": ("image/svg+xml", PageStyle.favicon)
      default: nil
      }
    return file.map { PageAnswer(contentType: $0.type, Array($0.text.utf8)).secured() }
  }
}

/// Returns the HTML of a section of a page, with a heading.
func pageSection(_ id: String, _ title: String, _ content: String) -> String {
  """
  <section id="\(id)" aria-labelledby="\(id)-title">
  <div class="head"><h2 id="\(id)-title">\(title)</h2></div>
  \(content)
  </section>

  """
}

/// Returns the HTML of a list of rows. Each row has a name and a text.
func pageFacts(_ rows: [(name: String, text: String)]) -> String {
  "<dl class=\"facts\">"
    + rows.map { "<dt>\(pageText($0.name))</dt><dd>\(pageText($0.text))</dd>" }.joined() + "</dl>\n"
}

/// Returns the HTML of a command that can be copied. One click selects the whole command.
func pageCommand(_ command: String) -> String {
  "<div class=\"copy\"><code class=\"command\">\(pageText(command))</code></div>"
}

/// Returns the HTML of a diagnostic.
func pageMessage(_ diagnostic: Diagnostic, withPlace: Bool = true) -> String {
  var place = withPlace ? diagnostic.location?.path ?? "" : ""
  if let found = diagnostic.location?.place, !place.isEmpty {
    place += ":\(found.line):\(found.column)"
  }
  func part(_ name: String, _ text: String?) -> String {
    text.map { "<p><b>\(name): </b>\(pageText($0))</p>" } ?? ""
  }
  let severity = diagnostic.severity.rawValue
  return """
    <div class="message" data-severity="\(severity)">\
    \(place.isEmpty ? "" : "<p class=\"quiet\"><code>\(pageText(place))</code></p>")\
    <p><b>\(severity)[\(diagnostic.code)]: </b>\(pageText(diagnostic.message))</p>\
    \(part("help", diagnostic.help))\(part("note", diagnostic.note))</div>

    """
}

/// The path of a domain's page. Host names and `*` need no encoding.
package func domainPath(_ name: String) -> String { "/domain?name=" + name }
