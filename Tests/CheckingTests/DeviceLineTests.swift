import Diagnostics
import Rules
import Testing

@testable import Checking

/// Lines of a device's text that are not understood are named, each by its number.
@Suite struct DeviceLineTests {
  private static let record = """
    Service:              applinks
    App ID:               \(shop)
    Domain:               example.com
    User Approval:        unspecified
    Site/Fmwk Approval:   approved
    --------

    """

  private func check(_ device: String, exitCode: Int32) throws -> String {
    let world = CheckWorld(CheckServer())
    let result = DeviceCheck(DeviceText(Array(device.utf8)), named: "device.txt")
      .results(try world.context())
    let code = result.subjects.map(\.exitCode).reduce(0, CheckRun.worse)
    let text = result.subjects.map(\.text).joined() + (result.advice ?? "")
    #expect(code == exitCode, "\(text)")
    return text
  }

  private static let strangers: [(text: String, words: String)] = [
    ("what?\n" + record, "line 1 was not understood [F132]\n"),
    ("what?\nand\n" + record + "this?\n", "lines 1, 2, 9 were not understood [F132]\n"),
    (
      String(repeating: "what?\n", count: 120) + record,
      "98, 99, 100 and perhaps more were not understood [F132]\n"
    ),
  ]

  @Test(arguments: strangers.indices)
  func `a line that is not understood is named`(index: Int) throws {
    let (device, words) = Self.strangers[index]
    let text = try check(device, exitCode: 0)
    #expect(text.contains(words), "\(text)")
  }

  private static let incomplete: [(text: String, words: String)] = [
    (
      record + "Service: applinks\nApp ID: \(shop)\nDomain:",
      "device.txt: line 7: the record does not show its domain and app [F132]\n"
    ),
    (
      "Service: applinks\n" + record + "Service: applinks\n",
      "device.txt: lines 1, 8: the record does not show its domain and app [F132]\n"
    ),
  ]

  @Test(arguments: incomplete.indices)
  func `a record that is cut off leaves the result unknown`(index: Int) throws {
    let (device, words) = Self.incomplete[index]
    let text = try check(device, exitCode: 4)
    #expect(text.contains(words), "\(text)")
    #expect(
      text.contains("  help: give aasa the complete output of the device: a record is cut off\n"))
    #expect(text.contains("to do: give aasa the complete output of the device: "), "\(text)")
  }

  @Test func `an approval that nobody knows is named by its own line`() throws {
    let text = try check(Self.record.replacing("approved", with: "perhaps"), exitCode: 4)
    #expect(
      text.contains("aasa does not know the state \"perhaps\" [F132]\n  device.txt:5\n"), "\(text)")
    #expect(text.contains("read line 5: aasa does not know the state"), "\(text)")
  }
}
