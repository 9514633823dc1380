import AppFileSupport
import AppFiles
import Diagnostics
import Testing

@testable import Checking

/// The entries of associated domains, which nothing cleans before iOS reads them.
@Suite struct EntitlementEntryTests {
  private func domains(_ entry: String) throws -> AssociatedDomains {
    AssociatedDomains(
      try AppFile(
        AppFileSamples.entitlements(app: "K27TX9P4QD.org.swift.shop", domains: [entry])))
  }

  @Test(arguments: [
    "applinks: example.com", "applinks:example.com ", "applinks:\texample.com",
    "applinks:example.com,example.org", "applinks:example.com/", "applinks:me@example.com",
    "applinks:applinks:example.com", "applinks:https://example.com", "applinks:",
  ])
  func `more than a host is an error`(entry: String) throws {
    let found = try domains(entry)
    #expect(found.findings.map(\.code) == ["F082"] && found.subjects.isEmpty)
  }

  @Test(arguments: [
    "applinks:example.com", "applinks:*.example.com", "webcredentials:Example.com",
    "applinks:example.com:8443", "applinks:example.com?mode=developer",
  ])
  func `a host, and what may stand beside it, is not`(entry: String) throws {
    let found = try domains(entry)
    #expect(found.findings.isEmpty && found.subjects.count == 1)
  }

  @Test func `the advice has the host alone`() throws {
    #expect(
      try domains("applinks: example.com").findings.first?.help
        == "write applinks:example.com: no https://, no path, no space, no slash at the end")
  }
}
