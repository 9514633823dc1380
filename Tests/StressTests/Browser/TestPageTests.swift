import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  /// The page that is public.
  @Suite struct TestPageTests {
    @Test func `it shows what its URL does, with a style and without a script`() throws {
      let workspace = try Workspace()
      try workspace.write("site.json", InspectorSuite.file)
      let arguments = InspectorSuite.arguments + ["--app-store-id", "375380948"]
      try withDev(workspace, arguments) { run in
        try withBrowser { browser in
          let site = "http://127.0.0.1:\(run.port)"
          for theme in Browser.Theme.allCases {
            try browser.set(theme)
            for (path, says) in [("/buy/1", shop), ("/help", "stays in the browser")] {
              try browser.open(site + path)
              try browser.expect("h1", has: says)
              try browser.expect(".url", has: path)
              // What is to be checked in an order has numbers.
              try browser.expect(
                "[...document.querySelectorAll('ol')].every((one) => getComputedStyle(one).listStyleType === 'decimal')"
              )
            }
            try #expect(browser.value(contrastsOfTestPage, as: Bool.self) == (theme == .dark))
          }
          // The policy lets the style through, and the hash is right.
          try browser.expect(
            "getComputedStyle(document.querySelector('main')).maxWidth === '640px'")
          try browser.expect("document.scripts.length === 0")
          try browser.expect(
            "document.querySelector('meta[name=apple-itunes-app]').content.startsWith('app-id=375380948')"
          )
          try browser.expect("body", has: "stays in Safari")
          // Nothing of the machine that it is made on.
          let source = try browser.value(
            "return document.documentElement.outerHTML", as: String.self)
          for secret in [workspace.root, "site.json", "127.0.0.1", "\(run.inspector)"] {
            #expect(!source.contains(secret), "\(secret)")
          }
          try browser.set(width: 320)
          try browser.expect("innerWidth === 320 && document.documentElement.scrollWidth <= 320")
          try Inspected(workspace: workspace, run: run, browser: browser).expectQuiet()
        }
      }
    }

    @Test func `markup in the URL is shown as text`() throws {
      let workspace = try Workspace()
      try workspace.write("site.json", InspectorSuite.file)
      try withDev(workspace, InspectorSuite.arguments) { run in
        try withBrowser { browser in
          let mark = "/%22%3E%3Cscript%3Edocument.title='run'%3C/script%3E?q=<svg/onload=alert(1)>"
          try browser.open("http://127.0.0.1:\(run.port)" + mark)
          try browser.expect("document.querySelector('.url')")
          try browser.expect(
            "document.querySelectorAll('script, main a svg, .url svg').length === 0")
          try browser.expect("!document.title.includes('run') || document.title.includes('script')")
          try Inspected(workspace: workspace, run: run, browser: browser).expectQuiet()
        }
      }
    }
  }
}

private let contrastsOfTestPage =
  "return matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(document.body).backgroundColor === 'rgb(18, 20, 22)'"
