import Testing

@testable import Checking

/// Texts of devices are foreign bytes: none ends the program, and none is guessed.
@Suite struct DeviceTextTests {
  private static let sysdiagnose = """
    Service:              applinks
    App ID:               K27TX9P4QD.org.swift.shop
    Domain:               example.com
    User Approval:        unspecified
    Site/Fmwk Approval:   denied
    Error:                Error Domain=SWCErrorDomain Code=7 "no"
      UserInfo of more than one line
    --------
    Service:              webcredentials
    App ID:               K27TX9P4QD.org.swift.shop
    Domain:               example.com
    Site/Fmwk Approval:   approved
    """
  private static let packages = """
      org.swift.shop:
        ID: 7782a8e9-350f-4080-8a4e-dec398f323d3
        Signatures: [5E:8F, 00:11]
        Invalid autoVerify domains:
          bad_host.example
        Domain verification state:
          example.com: verified
          www.example.com: 1024
      org.swift.other:
        Signatures: []
        Domain verification state:
          *.example.org: none
    """

  @Test func `a sysdiagnose is read in blocks`() {
    let text = DeviceText(Array(Self.sysdiagnose.utf8))
    #expect(text.records.map(\.service) == ["applinks", "webcredentials"])
    #expect(text.records.map(\.state) == [.failed("denied"), .verified])
    #expect(text.records.map(\.line) == [1, 9] && text.strangers.isEmpty)
    #expect(text.records[0].error?.hasPrefix("Error Domain=SWCErrorDomain") == true)
  }

