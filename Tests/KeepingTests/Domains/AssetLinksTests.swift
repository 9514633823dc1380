import CatalogSupport
import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Android's `assetlinks.json` is judged as association files are.
@Suite struct AssetLinksTests {
  let folder = TestFolder("domains")

  /// A list with this relation and this package name.
  private func list(_ relation: String = "handle_all_urls", _ name: String = "org.swift.shop")
    -> String
  {
    let fingerprint =
      "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"
    return #"[{"relation":["delegate_permission/common.\#(relation)"],"target":{"#
      + #""namespace":"android_app","package_name":"\#(name)","#
      + #""sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#
  }

  private func write(_ text: String) { folder.write("domains/a.test.assetlinks.json", text) }

  private func loader() -> DomainRunner { DomainRunner(root: folder("domains")) }

  @Test func `a version with an error does not replace a good one`() {
    write(list())
    var loader = loader()
    #expect(loader.scanAll().report.diagnostics.isEmpty)
    write(list("handle_all_url"))
    let outcome = loader.scanAll()
    #expect(outcome.codes == ["D105"])
    #expect(loader.assetLinks("a.test") == list())
    #expect(loader.problems.all.values.allSatisfy { $0.isLastGood })
    write(list("get_login_creds"))
    #expect(loader.scanAll().report.diagnostics.isEmpty)
    #expect(loader.assetLinks("a.test") == list("get_login_creds"))
  }

  @Test func `a version that breaks its expectations does not replace a good one`() {
    folder.write("domains/a.test.cases", "/buy/1 opens android:org.swift.shop\n")
    write(list())
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    write(list("get_login_creds"))
    #expect(loader.scanAll().codes == ["E010"])
    #expect(loader.assetLinks("a.test") == list())
    folder.write("domains/a.test.cases", "/buy/1 browser android:org.swift.shop\n")
    #expect(loader.scanAll().codes == [])
    #expect(loader.assetLinks("a.test") == list("get_login_creds"))
  }

  /// At the start, files are served at once and checked a little later.
  @Test(arguments: [false, true])
  func `a version that was not judged yet is judged before a faulty one comes`(isGood: Bool) {
    let first = isGood ? list() : list("handle_all_urls", "shop")
    write(first)
    var loader = loader()
    #expect(loader.scanAll(.usability).report.diagnostics.isEmpty)
    #expect(loader.hasBackgroundWork)
    write(list("handle_all_url"))
    #expect(loader.scanAll().codes == ["D105"])
    #expect(
      loader.assetLinks("a.test") == (isGood ? first : list("handle_all_url")))
  }

  @Test func `work in the background reports what is wrong`() {
    write(list("handle_all_urls", "shop"))
    var loader = loader()
    _ = loader.scanAll(.usability)
    var codes: [String] = []
    while loader.hasBackgroundWork {
      var outcome = loader.workInBackground(milliseconds: 50)
      // Files that were written a moment ago are scanned again.
      outcome += loader.scan(outcome.domainsAgain, isFinal: true)
      codes += outcome.codes
    }
    #expect(codes == ["D122"])
  }
}
