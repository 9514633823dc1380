import Foundation
import Testing

@testable import EndToEnd

extension InspectorSuite {
  /// The page with everything on it: rows, details, errors, an answer, a list.
  private static func fill(_ page: Inspected) throws {
    let browser = page.browser
    try page.ask(
      "/" + String(repeating: "long/", count: 30), "User-Agent: \u{202E}<b>agent</b>")
    try page.fetchAsDevice()
    try browser.fill("#trial-url", "/buy/1")
    try browser.press(.enter)
    try browser.expect("#trial-sentence", has: shop)
    try browser.click("#trial-keep button")
    try browser.expect("#cases-list", has: "/buy/1")
    try browser.click("#cdn-ask")
    try browser.expect("!document.querySelector('#cdn-ask').hasAttribute('aria-disabled')")
    try page.save(InspectorSuite.broken)
    try browser.expect(".message", has: "error[")
    try browser.click("#rows button")
    try browser.expect("#detail", has: "HTTP/1.1 200 OK")
  }

  @Suite struct AppearanceTests {
    @Test func `text has a contrast of 4,5 and more in both themes`() throws {
      try withInspector { page in
        try InspectorSuite.fill(page)
        for theme in Browser.Theme.allCases {
          try page.browser.set(theme)
          let seen = try page.browser.value(contrasts, as: [String: Any].self)
          #expect(seen["tooLow"] as? [String] == [], "\(theme)")
          // The page has been used, and the theme is another.
          #expect(seen["count"] as? Int ?? 0 > 80)
          #expect(seen["isDark"] as? Bool == (theme == .dark))
        }
        try page.expectQuiet()
      }
    }

    @Test func `nothing is wider than the window, from 320 pixels on`() throws {
      try withInspector { page in
        try InspectorSuite.fill(page)
        for width in [320, 375, 560, 768, 999, 1000, 1400, 2400] {
          try page.browser.set(width: width)
          try page.browser.expect("innerWidth === \(width)")
          try page.browser.expect("document.documentElement.scrollWidth <= \(width)")
          let columns = try page.browser.value(
            "return new Set([...document.querySelectorAll('.column')].map((one) => one.offsetLeft)).size",
            as: Int.self)
          #expect(columns == (width < 1000 ? 1 : 2), "\(width)")
        }
        try page.expectQuiet()
      }
    }

    @Test func `every control has a role and a name of its own, and parts have headings`() throws {
      try withInspector { page in
        try InspectorSuite.fill(page)
        let controls = try page.browser.names(of: "a, button, input, select, [tabindex='0']")
        #expect(controls.count > 12)
        for (role, name) in controls {
          #expect(!role.isEmpty && role != "generic" && !name.isEmpty, "\(role) “\(name)”")
        }
        let names = controls.map(\.name)
        #expect(Set(names).count == names.count, "\(names)")
        for (role, name) in try page.browser.names(of: "main section") {
          #expect(role == "region" && !name.isEmpty, "\(role) “\(name)”")
        }
        let regions = try page.browser.names(of: "main section, main [role=region]").map(\.name)
        #expect(Set(regions).count == regions.count, "\(regions)")
        try #expect(page.browser.names(of: "main").map(\.role) == ["main"])
        try #expect(page.browser.names(of: "body > header").map(\.role) == ["banner"])
        try #expect(page.browser.names(of: "h1").map(\.name) == ["aasa dev"])
        // Changes of the state are announced; requests are not, because there may be many.
        try #expect(page.browser.names(of: "#state").map(\.role) == ["status"])
        try #expect(
          page.browser.value(
            "return document.querySelector('#rows').closest('[aria-live]') === null"))
        try page.expectQuiet()
      }
    }

