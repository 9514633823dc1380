internal import ArgumentParser
internal import Bytes
internal import Diagnostics

struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Write a web page for people who do not have the app.",
    usage: "aasa page --name <text> [<options>]",
    discussion: """
      The page has the app's name, and links to the stores and the website. Give at least one of \
      --app-store-id, --android and --site. For the host example.com, save the page as \
      domains/example.com.page.html: aasa serve then sends the page to people who open a link and \
      do not have the app. The page needs no other file and no script.

      EXAMPLES:
        aasa page --name Shop --app-store-id 375380948 --android org.swift.shop \\
          -o domains/example.com.page.html

      EXIT CODES:
        0 written
        1 the page cannot be written
        2 wrong usage
      """)

  @Option(help: ArgumentHelp("the app's name as users know it", valueName: "text"))
  var name: String
  @Option(help: ArgumentHelp("the app's number in the App Store", valueName: "number"))
  var appStoreId: String?
  @Option(help: ArgumentHelp("the app's package on Google Play", valueName: "PACKAGE"))
  var android: String?
  @Option(
    help: ArgumentHelp("the website that the page links to", valueName: "https://…"))
  var site: String?
  @OptionGroup var result: OutputFile

  func validate() throws {
    if name.isEmpty { throw ValidationError("--name is empty; write the app's name") }
    if appStoreId == nil && android == nil && site == nil {
      throw ValidationError("give at least one of --app-store-id, --android PACKAGE and --site URL")
    }
    if let appStoreId, !appStoreId.isDecimal {
      throw ValidationError("--app-store-id \(appStoreId) is not a number such as 375380948")
    }
    let isPackage = { (text: String) in
      text.contains(".")
        && text.utf8.allSatisfy { $0 == 0x2E || $0 == 0x5F || $0.isLetter || $0.isDigit }
    }
    if let android, !isPackage(android) {
      throw ValidationError("--android \(android) is not a package such as org.swift.shop")
    }
    if let site, !site.hasPrefix("https://") {
      throw ValidationError("--site \(site) does not begin with https://")
    }
  }

  func run() throws {
    try result.write(Array(text.utf8), endingLine: false, orFailWith: .found)
  }

  private var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    \(banner)<title>\(escapingMarkup(name))</title>
    <style>
    :root { color-scheme: light dark; --page: #f4f4f1; --ink: #1b1d20; --quiet: #565b63;
      --accent: #1450b4; --on-accent: #ffffff }
    @media (prefers-color-scheme: dark) {
      :root { --page: #121416; --ink: #e9e9e6; --quiet: #a7acb3; --accent: #8fb8ff;
        --on-accent: #0d1b33 } }
    body { margin: 0; background: var(--page); color: var(--ink);
      font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
    main { max-width: 26rem; margin: 0 auto; padding: 15vh 1.25rem 2rem }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem; overflow-wrap: anywhere }
    p { margin: 0 0 1.5rem; color: var(--quiet) }
    ul { list-style: none; margin: 0; padding: 0 }
    li { margin: 0 0 .75rem }
    a { display: block; padding: .875rem 1rem; border-radius: .625rem; text-align: center;
      font-weight: 600; text-decoration: none; color: var(--on-accent); background: var(--accent) }
    a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
    </style>
    </head>
    <body>
    <main>
    <h1>\(escapingMarkup(name))</h1>
    <p>This link opens in the app.</p>
    <ul>
    \(links.map { "<li><a href=\"\(escapingMarkup($0.address))\">\($0.words)</a></li>" }.joined(separator: "\n"))
    </ul>
    </main>
    </body>
    </html>

    """
  }

  private var links: [(address: String, words: String)] {
    var links: [(address: String, words: String)] = []
    if let appStoreId {
      links.append(("https://apps.apple.com/app/id\(appStoreId)", "Get it from the App Store"))
    }
    if let android {
      links.append(
        ("https://play.google.com/store/apps/details?id=\(android)", "Get it on Google Play"))
    }
    if let site { links.append((site, "Continue to the website")) }
    return links
  }

  /// The `<meta>` element for the Smart App Banner that Safari shows above the page.
  private var banner: String {
    appStoreId.map { "<meta name=\"apple-itunes-app\" content=\"app-id=\($0)\">\n" } ?? ""
  }
}
