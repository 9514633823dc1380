import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Files found on the web, right, sloppy and broken ones, where a collection of them is at hand
/// beside the package.
@Suite("files from the field", .manyAtOnce) struct CorpusTests {
  struct Entry {
    let host: String
    let bytes: [UInt8]
    let isObject: Bool
  }

  /// By the table in the collection's README, whose first column is the file's name and whose last
  /// says whether it is JSON; empty if there is no collection.
  static let entries: [Entry] = {
    let folder = URL(filePath: repositoryFile("../shared/corpus"))
    guard let readme = try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    else { return [] }
    return readme.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = cells.first, name.hasSuffix(".json"),
        let data = try? Data(contentsOf: folder.appending(path: name))
      else { return nil }
      let isObject =
        cells.last == "json" && (try? JSONSerialization.jsonObject(with: data)) is [String: Any]
      return Entry(host: name.dropLast(5) + ".example", bytes: Array(data), isObject: isObject)
    }
  }()

  @Test(.enabled(if: !entries.isEmpty, "there is no ../shared/corpus beside the package"))
  func `each one that is a JSON object is served byte for byte, each other is refused`() throws {
    let workspace = try Workspace()
    for entry in Self.entries { try workspace.write("domains/\(entry.host).json", entry.bytes) }
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      // Some of them can open nothing.
      server.allow(stderr: "the file is served anyway")
      for entry in Self.entries {
        for path in associationPaths {
          let response = try server.get(path, host: entry.host)
          #expect(response.status == (entry.isObject ? 200 : 503), "\(entry.host)")
          if entry.isObject {
            let isSame = response.body == entry.bytes
            #expect(isSame, "\(entry.host)")
            #expect(response["Content-Type"] == "application/json")
          }
        }
        if !entry.isObject { server.expect(stderr: "domains/\(entry.host).json:", "error") }
      }
      #expect(Self.entries.contains { $0.isObject })
    }
  }
}
