import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --device`: what a device recorded, and what is served now.
@Suite(.manyAtOnce, .needsNameServer) struct CheckDeviceTests {
  /// A world with the shop's files, and the text of a device in `device.txt`.
  private func site(_ device: String) throws -> CheckSite {
    let site = try CheckSite(CheckSite.serving(links: statements("org.swift.shop", nil)))
    try site.workspace.write("device.txt", device)
    return site
  }

  private static func sysdiagnose(_ approval: String, of domain: String = "example.com") -> String {
    """
    Service:              applinks
    App ID:               \(shop)
    Domain:               \(domain)
    User Approval:        unspecified
    Site/Fmwk Approval:   \(approval)
    Last Checked:         2026-08-24 10:09:00 +0000
    --------

    """
  }

  private static func packageManager(_ state: String) -> String {
    """
      org.swift.shop:
        ID: 7782a8e9-350f-4080-8a4e-dec398f323d3
        Signatures: [\(shopFingerprint)]
        Domain verification state:
          example.com: \(state)
        User 0:
          Verification link handling allowed: true
          Selection state:
            Disabled:
              example.com
    """
  }

  @Test func `each recorded domain is checked, end to end`() throws {
    let site = try site(
      Self.sysdiagnose("approved") + Self.sysdiagnose("approved", of: "gone.example"))
    try site.check("--device", "device.txt").says(
      .start("4 checked: 1 is wrong, 3 are right\n"),
      "\nto do: first fix gone.example (gone.example: ", exit: 1)
  }

  @Test func `a server is asked before DNS moves`() throws {
    var site = try CheckSite(nil)
    try site.serve(
      "other.example", showing: site.authority.issue("example.com"))
    try site.workspace.write("device.txt", Self.sysdiagnose("approved"))
    try site.check(["--device", "device.txt"] + site.resolving).says(exit: 0)
  }

  @Test(arguments: ["legacy_failure", "1024", "1026", "none"])
  func `a host that was not verified is verified again, end to end`(state: String) throws {
    let site = try site(Self.packageManager(state))
    try site.check("--device", "device.txt").says(
      "the device recorded \"\(state)\" [F130]", "(aasa explain \(state))",
      "\nto do: run adb shell pm verify-app-links --re-verify org.swift.shop", exit: 1)
    try site.workspace.aasa("explain", state).says("grade O", exit: 0)
  }

  @Test func `the standard input is read as a file is`() throws {
    let site = try site("")
    try site.check("--device", "-", input: Self.sysdiagnose("approved"))
      .says("\nto do: nothing;", exit: 0)
    try site.check("--device", "-", input: Self.sysdiagnose("denied")).says(
      "\n  standard input:1\n", "\nto do: install the app again: example.com is correct", exit: 1)
  }

  @Test func `what is not understood is named by its line, end to end`() throws {
    let site = try site("what is this?\n" + Self.packageManager("verified"))
    let run = try site.check("--device", "device.txt").says(exit: 0)
    #expect(
      (run.text + run.errors).contains("device.txt: line 1 was not understood"), "\(run)")
    for text in ["nothing of the kind\n", ""] {
      try site.check("--device", "-", input: text)
        .says(exit: 2, errors: "no device records were found")
    }
    try site.check("--device", "-", "--json", input: Self.packageManager("verified"))
      .says(#"{"advice":"to do: nothing;"#, exit: 0)
  }
}