    @Test func `all can be done with the keyboard alone`() throws {
      try withInspector { page in
        let browser = page.browser
        for path in ["/first", "/second", "/third"] { try page.ask(path) }
        try browser.expect("#count", has: "3 requests")
        func expectFocus(_ selector: String, at location: SourceLocation = #_sourceLocation) throws
        {
          try browser.expect(
            "document.activeElement.matches(\"\(selector)\")", at: location)
        }
        try browser.press(.tab)
        try expectFocus(".skip")
        try browser.press(.enter, .tab)
        try expectFocus("#only-association")
        try browser.press(.space)
        try browser.expect("#count", has: "0 shown")
        try browser.press(.space)
        for control in ["#filter", "#clear", "[download]", "#rows button"] {
          try browser.press(.tab)
          try expectFocus(control)
        }
        try browser.expect("document.activeElement.innerText.includes('/third')")
        // The focus stays on its request when others come.
        try page.ask("/fourth")
        try browser.expect("#count", has: "4 requests")
        try browser.press(.down)
        try browser.expect("document.activeElement.innerText.includes('/second')")
        try browser.press(.enter)
        try expectFocus("#detail-title")
        try browser.expect("#detail", has: "GET /second HTTP/1.1")
        try browser.press(.escape)
        try expectFocus("#rows button")
        try browser.expect("document.activeElement.innerText.includes('/second')")
        // On to the URL: whatever lies between, it is reached.
        for _ in 0..<30 where try !browser.value("return document.activeElement.id === 'trial-url'")
        {
          try browser.press(.tab)
        }
        try expectFocus("#trial-url")
        try browser.type("/buy/1")
        try browser.press(.enter)
        try browser.expect("#trial-sentence", has: shop)
        try browser.press(.tab, .tab)
        try expectFocus("#trial-expects")
        try browser.press(.tab, .enter)
        try browser.expect("#cases-list", has: "/buy/1")
        // The focus is visible.
        try browser.expect("parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2")
        try page.expectQuiet()
      }
    }

    @Test func `text from strangers is shown, not run`() throws {
      try withInspector { page in
        let marks = [
          "<img/src=x/onerror=document.title='run'>", "<svg/onload=document.title='run'>",
        ]
        for mark in marks {
          _ = try? page.ask("/" + mark, "User-Agent: \(mark)", "X-Field: \(mark)")
          _ = try? page.ask("/x", "User-Agent: \(mark)", "X-Field: \(mark)")
        }
        // The last of them has come.
        try page.browser.expect(
          "[...document.querySelectorAll('#rows li')].filter((row) => row.innerText.includes('/x')).length === 2"
        )
        try page.browser.click("#rows button")
        try page.browser.expect("#detail", has: marks[1])
        try page.browser.expect(
          "document.querySelectorAll('main img:not(#qr), main svg').length === 0")
        try page.browser.expect("!document.title.startsWith('run')")
        try page.expectQuiet()
      }
    }

    @Test func `links and names for the phone can be copied and scanned`() throws {
      try withInspector { page in
        try page.browser.expect(
          "#entitlement", has: "applinks:\(InspectorSuite.host)?mode=developer")
        try page.browser.expect("document.querySelector('#qr').naturalWidth > 0")
        try page.browser.click("#copy")
        try page.browser.expect(
          "/copied|selected/.test(document.querySelector('#copied').innerText)")
        try page.expectQuiet()
      }
    }
  }
}

/// Texts whose colour is too close to the background (WCAG 2.2, 1.4.3).
let contrasts = """
  const parse = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts[3] ?? 1 };
  };
  const luminance = (rgb) => {
    const linear = rgb.map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const { rgb, alpha } = parse(getComputedStyle(one).backgroundColor);
      if (alpha === 1) return rgb;
      if (alpha > 0) throw new Error(`half transparent: ${one.outerHTML}`);
    }
    return [255, 255, 255];
  };
  const tooLow = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    count += 1;
    const [one, other] = [luminance(parse(getComputedStyle(element).color).rgb), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) tooLow.push(`${ratio.toFixed(2)}: ${walker.currentNode.data}`);
  }
  const isDark = luminance(behind(document.body)) < 0.2;
  return { tooLow, count, isDark };
  """
