import Foundation
import TestRunning
import Testing

@testable import EndToEnd

extension InspectorSuite {
  /// The pages of the admin listener.
  @Suite struct StatusPageTests {
    private static let paths = ["", "domains", "domains?sort=state", "domain?name=a.example.com"]

    /// - Parameter isTroubled: Whether most files are missing, so that a loss is held.
    private func withPages(
      isTroubled: Bool = false, _ body: (Workspace, Server, Browser) throws -> Void
    ) throws {
      var files = Dictionary(
        uniqueKeysWithValues: (0..<120).map {
          ("customer-\($0).example.com", shopFile(components: #"[{"/":"/buy/*"}]"#))
        })
      let long = String(repeating: "long-name.", count: 20) + "example"
      files[long] = shopFile(components: #"[{"/":"/buy/*"}]"#)
      files["a.example.com"] = """
        { "applinks": { "details": [ {
          "appids": ["\(shop)"],
          "components": [ { "/": "/buy/*", "comment": "<b>\(String(repeating: "x", count: 300))</b>" } ]
        } ] } }

        """
      let workspace = try Workspace(serving: files)
      let authority = try TestAuthority()
      try workspace.install(try authority.issue("*.example.com"), as: "wildcard")
      for (index, days) in [9, 12, 20, 30, 33, 62, 62, 63, 70].enumerated() {
        let name = "customer-\(index).example.com"
        try workspace.install(try authority.issue(name, validity: -1...days), as: name)
      }
      try withServer(
        workspace, https: true, workspace.withState, environment: authority.environment
      ) { server in
        server.allowIdleFiles()
        server.allow(stderr: "warning: ")
        server.allow(stderr: "suddenly missing from the folder", "[H031]")
        let clients = [DevRun.device, "User-Agent: AASA-Bot/1.0.0", "User-Agent: curl/8.0"]
        for (index, client) in clients.enumerated() {
          for _ in 0...index * 3 {
            _ = try server.get(associationPaths[0], host: "a.example.com", [client])
          }
        }
        if isTroubled {
          try workspace.shell("rm domains/customer-[1-8]*.json")
          #expect(try eventually { try !server.holds().isEmpty })
        }
        try withBrowser { try body(workspace, server, $0) }
      }
    }

    @Test(.needsAxe) func `they are right at every width, in both themes and for everybody`() throws
    {
      try withPages(isTroubled: true) { _, server, browser in
        for theme in Browser.Theme.allCases {
          try browser.set(theme)
          for width in [390, 768, 1440] {
            try browser.set(width: width)
            for path in Self.paths {
              try browser.open("http://127.0.0.1:\(server.admin)/" + path)
              try browser.expect("#renewed", has: "renewed")
              let place = "\(path) \(theme) \(width)"
              try #expect(browser.violations() == [], "\(place)")
              let seen = try browser.value(contrasts, as: [String: Any].self)
              #expect(seen["tooLow"] as? [String] == [], "\(place)")
              #expect(seen["isDark"] as? Bool == (theme == .dark))
              try browser.expect("document.documentElement.scrollWidth <= \(width)")
              let name = path.prefix { $0 != "?" }
              _ = try browser.screenshot("status-\(name)-\(theme)-\(width)")
            }
          }
        }
        try browser.expect("#facts", has: "ECDSA, with 1 intermediate certificate, from 20")
        try browser.open("http://127.0.0.1:\(server.admin)/")
        try browser.expect("#held", has: "aasa confirm ")
        try browser.expect("#certificates", has: "customer-0.example.com.crt expires in ")
        try browser.expect(
          "document.querySelector('#fetches svg').ariaLabel.startsWith('Fetches: 4 by Apple')")
        try #expect(browser.log() == [])
        let others = try browser.value(
          """
          return performance.getEntriesByType("resource").map((entry) => entry.name)
            .filter((name) => !name.startsWith(location.origin + "/"))
          """, as: [String].self)
        #expect(others == [])
      }
    }

    @Test func `the first screen needs no scrolling, and the keyboard is enough`() throws {
      try withPages { _, server, browser in
        try browser.set(width: 1440)
        try browser.open("http://127.0.0.1:\(server.admin)/")
        try browser.expect("document.documentElement.scrollHeight <= 900")
        try browser.press(.tab)
        try browser.expect("document.activeElement.matches('.skip')")
        try browser.expect("parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2")
        for _ in 0..<40 where try !browser.value("return document.activeElement.id === 'search'") {
          try browser.press(.tab)
        }
        try browser.type("customer-11")
        try browser.press(.enter)
        try browser.expect("#state", has: "11 of 122 domains")
        let names = try browser.names(of: "a, button, input, select, [tabindex='0']").map(\.name)
        #expect(names.allSatisfy { !$0.isEmpty })
      }
    }

    @Test func `the page renews itself, but not what is in use`() throws {
      try withPages { workspace, server, browser in
        try browser.open("http://127.0.0.1:\(server.admin)/domains?search=later")
        try browser.expect("#state", has: "0 of 122 domains")
        try workspace.write(
          "domains/later.example.com.json", shopFile(components: #"[{"/":"/buy/*"}]"#))
        try browser.expect("#state", has: "1 of 123 domains")
        try browser.expect("#table", has: "later.example.com")
        try browser.fill("#search", "written")
        try workspace.remove("domains/customer-1.example.com.json")
        try browser.expect("document.querySelector('#search').value === 'written'")
        try browser.click("#pause")
        try browser.expect("#renewed", has: "paused")
      }
    }
  }
}
