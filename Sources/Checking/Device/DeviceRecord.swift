internal import AppSiteAssociation
internal import Bytes

/// A device's record about one domain of one app.
package struct DeviceRecord: Sendable, Equatable {
  /// The system that recorded it.
  enum System: Sendable {
    case apple, android
  }

  enum State: Sendable, Equatable {
    case verified
    /// Verification failed; the text is the device's own word.
    case failed(String)
    /// The domain is verified, but the user or a setting decided against the app.
    case refused(String)
    /// The manifest names a host that Android cannot verify.
    case invalid
    /// A state that this program does not know.
    case unknown(String)
  }

  let system: System
  /// Apple's service, such as `applinks`; empty for Android.
  var service = ""
  /// The domain as the device recorded it, with any prefix `*.` and suffix `?mode=developer`.
  let domain: String
  /// The app identifier, or the package.
  let app: String
  var state: State
  /// Android: the certificate fingerprints of the installed app.
  var fingerprints: [String] = []
  /// Apple: when the device, or Apple's CDN for it, last sent a request.
  var lastChecked: String?
  /// Apple: why the last request failed.
  var error: String?
  /// Counted from 1.
  let line: Int

  /// The domain without its wildcard and its mode.
  var host: String {
    String((domain.hasPrefix("*.") ? domain.dropFirst(2) : domain[...]).prefix { $0 != "?" })
  }

  /// Whether the device fetches from the domain directly, because of a developer setting.
  var isForDevelopers: Bool { domain.hasSuffix("?mode=developer") }
}

/// The text of a tool on a device, read as far as its format is known. Neither format is
/// documented, so a line that is not understood is reported and never guessed.
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
    let lines = savedText(Array(bytes.prefix(Limits.bytes)))
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }
    if lines.contains(where: { $0.hasPrefix("Service:") }) {
      readApple(lines)
    } else if lines.contains(where: { $0.contains("Domain verification state:") }) {
      readAndroid(lines)
    }
  }

  /// The hosts named by the records.
  package var hosts: Set<String> {
    Set(records.compactMap { try? HostTarget($0.host).host })
  }

  private mutating func add(_ record: DeviceRecord) {
    if records.count < Limits.records { records.append(record) }
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
      guard let service = block["Service"], Association.serviceNames.contains(service),
        let app = block["App ID"], let domain = block["Domain"], !domain.isEmpty
      else { return nil }
      return DeviceRecord(
        system: .apple, service: service, domain: domain, app: app,
        state: Self.state(site: block["Site/Fmwk Approval"], user: block["User Approval"]),
        lastChecked: block["Last Checked"], error: block["Error"], line: start)
    }
    var isInError = false
    for (index, line) in lines.enumerated() {
      let key = Self.appleKeys.first { line.hasPrefix($0 + ":") }
      if key == "Service" {
        if let record = finished() { add(record) } else if start > 0 { addStranger(start) }
        (block, start) = ([:], index + 1)
      }
      guard let key else {
        // An error may go on for several lines.
        if line.allSatisfy({ "-=".contains($0) }) {
          isInError = false
        } else if !isInError {
          addStranger(index + 1)
        }
        continue
      }
      isInError = key == "Error"
      let value = line.dropFirst(key.count + 1)
      block[key] = String(value.drop(while: \.isWhitespace).prefix(Self.longestValue))
    }
    if let record = finished() { add(record) } else if start > 0 { addStranger(start) }
  }

  private static let appleKeys = [
    "Service", "App ID", "App Version", "App PI", "Domain", "User Approval", "Site/Fmwk Approval",
    "Flags", "Last Checked", "Next Check", "Error", "Retries", "Patterns", "Details",
  ]
  private static let longestValue = 500

  private static func state(site: String?, user: String?) -> DeviceRecord.State {
    switch site?.lowercased() {
    case "approved": user?.lowercased() == "denied" ? .refused("the user") : .verified
    case "denied", "unspecified": .failed(site ?? "")
    default: .unknown(site ?? "")
    }
  }

  // MARK: Android

  private enum Section {
    case head, states, selection, invalid
  }

  /// A package, followed by its properties, each level with more indentation.
  private mutating func readAndroid(_ lines: [Substring]) {
    var package: String?
    var fingerprints: [String] = []
    var section = Section.head
    var first = 0
    var user = ""
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].drop(while: \.isWhitespace)) : ""
      let name = String(parts[0])
      switch name {
      case "ID": continue
      case "Signatures":
        fingerprints = value.filter { !"[] ".contains($0) }.split(separator: ",").map(String.init)
      case "Domain verification state": section = .states
      case "Invalid autoVerify domains": section = .invalid
      case "Selection state", "Enabled", "Disabled": section = .selection
      case "Verification link handling allowed":
        section = .selection
        if value == "false" { refuse(from: first, user) }
      case _ where name.hasPrefix("User ") && value.isEmpty: (section, user) = (.selection, name)
      case _ where parts.count == 2 && value.isEmpty && Self.packageName(name) != nil:
        (package, fingerprints) = (Self.packageName(name), [])
        (section, first, user) = (.head, records.count, "")
      case _ where section == .states && package != nil && Self.isName(name) && !value.isEmpty:
        add(
          DeviceRecord(
            system: .android, domain: name, app: package ?? "", state: Self.state(value),
            fingerprints: fingerprints, line: index + 1))
      case _ where section == .invalid && package != nil && !name.contains(" "):
        add(
          DeviceRecord(
            system: .android, domain: String(line), app: package ?? "", state: .invalid,
            line: index + 1))
      case _ where section == .selection && parts.count == 1 && !name.contains(" "): continue
      default: addStranger(index + 1)
      }
    }
  }

  /// Notes that the user turned off a package's links.
  private mutating func refuse(from first: Int, _ user: String) {
    let isMain = ["", "User 0", "User all"].contains(user)
    for record in first..<records.count where records[record].state == .verified {
      records[record].state = .refused(
        "the settings of the app" + (isMain ? "" : ", for \(user.lowercased()),"))
    }
  }

  /// Returns a name such as `org.swift.shop`. In the text, an identifier of the installation may
  /// follow the name.
  private static func packageName(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard let first = words.first.map(String.init), words.count <= 2, isName(first) else {
      return nil
    }
    return words.count == 1 || words[1].count { $0 == "-" } == 4 ? first : nil
  }

  /// A package or a host.
  private static func isName(_ text: String) -> Bool {
    text.contains(".") && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-_.*".utf8.contains(byte)
      }
  }

  /// The words of `pm help`; `pre_verified` is newer.
  private static func state(_ word: String) -> DeviceRecord.State {
    switch word.lowercased() {
    case "verified", "approved", "migrated", "restored", "system_configured", "pre_verified":
      .verified
    default: deviceStateKind(of: word) == nil ? .unknown(word) : .failed(word)
    }
  }
}
