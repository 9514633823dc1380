internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks

/// The pages of codes about `assetlinks.json` and files about passkeys.
let statementPages =
  StatementRule.all.map(\.page) + PasskeyFile.allCases.flatMap(\.pages) + PasskeyAgreement.pages
  + PlatformAgreement.pages

/// The pages of all codes that the program prints.
enum Pages {
  /// Codes with one letter, and their subject.
  struct Group {
    let letter: Character
    let title: String
    let pages: [RulePage]
  }

  static let groups = [
    Group(letter: "A", title: "association files", pages: of("A")),
    Group(letter: "J", title: "JSON", pages: of("J")),
    Group(letter: "V", title: "paths to validate", pages: of("V")),
    Group(letter: "E", title: "expectations", pages: expectationPages),
    Group(
      letter: "D",
      title: "differences; Android's assetlinks.json (from D101); passkeys (from D150)",
      pages: differencePages + statementPages),
    Group(letter: "H", title: "hosting", pages: hostingPages),
    Group(letter: "T", title: "certificates and keys", pages: certificatePages),
    Group(letter: "I", title: "automatic certificates", pages: issuancePages),
    Group(letter: "F", title: "fetching from domains", pages: FindingKind.all.map(\.page)),
    Group(letter: "S", title: "why Apple's CDN has no file", pages: failurePages),
    Group(letter: "C", title: "configuration", pages: configurationPages),
  ]

  static let all = groups.flatMap(\.pages)

  static func page(of code: String) -> RulePage? {
    all.first { $0.code == code } ?? failurePage(of: code)
  }

  private static func of(_ letter: Character) -> [RulePage] {
    RulePage.all.filter { $0.code.first == letter }
  }

  /// One line for each code, under a heading for each group.
  static var list: String {
    let width = all.map(\.name.count).max() ?? 0
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return groups.map { group in
      "\(group.letter): \(group.title)\n"
        + group.pages.map { page in
          "\(page.code)  \(padded(page.severity.rawValue, 7))  \(padded(page.name, width))  "
            + page.what + "\n"
        }.joined()
    }.joined(separator: "\n")
  }
}
