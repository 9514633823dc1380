import AppSiteAssociation
import Foundation
import Testing

/// The code of Documentation/Library.md.
@Suite struct PageTests {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "aasa-\(UUID().uuidString)")
    let text = """
      {
        "applinks": {
          "details": [
            {
              "appIDs": ["K27TX9P4QD.org.swift.shop"],
              "components": [
                { "/": "/buy/secret", "exclude": true },
                { "/": "/buy/*" }
              ]
            }
          ]
        }
      }
      """
    try Data(text.utf8).write(to: url)
  }

  @Test func `links to the shop open the app`() throws {
    defer { try? FileManager.default.removeItem(at: url) }

    let file = try AssociationFile(Data(contentsOf: url), name: "apple-app-site-association")
    #expect(
      file.decision(for: "https://example.com/buy/42", app: "K27TX9P4QD.org.swift.shop") == .opens)
    #expect(file.validate().errors.isEmpty)

    let why = file.explanation(
      for: "https://example.com/buy/secret", app: "K27TX9P4QD.org.swift.shop")
    #expect(why.decision == .blocked)
    #expect(why.rule == #"{ "/": "/buy/secret", "exclude": true }"#)
    #expect(why.line == 7)

    let deployed = try AssociationFile(Data("{}".utf8), name: "deployed")
    #expect(file.differences(from: deployed).map(\.code) == ["D001"])
  }

  @Test func `the page shows this code`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(
      contentsOf: folder.appending(path: "../../../../Documentation/Library.md").standardized,
      encoding: .utf8)
    let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    func lines(_ text: some StringProtocol) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
      lines($0.components(separatedBy: "\n```")[0])
    }
    #expect(blocks.count >= 2)
    let manifest = try String(
      contentsOf: folder.appending(path: "../../Package.swift").standardized, encoding: .utf8)
    let known = Set(lines(code) + lines(manifest))
    for line in blocks.joined() where !line.hasPrefix(".package(") {
      #expect(known.contains(line), "\(line)")
    }
  }
}
