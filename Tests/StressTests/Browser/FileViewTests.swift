import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  @Suite struct FileViewTests {
    /// With 700 rules, a line each, and an unknown key in the last one.
    private static let long: String = {
      let rules = (1...700).map { #"{"/":"/\#($0)"}"# } + [#"{"/":"/last", "caseSensitve":false}"#]
      return InspectorSuite.file.replacingOccurrences(
        of: #"{ "/": "/buy/*" }"#, with: rules.joined(separator: ",\n"))
    }()

    @Test
    func `a broken file has its error under the line, and the version before is served`() throws {
      try withInspector { page in
        let before = try page.fetchAsDevice().text
        try page.browser.expect("#file-state", has: "served as version")
        let version = try page.browser.text("#file-state")
        try page.save(InspectorSuite.broken)
        try page.browser.expect("#file-state", has: "not served")
        try page.browser.expect("#file-state", has: "phones still get version")
        // The message follows the line that it is of.
        try page.browser.expect("#line-7 + .message", has: "error[J")
        try page.browser.expect("document.querySelector('#line-7 mark[data-severity=error]')")
        try page.browser.expect("#file-diagnostics", has: "line 7: error[J")
        try #expect(page.fetchAsDevice().text == before)
        // A comment in the file is text.
        try page.browser.expect("#line-7", has: "<b>staff only</b>")
        try page.browser.expect("document.querySelectorAll('#file-text b b').length === 0")
        // Fixed, it is as it was.
        try page.save(InspectorSuite.file)
        try page.browser.expect("document.querySelectorAll('.message').length === 0")
        try #expect(page.browser.text("#file-state") == version)
        try page.expectQuiet()
      }
    }

    @Test func `a change comes with its meaning`() throws {
      try withInspector { page in
        try page.browser.expect("#file-text", has: "/buy/internal/*")
        try page.browser.expect("document.querySelector('#file-changes').hidden")
        try page.save(InspectorSuite.other)
        try page.browser.expect("#file-changes", has: "/shop")
        try page.expectQuiet()
      }
    }

    @Test func `without any valid version nothing is called served`() throws {
      try withInspector(["site.json", "--tunnel", "none"], file: InspectorSuite.broken) { page in
        try page.browser.expect("#file-state", has: "phones get nothing")
        try page.browser.expect("#state-more", has: "nothing is served yet")
        // Without a public host there is nothing to paste, but a sentence.
        try page.browser.expect("document.querySelector('#paste-content').hidden")
        try page.browser.expect(
          "document.querySelector('#paste-none:not([hidden])')?.innerText.length > 20")
        try page.expectQuiet()
      }
    }

    @Test func `a rule's line is shown where it is asked for, though it was left out`() throws {
      try withInspector(file: Self.long) { page in
        try page.browser.fill("#trial-url", "/500")
        try page.browser.press(.enter)
        try page.browser.expect("#trial-sentence", has: shop)
        try page.browser.run("location.hash = '#line-508'")
        try page.browser.expect("#line-508", has: "/")
        try page.browser.expect("document.querySelector('#line-508').matches(':target')")
        try page.expectQuiet()
      }
    }

    @Test
    func `a long file shows its beginning and its faults, and all of it on request`() throws {
      try withInspector(file: Self.long) { page in
        try page.browser.expect("#file-text .message", has: "caseSensitve")
        try page.browser.expect("document.querySelectorAll('.line').length < 100")
        try page.browser.click("#file-text .more")
        try page.browser.expect("document.querySelectorAll('.line').length > 700")
        try page.expectQuiet()
      }
    }

    @Test func `a file that is too long for the page says so`() throws {
      let line = String(repeating: " ", count: 99) + "\n"
      // 280,000 bytes after the file's own, of which 262,144 are shown.
      let file = InspectorSuite.file + String(repeating: line, count: 2_800)
      try withInspector(file: file) { page in
        let rest = file.utf8.count - 262_144
        let digits = "\(rest / 1000)," + String(rest + 1_000_000).suffix(3)
        try page.browser.expect("#file-text", has: "\(digits) bytes more, too many for this page")
        try page.expectQuiet()
      }
    }
  }
}
