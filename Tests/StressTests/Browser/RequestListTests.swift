import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  @Suite struct RequestListTests {
    @Test func `each request comes to the list by itself, the newest first`() throws {
      try withInspector { page in
        try page.browser.expect("#no-requests", has: "No requests yet")
        try page.ask("/buy/1?token=secret", "User-Agent: Mozilla/5.0 (X11; Linux x86_64)")
        try page.fetchAsDevice()
        try page.browser.expect("#count", has: "2 requests")
        try page.browser.expect("#rows li:first-child", has: "device")
        try page.browser.expect("#rows li:first-child", has: associationPaths[0])
        try page.browser.expect("#rows li:last-child", has: "/buy/1")
        // Only requests for the association file.
        try page.browser.click("#only-association")
        try page.browser.expect("document.querySelectorAll('#rows li').length === 1")
        try page.browser.expect("#count", has: "2 requests, 1 shown")
        try page.expectQuiet()
      }
    }

    @Test func `a row opens to both heads, as they were sent`() throws {
      try withInspector { page in
        try page.ask("/buy/1", "X-Mark: <img src=x onerror=alert(1)>")
        try page.browser.expect("#rows li", has: "/buy/1")
        try page.browser.click("#rows button")
        try page.browser.expect("#detail", has: "X-Mark: <img src=x onerror=alert(1)>")
        try page.browser.expect("#detail", has: "HTTP/1.1 200 OK")
        try #expect(page.browser.text("#detail-title") == "Request 1")
        try page.browser.click("#detail-close")
        try page.browser.expect("document.querySelector('#detail').hidden")
        try page.expectQuiet()
      }
    }

    @Test func `the list is filtered and cleared, and a request becomes a command`() throws {
      try withInspector { page in
        let browser = page.browser
        try page.ask("/buy/it's?x=[1]", "X-Mark: a'b")
        try page.ask("/other")
        try browser.expect("#count", has: "2 requests")
        try browser.fill("#filter", "buy")
        try browser.expect("#count", has: "2 requests, 1 shown")
        try browser.click("#rows button")
        try browser.expect(
          "#detail",
          has: #"curl --globoff -H 'X-Mark: a'\''b' 'https://laptop.example.com/buy/it'\''s?x=[1]'"#
        )
        try browser.expect("#rows .method", has: "GET")
        try browser.click("#clear")
        try browser.expect("#no-requests", has: "since the list was cleared")
        try page.ask("/buy/2")
        try browser.expect("document.querySelectorAll('#rows li').length === 1")
        try page.expectQuiet()
      }
    }

    /// A sender chooses the text of a field: none becomes the name of a file for curl.
    @Test func `what is not a header field is not copied`() throws {
      try withInspector { page in
        let client = try RawClient(port: page.run.port)
        try client.send("GET /odd HTTP/1.1\r\nHost: a\r\n@.env\r\n\r\n")
        _ = try client.receive()
        try page.ask("/buy/1", "X-Mark: @.env")
        try page.browser.expect("#rows .method", has: "GET")
        try page.browser.click("#rows li:last-child button")
        try page.browser.expect("#detail", has: "@.env")
        try page.browser.expect(
          "!document.querySelector('#detail .copy code').innerText.includes('@')")
        try page.browser.click("#rows li:first-child button")
        try page.browser.expect("#detail", has: "-H 'X-Mark: @.env'")
        try page.expectQuiet()
      }
    }

    @Test func `the state goes from waiting to fetched, and to older with the next version`() throws
    {
      try withInspector { page in
        try page.browser.expect("#state", has: "waiting for the phone")
        try page.fetchAsDevice()
        try page.browser.expect("#state", has: "a device fetched this version")
        // The time is the browser's own.
        try page.browser.expect(
          "/^\\d\\d:\\d\\d:\\d\\d a /.test(document.querySelector('#state').innerText)")
        try page.browser.expect("document.title.includes('fetched this version')")
        try page.save(InspectorSuite.other)
        try page.browser.expect("#state", has: "older version")
        try page.browser.expect(
          "document.title.startsWith('!') && document.title.includes('older version')")
        // The CDN's fetch is added, and what to do stays.
        try page.ask(associationPaths[0], "User-Agent: AASA-Bot/1.0.0")
        try page.browser.expect("#state-more", has: "Apple's CDN fetched this version")
        try page.browser.expect("#state-more", has: "install the app again")
        try page.browser.expect("#state", has: "older version")
        try page.fetchAsDevice()
        try page.browser.expect("#state", has: "a device fetched this version")
        try page.expectQuiet()
      }
    }

    @Test func `an error in the file comes before what the phone and Apple's CDN have`() throws {
      try withInspector { page in
        try page.fetchAsDevice()
        try page.browser.expect("document.title.startsWith('✓')")
        try page.save(InspectorSuite.broken)
        try page.browser.expect("#state", has: "the file has an error")
        try page.ask(associationPaths[0], "User-Agent: AASA-Bot/1.0.0")
        try page.browser.expect("#state-more", has: "Apple's CDN fetched this version")
        try page.browser.expect("#state-more", has: "a device fetched this version")
        try page.browser.expect("#state", has: "the file has an error")
        try page.browser.expect(
          "document.title.startsWith('✗') && document.title.includes('the file has an error')")
        try page.expectQuiet()
      }
    }

    @Test func `a thousand requests are all counted, and few of them are elements`() throws {
      try withInspector { page in
        let client = try RawClient(port: page.run.port)
        for number in 1...1_100 {
          // Test pages are listed separately; they take much longer than the file.
          let path = [99, 1_100].contains(number) ? "/flood/\(number)" : associationPaths[1]
          try client.send(request("GET", path, host: InspectorSuite.host))
          if number % 100 == 0 {
            for _ in 0..<100 { _ = try client.receive() }
            // The page answers in the midst of it.
            try #expect(page.browser.value("return 6 * 7") == 42)
          }
        }
        try page.browser.expect("#count", has: "1,100 requests, the last 1,002 shown")
        try page.browser.expect("#rows li:first-child", has: "/flood/1100")
        try #expect(page.browser.value("return document.querySelectorAll('#rows li').length") < 60)
        // The oldest that is kept is at the end.
        try page.browser.run("document.querySelector('#rows button').focus()")
        try page.browser.press(.end)
        try page.browser.expect("document.activeElement.innerText.includes('/flood/99')")
        try page.browser.expect("document.querySelectorAll('#rows li').length < 60")
        // A reader of the list keeps its place.
        try page.ask("/one/more")
        try page.browser.expect("#count", has: "1,101 requests")
        try page.browser.press(.home)
        try page.browser.expect("document.activeElement.innerText.includes('/one/more')")
        try page.expectQuiet()
      }
    }

    @Test
    func `a server that has gone is reported, nothing is lost, and one that is back is found`()
      throws
    {
      try withInspector { page in
        let browser = page.browser
        try page.ask("/before")
        try browser.fill("#trial-url", "/buy/1")
        try browser.press(.enter)
        try browser.expect("#trial-sentence", has: shop)
        page.run.process.signal(SIGINT)
        try #expect(page.run.process.waitForExit() == 0)
        try browser.expect("#offline", has: "No connection to aasa dev")
        try browser.expect("#rows li", has: "/before")
        try browser.run("scrollTo(0, 0)")
        try browser.click("#rows button")
        try browser.expect("#detail", has: "does not answer")
        try browser.expect("#trial-sentence", has: shop)
        try browser.click("#cdn-ask")
        try browser.expect("#cdn-problem", has: "does not answer")

        // Of an option that is given twice, the last one counts.
        let port = ["--inspector-port", "\(page.run.inspector)"]
        try withDev(page.workspace, InspectorSuite.arguments + port) { again in
          try #require(again.inspector == page.run.inspector, "its port was taken meanwhile")
          try browser.expect("document.querySelector('#offline').hidden")
          _ = try again.get("/after")
          try browser.expect("#rows li:first-child", has: "/after")
          try browser.expect("#rows li:last-child", has: "/before")
          // Its number is another request's now.
          try browser.run("scrollTo(0, 0)")
          try browser.click("#rows li:last-child button")
          try browser.expect("#detail", has: "aasa dev was restarted")
          try #expect(
            browser.value("return document.querySelector('#trial-url').value") == "/buy/1")
          try page.expectQuiet(but: "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_EMPTY")
        }
      }
    }
  }
}
