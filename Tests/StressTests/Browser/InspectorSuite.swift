import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The pages of `aasa dev` in Chromium. One browser at a time: each takes a processor.
@Suite("aasa dev in a browser", .stress, .serialized, .needs(.chromium), .needs(.chromedriver))
enum InspectorSuite {
  static let file = """
    {
      "applinks": {
        "details": [
          {
            "appIDs": ["\(shop)"],
            "components": [
              { "/": "/buy/internal/*", "exclude": true, "comment": "<b>staff only</b>" },
              { "/": "/buy/*" }
            ]
          }
        ]
      }
    }

    """
  /// The same, whose second rule is for other paths.
  static let other = file.replacingOccurrences(of: "\"/buy/*", with: "\"/shop/*")
  /// A comma is missing in line 7.
  static let broken = file.replacingOccurrences(of: "*\", \"exclude\"", with: "*\" \"exclude\"")
  static let host = "laptop.example.com"
  static let arguments = ["site.json", "--tunnel", "none", "--host", host]
}

/// The inspector's page, of a program that runs for it alone.
struct Inspected {
  let workspace: Workspace
  let run: DevRun
  let browser: Browser

  var url: String { "http://127.0.0.1:\(run.inspector)/" }

  /// One request to the public side.
  @discardableResult
  func ask(_ path: String, _ fields: String...) throws -> Response {
    try run.get(path, host: InspectorSuite.host, fields: fields)
  }

  @discardableResult
  func fetchAsDevice() throws -> Response { try ask(associationPaths[0], DevRun.device) }

  func save(_ file: String) throws { try workspace.write("site.json", file) }

  /// Nothing was refused, or asked of another origin, and no script failed.
  func expectQuiet(
    but expected: String..., at location: SourceLocation = #_sourceLocation
  ) throws {
    let log = try browser.log().filter { line in !expected.contains { line.contains($0) } }
    #expect(log == [], sourceLocation: location)
    let others = try browser.value(
      """
      return performance.getEntriesByType("resource").map((entry) => entry.name)
        .filter((name) => !name.startsWith(location.origin + "/") && !name.startsWith("data:"))
      """, as: [String].self)
    #expect(others == [], sourceLocation: location)
  }
}

/// Runs `aasa dev` on a file and opens the inspector.
func withInspector(
  _ arguments: [String] = InspectorSuite.arguments, file: String = InspectorSuite.file,
  at location: SourceLocation = #_sourceLocation, _ body: (Inspected) throws -> Void
) throws {
  let workspace = try Workspace()
  try workspace.write("site.json", file)
  // Errors of the file are reported on its standard output.
  try withDev(workspace, arguments, at: location) { run in
    try withBrowser { browser in
      let page = Inspected(workspace: workspace, run: run, browser: browser)
      try browser.open(page.url)
      // The connection is open.
      try browser.expect("document.querySelector('#band').dataset.state !== 'starting'")
      try body(page)
    }
  }
}
