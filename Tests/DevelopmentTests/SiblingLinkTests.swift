import Diagnostics
import Foundation
import Testing

@testable import Development

@Suite struct SiblingLinkTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "/aasa-siblings-" + UUID().uuidString
    for name in ["site/.well-known", "outside"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try "<p>hunter2</p>".write(
      toFile: folder + "/outside/secret", atomically: false, encoding: .utf8)
  }

  private func link(_ name: String, _ target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/site/\(name)", withDestinationPath: target)
  }

  @Test(
    arguments: [
      ("apple-app-site-association", "page.html"),
      (".well-known/apple-app-site-association", "page.html"),
      ("example.com.json", "example.com.page.html"),
    ])
  func `a page that is a link out of the folder is not served`(file: String, page: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try link(page, "../outside/secret")
    var siblings = SiblingFiles(beside: "\(folder)/site/\(file)")
    let faults = siblings.read()
    #expect(siblings.page == nil)
    #expect(faults.map(\.code) == ["H038"], "\(faults)")
    // A link to another name in the folder is as good as a file.
    try FileManager.default.removeItem(atPath: "\(folder)/site/\(page)")
    try "<p>here</p>".write(
      toFile: folder + "/site/real.html", atomically: false, encoding: .utf8)
    try link(page, "real.html")
    #expect(siblings.read() == [])
    #expect(siblings.page == Array("<p>here</p>".utf8))
  }
  @Test func `a file that cannot be inspected is still served`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let page = folder + "/site/page.html"
    try "<p>here</p>".write(toFile: page, atomically: false, encoding: .utf8)
    var siblings = SiblingFiles(beside: folder + "/site/apple-app-site-association")
    #expect(siblings.read() == [])
    try FileManager.default.removeItem(atPath: page)
    // A link to itself: the system says that it cannot be followed, not that nothing is there.
    try link("page.html", "page.html")
    #expect(siblings.read().map(\.location?.path) == [page])
    #expect(siblings.page == Array("<p>here</p>".utf8))
  }
}
