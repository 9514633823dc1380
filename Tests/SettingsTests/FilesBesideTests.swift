import Testing

@testable import Settings

@Suite struct FilesBesideTests {
  @Test(arguments: [
    ("d/x.test.json", "d/x.test", "d/x.test.cases", "d/x.test.assetlinks.json"),
    ("d/X.TEST.JSON", "d/X.TEST", "d/X.TEST.cases", "d/X.TEST.assetlinks.json"),
    ("d/x.test.assetlinks.json", "d/x.test", "d/x.test.assetlinks.cases", nil),
    (
      "d/x.test/apple-app-site-association", "d/x.test",
      "d/x.test/apple-app-site-association.cases", "d/x.test/assetlinks.json"
    ),
    (
      "d/x.test/.well-known/apple-app-site-association", "d/x.test",
      "d/x.test/.well-known/apple-app-site-association.cases",
      "d/x.test/.well-known/assetlinks.json"
    ),
    (
      "d/x.test/.well-known/assetlinks.json", "d/x.test", "d/x.test/.well-known/assetlinks.cases",
      nil
    ),
    ("site.json", "site", "site.cases", "site.assetlinks.json"),
  ])
  func `the files of a host have one name`(
    path: String, host: String, cases: String, assetLinks: String?
  ) {
    let beside = FilesBeside(path)
    #expect(beside.host == host)
    #expect(beside.cases == cases)
    if let assetLinks { #expect(beside.assetLinks.first == assetLinks) }
  }
}