  @Test func `states of Android belong to the package above them`() {
    let text = DeviceText(Array(Self.packages.utf8))
    #expect(text.strangers.isEmpty)
    #expect(
      text.records.map(\.domain) == [
        "bad_host.example", "example.com", "www.example.com", "*.example.org",
      ])
    #expect(
      text.records.map(\.state) == [
        .invalid, .verified, .failed("1024"), .failed("none"),
      ])
    #expect(text.records[1].fingerprints == ["5E:8F", "00:11"])
    #expect(text.records[3].app == "org.swift.other" && text.records[3].fingerprints.isEmpty)
  }

  @Test func `a package without links to verify is a package too`() {
    let other = """
        org.other 7782a8e9-350f-4080-8a4e-dec398f323d3:
          User 0:
            Verification link handling allowed: false
            Selection state:
              Disabled:
                example.com
      """
    let text = DeviceText(Array((Self.packages + "\n" + other).utf8))
    #expect(text.strangers.isEmpty && text.records[1].state == .verified)
    let work = """
      org.swift.shop:
        Domain verification state:
          example.com: verified
        User 0:
          Verification link handling allowed: true
        User 10:
          Verification link handling allowed: false
      """
    #expect(
      DeviceText(Array(work.utf8)).records.map(\.state)
        == [.refused("the settings of the app, for user 10,")])
  }

  @Test(arguments: [
    ("Verified", DeviceRecord.State.verified), ("approved", .granted("approved")),
    ("pre_verified", .granted("pre_verified")), ("migrated", .granted("migrated")),
    ("restored", .granted("restored")), ("system_configured", .granted("system_configured")),
    ("denied", .failed("denied")), ("1029", .failed("1029")), ("always", .unknown("always")),
    ("7", .unknown("7")),
  ])
  func `a state that nobody knows is not guessed`(word: String, state: DeviceRecord.State) {
    let text = "a.b:\n  Domain verification state:\n    example.com: \(word)\n"
    #expect(DeviceText(Array(text.utf8)).records.map(\.state) == [state])
  }

  @Test func `a text is read as editors and shells save it`() {
    for whole in [Self.sysdiagnose, Self.packages] {
      let records = DeviceText(Array(whole.utf8)).records
      let wide: [UInt8] =
        [0xFF, 0xFE] + whole.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big: [UInt8] = [0xFE, 0xFF] + whole.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      let indented = whole.split(separator: "\n").map { "    " + $0 }.joined(separator: "\r\n")
      for text in [wide, big, Array(("\u{FEFF}" + whole).utf8), Array(indented.utf8)] {
        #expect(DeviceText(text).records == records)
      }
    }
  }

  @Test func `what belongs to nothing is named`() {
    let part = DeviceText(Array("Domain verification state:\n  example.com: 1024\n".utf8))
    #expect(part.records.isEmpty && part.strangers == [2])
    let text = DeviceText(
      Array(
        "what?\nService: applinks\nDomain: a.example\nService: spotlight\nApp ID: A.b\nDomain: c.d\n\(Self.sysdiagnose)"
          .utf8))
    #expect(text.records.count == 2 && text.strangers == [1, 4] && text.incomplete == [2])
  }

  @Test(arguments: [
    ("Service: applinks\nApp ID: A.b\nSite/Fmwk Approval: approved", 1),
    ("\(sysdiagnose)\nService: applinks\nApp ID: A.b\nDomain:", 13),
    ("a.b:\n  Domain verification state:\n    example.com: verified\n    www.examp", 4),
    ("a.b:\n  Domain verification state:\n    example.com: verified\n    www.example.com:", 4),
    ("a.b:\n  Domain verification state:", 2),
  ])
  func `a record that is cut off is named by its line`(text: String, line: Int) {
    #expect(DeviceText(Array(text.utf8)).incomplete == [line])
  }

  @Test func `the user's choice stands beside the state`() {
    let text = """
      a.b:
        Domain verification state:
          example.com: 1024
          www.example.com: 1024
        User 0:
          Verification link handling allowed: true
          Selection state:
            Enabled:
              example.com
            Disabled:
              www.example.com
      """
    let read = DeviceText(Array(text.utf8))
    #expect(read.records.map(\.isChosen) == [true, false] && read.strangers.isEmpty)
  }

  @Test func `a state is named by its own line`() {
    let text = Self.sysdiagnose.dropLast("approved".count) + "perhaps"
    #expect(DeviceText(Array(text.utf8)).records.map(\.stateLine) == [5, 12])
  }

  @Test func `no text ends the program`() {
    for whole in [Self.sysdiagnose, Self.packages].map({ Array($0.utf8) }) {
      for count in stride(from: 0, through: whole.count, by: 3) {
        _ = DeviceText(Array(whole.prefix(count)))
      }
      for place in whole.indices {
        for byte: UInt8 in [0, 0x0A, 0x20, 0x3A, 0x5B, 0xFF] {
          var text = whole
          text[place] = byte
          _ = DeviceText(text)
        }
      }
    }
  }

  @Test func `what is too much is left out`() {
    let one = "Service: applinks\nApp ID: A.b\nDomain: example.com\nwhat?\n"
    let text = DeviceText(Array(String(repeating: one, count: 11_000).utf8))
    #expect(text.records.count == DeviceText.Limits.records)
    #expect(text.strangers.count == DeviceText.Limits.strangers)
  }

  @Test func `a text with more lines or records than are read says so`() {
    func text(lines: Int) -> DeviceText {
      DeviceText(Array(("Service: applinks\n" + String(repeating: "\n", count: lines - 1)).utf8))
    }
    #expect(!text(lines: DeviceText.Limits.lines - 1).isTooLong)
    #expect(text(lines: DeviceText.Limits.lines).isTooLong)
    func records(_ count: Int) -> DeviceText {
      let domains = (0..<count).map { "      h\($0).example: verified\n" }.joined()
      return DeviceText(
        Array(
          ("    a.b:\n    Domain verification state:\n" + domains + "  Enabled:\n  h0.example\n")
            .utf8))
    }
    let most = records(DeviceText.Limits.records)
    #expect(most.records.count == DeviceText.Limits.records && !most.isTooLong)
    #expect(most.records[0].isChosen && !most.records[1].isChosen)
    let more = records(DeviceText.Limits.records + 1)
    #expect(more.records.count == DeviceText.Limits.records && more.isTooLong)
  }
}
