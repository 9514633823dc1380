import AppSiteAssociation
import Diagnostics
import Rules
import Testing

@testable import DigitalAssetLinks

/// Expectations about Android's apps.
@Suite struct AndroidCaseTests {
  private static let list = Example.dynamic(
    #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": "#
      + #"[{"/": "/buy/x", "exclude": true}, {"/": "/buy/*"}]}"#)

  private func failures(_ cases: String, _ list: String = Self.list) -> [String] {
    let file = AssetLinksFile(SourceText(path: "l", bytes: Array(list.utf8)))
    guard let links = AndroidLinks(file) else { return [] }
    var budget = CaseLimits.hosted
    return caseDiagnostics(
      CaseFile(SourceText(path: "x.cases", bytes: Array(cases.utf8))), against: links, &budget
    ).map { "\($0.message) | \($0.note ?? "")" }
  }

  @Test(arguments: [
    "/buy/1 opens android:org.swift.shop", "/buy/x blocked android:org.swift.shop",
    "/sell browser android:org.swift.shop", "/buy/1 browser android:org.swift.other",
    // Not about Android.
    "/sell opens ios:K27TX9P4QD.org.swift.shop", "/sell opens K27TX9P4QD.org.swift.shop",
  ])
  func `what is met is not reported`(cases: String) {
    #expect(failures(cases) == [])
  }

  @Test func `what is not met says which rule decides`() {
    #expect(
      failures("/buy/x opens android:org.swift.shop") == [
        "/buy/x is blocked for org.swift.shop on Android, but opens is expected "
          + "| decided by l:10:86: path /buy/x"
      ])
    #expect(
      failures("/sell opens android:org.swift.shop") == [
        "/sell stays in the browser for org.swift.shop on Android, but opens is expected "
          + "| not by l:10:86: path `/sell` does not match `/buy/x`"
      ])
    #expect(
      failures("/buy/1 opens android:org.swift.other") == [
        "/buy/1 stays in the browser for org.swift.other on Android, but opens is expected "
          + "| the file does not list this app for links"
      ])
    #expect(
      failures("/sell browser android:org.swift.shop", Example.right) == [
        "/sell opens org.swift.shop on Android, but browser is expected "
          + "| no dynamic rules exist, so the app's manifest decides"
      ])
  }

  @Test func `a list that cannot be read has faults of its own`() {
    #expect(failures("/buy/1 opens android:org.swift.shop", "{}") == [])
  }
}
