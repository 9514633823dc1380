import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  /// The page that `aasa page` writes, as `aasa serve` sends it.
  @Suite struct PageTests {
    @Test func `it can be read and used at every width and in both themes`() throws {
      let workspace = try Workspace()
      try workspace.write("domains/_default.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
      let name = "Donaudampfschifffahrtsgesellschaft & Söhne"
      let made = try workspace.aasa(
        "page", "--name", name, "--app-store-id", "375380948", "--android",
        "org.swift.shop", "--site", "https://shop.example", "-o", "domains/_default.page.html")
      #expect(made.exitCode == 0, "\(made.errors)")
      try withServer(workspace) { server in
        try withBrowser { browser in
          for theme in Browser.Theme.allCases {
            try browser.set(theme)
            for width in [320, 768, 1440] {
              try browser.set(width: width)
              try browser.open("http://127.0.0.1:\(server.http)/buy/1")
              try browser.expect("h1", has: name)
              try browser.expect(
                "innerWidth === \(width) && document.documentElement.scrollWidth <= \(width)")
              // Large enough for a finger (WCAG 2.2, 2.5.8), and not far from each other.
              try browser.expect(
                "[...document.links].every((one) => one.offsetHeight >= 44 && one.offsetWidth <= 420)"
              )
              let seen = try browser.value(contrasts, as: [String: Any].self)
              #expect(seen["tooLow"] as? [String] == [], "\(theme) \(width)")
              #expect(seen["isDark"] as? Bool == (theme == .dark))
              let picture = try browser.screenshot("page-\(theme)-\(width)")
              #expect(picture.bytes > 1_000 && picture.width == width, "\(theme) \(picture)")
            }
          }
          let links = try browser.names(of: "a")
          #expect(
            links.map(\.name) == [
              "Get it from the App Store", "Get it on Google Play", "Continue to the website",
            ])
          #expect(links.allSatisfy { $0.role == "link" })
          try #expect(browser.names(of: "main").map(\.role) == ["main"])
          // By the keyboard, with a visible focus.
          try browser.press(.tab)
          try browser.expect("document.activeElement.href.startsWith('https://apps.apple.com/')")
          try browser.expect(
            "parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2")
          // The policy lets its style through and refuses nothing; nothing else is asked for.
          try browser.expect("document.scripts.length === 0")
          try #expect(browser.log().filter { !$0.contains("favicon.ico") } == [])
          let others = try browser.value(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)",
            as: [String].self)
          #expect(others.filter { !$0.hasSuffix("/favicon.ico") } == [])
        }
      }
    }

    @Test(.needsAxe) func `axe finds nothing in it, and something in a page with faults`() throws {
      let workspace = try Workspace()
      try workspace.write("domains/_default.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
      let page = "domains/_default.page.html"
      try workspace.write(page, "<h1>faulty</h1><img src='x'><a href='/buy/2'></a>")
      let options = [
        ["--app-store-id", "375380948"], ["--android", "org.swift.shop"],
        ["--app-store-id", "375380948", "--android", "org.swift.shop", "--site", "https://a.test"],
      ]
      try withServer(workspace) { server in
        try withBrowser { browser in
          // Each link is asked for once, because the browser keeps what it got.
          var links = 0
          func show(_ title: String) throws {
            let isShown = eventually {
              links += 1
              return (try? browser.open("http://127.0.0.1:\(server.http)/buy/\(links)")) != nil
                && (try? browser.text("h1")) == title
            }
            #expect(isShown, "\(title)")
          }
          try show("faulty")
          try #expect(browser.violations().count > 1)
          for (index, options) in options.enumerated() {
            try workspace.remove(page)
            let made = try workspace.aasa(
              ["page", "--name", "Shop \(index)", "-o", page] + options)
            #expect(made.exitCode == 0, "\(made.errors)")
            try show("Shop \(index)")
            for theme in Browser.Theme.allCases {
              try browser.set(theme)
              for width in [320, 768, 1440] {
                try browser.set(width: width)
                try #expect(browser.violations() == [], "\(options) \(theme) \(width)")
              }
            }
          }
        }
      }
    }
  }
}
