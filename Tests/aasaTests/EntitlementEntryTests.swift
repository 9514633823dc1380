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

  @Test(arguments: [
    ("webcredentials:.example.com", "write webcredentials:example.com: "),
    ("applinks:example..com", "write applinks:example.com: "),
    ("applinks:..", "write applinks:example.com: "),
    ("applinks:example.com/buy/*", "write applinks:example.com: paths belong in the"),
    ("applinks:https://example.com/*", "write applinks:example.com: paths belong in the"),
    ("appclips:a.*.com", "list each host: appclips:example.com"),
    ("applinks:a.*.com", "list each host, or all subdomains of a host: applinks:*.example.com"),
  ])
  func `the advice never repeats the mistake`(entry: String, help: String) throws {
    let found = try #require(try domains(entry).findings.first)
    #expect(found.code == "F082" && found.help?.hasPrefix(help) == true, "\(found.help ?? "")")
    // What is advised has no fault.
    let advised = try #require(
      found.help?.firstMatch(of: /(applinks|webcredentials|appclips):[a-z.*]+/))
    #expect(try domains(String(advised.output.0)).findings.isEmpty, "\(advised.output.0)")
  }

  @Test func `an internationalized host is noted`() throws {
    let found = try domains("applinks:xn--exmple-cua.com")
    #expect(found.findings.map(\.code) == ["F134"] && found.subjects.count == 1)
    #expect(found.findings.map(\.severity) == [.note])
  }
}
