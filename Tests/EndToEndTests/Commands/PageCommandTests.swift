import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa page`: the page for people without the app. What it looks like is tested in a browser.
@Suite("aasa page", .manyAtOnce) struct PageCommandTests {
  @Test
  func `it has the name, stores, site and Safari's banner, and nothing from elsewhere`() throws {
    let workspace = try Workspace()
    try workspace.aasa(
      "page", "--name", "Shop", "--app-store-id", "375380948", "--android",
      "org.swift.shop", "--site", "https://a.example/?a=1&b=2", "-o", "a.example.page.html"
    ).says(exit: 0, errors: .nothing)
    let page = try workspace.text("a.example.page.html")
    for part in [
      "<html lang=\"en\">", "<title>Shop</title>", "<h1>Shop</h1>",
      "<meta name=\"apple-itunes-app\" content=\"app-id=375380948\">",
      "href=\"https://apps.apple.com/app/id375380948\"",
      "href=\"https://play.google.com/store/apps/details?id=org.swift.shop\"",
      "href=\"https://a.example/?a=1&amp;b=2\"",
    ] { #expect(page.contains(part), "\(part)") }
    for part in ["<script", "src=", "url(", "@import", "<link"] {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(page.utf8.count < 4_096)
  }

  @Test func `only what is named is on it, and text is not markup`() throws {
    let workspace = try Workspace()
    let page = try workspace.aasa(
      "page", "--name", "A <b> & \"c\"", "--android",
      "org.swift.shop"
    ).says(exit: 0).text
    #expect(page.contains("<h1>A &lt;b&gt; &amp; &quot;c&quot;</h1>"))
    #expect(page.contains("details?id=org.swift.shop\""))
    #expect(!page.contains("apps.apple.com") && !page.contains("apple-itunes-app"))
    #expect(!page.contains("website"))
  }

  /// What cannot be a page, and what is said.
  private static let wrong: [(arguments: [String], words: String)] = [
    (["--app-store-id", "1"], "Missing expected argument '--name <text>'"),
    (["--name", "Shop"], "give at least one of"),
    (["--name", "", "--app-store-id", "1"], "--name is empty"),
    (["--name", "Shop", "--app-store-id", "id1"], "is not a number such as"),
    (["--name", "Shop", "--android", "shop"], "is not a package such as"),
    (["--name", "Shop", "--site", "javascript:alert(1)"], "does not begin with https://"),
  ]

  @Test(arguments: wrong.indices) func `wrong usage of page is reported`(index: Int) throws {
    let (arguments, words) = Self.wrong[index]
    try Workspace().aasa(["page"] + arguments)
      .says(.nothing, exit: 2, errors: .part(words))
  }

  @Test func `a file that is there stays without --force, and the page is served`() throws {
    let workspace = try Workspace()
    let file = "domains/a.example.page.html"
    let arguments = ["page", "--name", "Shop", "--app-store-id", "1", "-o", file]
    try workspace.write("domains/a.example.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
    try workspace.aasa(arguments).says(exit: 0)
    try workspace.aasa(arguments).says(exit: 1)
    try workspace.aasa(arguments + ["--force"]).says(exit: 0)
    let page = try workspace.text(file)
    try withServer(workspace) { server in
      let client = try RawClient(port: server.http)
      try client.send(request("GET", "/buy/1", host: "a.example"))
      try #expect(client.receive().text == page)
    }
  }
}
