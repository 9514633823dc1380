/// What a device recorded about one domain of one app.
package struct DeviceRecord: Sendable, Equatable {
  /// The system that recorded it.
  enum System: Sendable {
    case apple, android
  }

  enum State: Sendable, Equatable {
    case verified
    /// In the device's own word.
    case failed(String)
    /// The domain is verified, and the user, or a command, decided against the app.
    case refused(String)
  }

  let system: System
  /// Apple's service, such as `applinks`; empty for Android.
  var service = ""
  /// As the device has it: with `*.` before it, or `?mode=developer` after it.
  let domain: String
  /// The app identifier, or the package.
  let app: String
  var state: State
  /// Android: the fingerprints of the installed app's certificates.
  var fingerprints: [String] = []
  /// Apple: when the device, or Apple's CDN for it, asked last.
  var lastChecked: String?
  /// Apple: why that failed.
  var error: String?
  /// Counted from 1.
  let line: Int
}

/// The text of a tool on a device, read as far as its form is known. Neither form is documented, so a
/// line that is not understood is named and never guessed.
package struct DeviceText: Sendable {
  package private(set) var records: [DeviceRecord] = []
  /// The numbers of lines that were not understood.
  private(set) var strangers: [Int] = []

  package enum Limits {
    package static let bytes = 8 << 20
    static let records = 10_000
    static let strangers = 100
  }

  /// Reads `swcutil_show.txt`, or what `adb shell pm get-app-links` prints.
  package init(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes.prefix(Limits.bytes), as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.contains(where: { $0.hasPrefix("Service:") }) {
      readApple(lines)
    } else if lines.contains(where: { $0.contains("Domain verification state:") }) {
      readAndroid(lines)
    }
  }

  private mutating func add(_ record: DeviceRecord?) {
    if let record, records.count < Limits.records { records.append(record) }
  }

  private mutating func addStranger(_ line: Int) {
    if strangers.count < Limits.strangers { strangers.append(line) }
  }

  // MARK: Apple

  /// Blocks of `Key: value`, as TN3155 shows them.
  private mutating func readApple(_ lines: [Substring]) {
    var block: [String: String] = [:]
    var start = 0
    func finished() -> DeviceRecord? {
      guard let service = block["Service"], let app = block["App ID"],
        let domain = block["Domain"], !domain.isEmpty
      else { return nil }
      return DeviceRecord(
        system: .apple, service: service, domain: domain, app: app,
        state: Self.state(site: block["Site/Fmwk Approval"], user: block["User Approval"]),
        lastChecked: block["Last Checked"], error: block["Error"], line: start)
    }
    var isInError = false
    for (index, line) in lines.enumerated() {
      let text = line.drop(while: \.isWhitespace)
      let key = Self.appleKeys.first { text.hasPrefix($0 + ":") }
      if key == "Service" {
        add(finished())
        (block, start) = ([:], index + 1)
      }
      guard let key else {
        // An error may go on for several lines.
        if text.isEmpty || text.allSatisfy({ "-=".contains($0) }) {
          isInError = false
        } else if start > 0, !isInError {
          addStranger(index + 1)
        }
        continue
      }
      isInError = key == "Error"
      let value = text.dropFirst(key.count + 1)
      block[key] = String(value.drop(while: \.isWhitespace).prefix(Self.longestValue))
    }
    add(finished())
  }

  private static let appleKeys = [
    "Service", "App ID", "App Version", "App PI", "Domain", "User Approval", "Site/Fmwk Approval",
    "Flags", "Last Checked", "Next Check", "Error", "Retries", "Patterns", "Details",
  ]
  private static let longestValue = 500

  private static func state(site: String?, user: String?) -> DeviceRecord.State {
    guard site == "approved" else { return .failed(site ?? "no approval") }
    return user == "denied" ? .refused("the user") : .verified
  }

  // MARK: Android

  private enum Section {
    case head, states, selection, invalid
  }

  /// A package, and what belongs to it, each deeper than the line before it.
  private mutating func readAndroid(_ lines: [Substring]) {
    var package: String?
    var fingerprints: [String] = []
    var section = Section.head
    var first = 0
    for (index, line) in lines.enumerated() {
      let text = line.drop(while: \.isWhitespace)
      if text.isEmpty { continue }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].drop(while: \.isWhitespace)) : ""
      switch String(parts[0]) {
      case "ID": continue
      case "Signatures":
        fingerprints = value.filter { !"[] ".contains($0) }.split(separator: ",").map(String.init)
      case "Domain verification state": section = .states
      case "Invalid autoVerify domains": section = .invalid
      case "Selection state", "Enabled", "Disabled": section = .selection
      case "Verification link handling allowed":
        section = .selection
        if value == "false" {
          for record in first..<records.count where records[record].state == .verified {
            records[record].state = .refused("the settings of the app")
          }
        }
      case let name where name.hasPrefix("User ") && value.isEmpty: section = .selection
      case let name where parts.count == 2 && value.isEmpty && Self.isName(name):
        (package, fingerprints, section, first) = (name, [], .head, records.count)
      case let name where section == .states && Self.isName(name) && !value.isEmpty:
        add(
          DeviceRecord(
            system: .android, domain: name, app: package ?? "", state: Self.state(value),
            fingerprints: fingerprints, line: index + 1))
      case let name where section == .invalid && Self.isName(name):
        add(
          DeviceRecord(
            system: .android, domain: name, app: package ?? "", state: .failed("invalid"),
            fingerprints: fingerprints, line: index + 1))
      case let name where section == .selection && parts.count == 1 && Self.isName(name): continue
      default: addStranger(index + 1)
      }
    }
  }

  /// A package or a host.
  private static func isName(_ text: String) -> Bool {
    text.contains(".") && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-_.*".utf8.contains(byte)
      }
  }

  /// The words of `pm help`.
  private static func state(_ word: String) -> DeviceRecord.State {
    switch word {
    case "verified", "approved", "migrated", "restored", "system_configured": .verified
    case "denied": .refused("a command of adb")
    default: .failed(word)
    }
  }
}
