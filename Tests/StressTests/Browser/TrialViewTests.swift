import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  @Suite struct TrialViewTests {
    /// The input, its outcome, and the shown result of a rule.
    private static let urls: [(url: String, says: String, rules: String)] = [
      ("https://\(InspectorSuite.host)/buy/1", "opens \(shop)", "matches"),
      // A path belongs to the public host.
      ("/buy/1", "opens \(shop)", "matches"),
      ("/buy/internal/1", "stays in the browser", "excludes"),
      ("/help", "stays in the browser", "no match"),
    ]

    @Test func `a URL shows what it opens, with every rule that was tried`() throws {
      try withInspector { page in
        for row in Self.urls {
          try page.browser.fill("#trial-url", row.url)
          try page.browser.press(.enter)
          try page.browser.expect("#trial-sentence", has: row.says)
          try page.browser.expect("#trial-rules", has: row.rules)
          try page.browser.expect("document.querySelector('#trial-host').hidden")
          try #expect(
            page.browser.value("return document.querySelectorAll('#trial-rules code').length") > 1)
        }
        // Another host's phones ask elsewhere.
        try page.browser.fill("#trial-url", "https://other.example.com/buy/1")
        try page.browser.click("#trial-form button")
        try page.browser.expect("#trial-host", has: "other.example.com")
        try page.expectQuiet()
      }
    }

    @Test func `anything but a URL is reported at the input`() throws {
      try withInspector { page in
        for text in ["not a URL", "ftp://", "", "<script>alert(1)</script>", "https://[/"] {
          try page.browser.fill("#trial-url", "/buy/1")
          try page.browser.press(.enter)
          try page.browser.expect("#trial-sentence", has: shop)
          if text.isEmpty {
            try page.browser.run("document.querySelector('#trial-url').value = ''")
          } else {
            try page.browser.fill("#trial-url", text)
          }
          try page.browser.press(.enter)
          try page.browser.expect(
            "document.querySelector('#trial-problem:not([hidden])')?.innerText.length > 10")
          try page.browser.expect("document.querySelector('#trial-answer').hidden")
        }
        try page.expectQuiet(but: "status of 4")
      }
    }

    @Test func `a URL is kept in the list, and fails when the rules no longer do that`() throws {
      try withInspector { page in
        let browser = page.browser
        try browser.expect("#cases-none", has: "None yet")
        try browser.fill("#trial-url", "/buy/1")
        try browser.press(.enter)
        try browser.expect("#trial-sentence", has: shop)
        try browser.click("#trial-keep button")
        try browser.expect("#cases-list", has: "/buy/1")
        try browser.expect("#cases-count", has: "1 URL passes")
        try browser.open(page.url)
        try browser.expect("#cases-list", has: "/buy/1")
        try #expect(page.workspace.text("site.cases").contains("/buy/1"))

        try page.save(InspectorSuite.other)
        try browser.expect("#cases-count", has: "1 of 1 URL fails")
        try browser.expect("#cases-list", has: "should open \(shop)")
        try browser.click("#cases-list button:nth-of-type(2)")
        try browser.expect("#cases-none", has: "None yet")
        try #expect(!page.workspace.text("site.cases").contains("/buy/1"))
        try page.expectQuiet()
      }
    }

    @Test func `with an assetlinks.json each URL shows what it does on Android`() throws {
      try withInspector { page in
        let browser = page.browser
        try browser.fill("#trial-url", "/buy/1")
        try browser.press(.enter)
        try browser.expect("#trial-sentence", has: "opens \(shop)")
        try browser.expect("document.querySelector('#trial-platforms').hidden")
        try browser.click("#trial-keep button")
        try browser.expect("#cases-list", has: "/buy/1")
        // The file comes, and changes, while the page is open.
        func write(_ path: String) throws {
          try page.workspace.write(
            "site.assetlinks.json",
            """
            [{ "relation": ["delegate_permission/common.handle_all_urls"],
               "target": { "namespace": "android_app", "package_name": "org.swift.shop",
                           "sha256_cert_fingerprints": ["\(shopFingerprint)"] },
               "relation_extensions": { "delegate_permission/common.handle_all_urls": {
                 "dynamic_app_link_components": [{ "/": "\(path)" }] } } }]
            """)
        }
        try write("/buy/*")
        try browser.expect("#trial-platforms", has: "opens org.swift.shop")
        try browser.expect("#trial-platforms", has: "by site.assetlinks.json:5:")
        try browser.expect("#cases-list", has: "Android: opens org.swift.shop")
        try browser.expect("#links", has: "Android: opens org.swift.shop")
        try write("/sell/*")
        try browser.expect("#trial-platforms", has: "stays in the browser for org.swift.shop")
        try browser.expect("#cases-list", has: "Android: stays in the browser")
        try browser.set(width: 320)
        try browser.expect("document.documentElement.scrollWidth <= 320")
        try page.expectQuiet()
      }
    }

    @Test func `the answer is found again when the file is saved`() throws {
      try withInspector { page in
        try page.browser.fill("#trial-url", "/buy/1")
        try page.browser.press(.enter)
        try page.browser.expect("#trial-sentence", has: "opens \(shop)")
        try page.save(InspectorSuite.other)
        try page.browser.expect("#trial-sentence", has: "stays in the browser")
        try page.expectQuiet()
      }
    }
  }
}
