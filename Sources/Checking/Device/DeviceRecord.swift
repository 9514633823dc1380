internal import AppSiteAssociation
internal import Bytes

/// What a device has recorded about one domain of one app.
package struct DeviceRecord: Sendable, Equatable {
  /// The operating system of the device that made the record.
  enum System: Sendable {
    case apple, android
  }

  enum State: Sendable, Equatable {
    case verified
    /// Links open the app, although the device did not verify the domain. The text is the word that
    /// the device recorded.
    case granted(String)
    /// The verification failed. The text is the word that the device recorded.
    case failed(String)
    /// The domain is verified, but the user or a setting turned off links to the domain. The text
    /// says which user or setting.
    case refused(String)
    /// The app's manifest lists a host that Android cannot verify.
    case invalid
    /// A state that this program does not know. The text is the word that the device recorded.
    case unknown(String)
  }

  let system: System
  /// The service on Apple's systems, such as `applinks`; empty for Android.
  var service = ""
  /// The domain as the device recorded it, possibly with the prefix `*.` and the suffix
  /// `?mode=developer`.
  let domain: String
  /// The app identifier on Apple's systems; the package name on Android.
  let app: String
  var state: State
  /// The certificate fingerprints of the installed app; empty on Apple's systems.
  var fingerprints: [String] = []
  /// When the file was last requested, by the device or by Apple's CDN on behalf of the device; nil
  /// on Android.
  var lastChecked: String?
  /// Why the last request for the file failed. Nil if the request did not fail; always nil on
  /// Android.
  var error: String?
  /// Whether the user turned on links to the domain in Android's settings; false on Apple's
  /// systems.
  var isChosen = false
  /// The number of the first line of the record, counted from 1.
  let line: Int
  /// The number of the line that contains the state.
  var stateLine: Int

  /// The domain without the prefix `*.` and without the suffix `?mode=developer`.
  var host: String {
    String((domain.hasPrefix("*.") ? domain.dropFirst(2) : domain[...]).prefix { $0 != "?" })
  }

  /// Whether the state lets links to the domain open the app: verified or granted. Ignores
  /// `isChosen`.
  var opensLinks: Bool {
    switch state {
    case .verified, .granted: true
    default: false
    }
  }

  /// Whether the device fetches the file directly from the domain, because the app's entitlements
  /// list the domain with `?mode=developer`.
  var isForDevelopers: Bool { domain.hasSuffix("?mode=developer") }
}

/// The records in the output of a tool that ran on a device. The formats are undocumented. So this
/// type reports every line that it does not understand, and never guesses what the line means. Each
/// line is read only once, so the limits also limit the work.
package struct DeviceText: Sendable {
  package private(set) var records: [DeviceRecord] = []
  /// The numbers of the lines that were not understood.
  private(set) var strangers: [Int] = []
  /// The numbers of the lines at which incomplete records begin. Such a record is cut off: it lacks
  /// the domain or the app.
  private(set) var incomplete: [Int] = []
  /// Whether the text contains more lines or records than `Limits` allows.
  private(set) var isTooLong = false

  package enum Limits {
    package static let bytes = 8 << 20
    static let lines = 200_000
    static let records = 10_000
    static let strangers = 100
    /// The maximum number of certificate fingerprints of an installed app. Android accepts ten
    /// signers.
    static let fingerprints = 10
  }

  /// Reads `swcutil_show.txt` or the output of `adb shell pm get-app-links`.
  package init(_ bytes: [UInt8]) {
    let parts = savedText(Array(bytes.prefix(Limits.bytes)))
      .split(
        maxSplits: Limits.lines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let lines = parts.prefix(Limits.lines).map { $0.drop(while: \.isWhitespace) }
    isTooLong = parts.count > Limits.lines
    if lines.contains(where: { $0.hasPrefix("Service:") }) {
      readApple(lines)
    } else if lines.contains(where: { $0.contains("Domain verification state:") }) {
      readAndroid(lines)
    }
  }

  /// The hosts of all records.
  package var hosts: Set<String> {
    Set(records.compactMap { try? HostTarget($0.host).host })
  }

  private mutating func add(_ record: DeviceRecord) {
    if records.count < Limits.records { records.append(record) } else { isTooLong = true }
  }

  private mutating func addStranger(_ line: Int) {
    if strangers.count < Limits.strangers { strangers.append(line) }
  }

  private mutating func addIncomplete(_ line: Int) {
    if incomplete.count < Limits.strangers { incomplete.append(line) }
  }

  // MARK: The output of Apple's tool

  /// Reads blocks of lines in the form `Key: value`. Apple's technote TN3155 shows an example.
  private mutating func readApple(_ lines: [Substring]) {
    var block: [String: String] = [:]
    var lineNumbers: [String: Int] = [:]
    func finish() {
      guard let start = lineNumbers["Service"] else { return }
      guard let service = block["Service"], let app = block["App ID"], let domain = block["Domain"],
        !domain.isEmpty, !app.isEmpty
      else { return addIncomplete(start) }
      guard Association.serviceNames.contains(service) else { return addStranger(start) }
      add(
        DeviceRecord(
          system: .apple, service: service, domain: domain, app: app,
          state: Self.state(site: block["Site/Fmwk Approval"], user: block["User Approval"]),
          lastChecked: block["Last Checked"], error: block["Error"], line: start,
          stateLine: lineNumbers["Site/Fmwk Approval"] ?? start))
    }
    var isInError = false
    for (index, line) in lines.enumerated() {
      let key = Self.appleKeys.first { line.hasPrefix($0 + ":") }
      if key == "Service" {
        finish()
        (block, lineNumbers) = ([:], [:])
      }
      guard let key else {
        // An error message may continue on the next lines.
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
      lineNumbers[key] = index + 1
    }
    finish()
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

  // MARK: The output of Android's tool

  private enum Section {
    case head, states, selection, chosen, invalid
  }

  /// Reads packages, each followed by lines with its properties. Each level of properties is
  /// indented more than the level above it.
  private mutating func readAndroid(_ lines: [Substring]) {
    var package: String?
    var fingerprints: [String] = []
    var section = Section.head
    var first = 0
    // `places` contains, for each domain, the indices of the package's records about this domain.
    // `refused` is the number of records before the last line that says that links are off.
    var places: [String: [Int]] = [:]
    var refused = 0
    var user = ""
    let last = lines.lastIndex { !$0.isEmpty }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].drop(while: \.isWhitespace)) : ""
      let name = String(parts[0])
      switch name {
      case "ID": continue
      case "Signatures":
        fingerprints = value.filter { !"[] ".contains($0) }.split(separator: ",").map(String.init)
        fingerprints.removeSubrange(min(fingerprints.count, Limits.fingerprints)...)
      // The text is cut off before the list of domains.
      case _ where index == last && value.isEmpty && [.head, .states].contains(section):
        addIncomplete(index + 1)
      case "Domain verification state": section = .states
      case "Invalid autoVerify domains": section = .invalid
      case "Enabled": section = .chosen
      case "Selection state", "Disabled": section = .selection
      case "Verification link handling allowed":
        section = .selection
        if value == "false" {
          refuse(from: max(first, refused), user)
          refused = records.count
        }
      case _ where name.hasPrefix("User ") && value.isEmpty: (section, user) = (.selection, name)
      case _ where parts.count == 2 && value.isEmpty && Self.packageName(name) != nil:
        (package, fingerprints) = (Self.packageName(name), [])
        (section, first, user, places) = (.head, records.count, "", [:])
      case _ where section == .states && package != nil && Self.isName(name) && !value.isEmpty:
        if records.count < Limits.records { places[name, default: []].append(records.count) }
        add(
          DeviceRecord(
            system: .android, domain: name, app: package ?? "", state: Self.state(value),
            fingerprints: fingerprints, line: index + 1, stateLine: index + 1))
      case _ where section == .invalid && package != nil && !name.contains(" "):
        add(
          DeviceRecord(
            system: .android, domain: String(line), app: package ?? "", state: .invalid,
            line: index + 1, stateLine: index + 1))
      case _ where section == .chosen && parts.count == 1 && !name.contains(" "):
        for record in places.removeValue(forKey: name) ?? [] { records[record].isChosen = true }
      case _ where section == .selection && parts.count == 1 && !name.contains(" "): continue
      default: addStranger(index + 1)
      }
    }
  }

  /// Marks the package's records, from the index `first` on: the user has turned off the package's
  /// links.
  private mutating func refuse(from first: Int, _ user: String) {
    let isMain = ["", "User 0", "User all"].contains(user)
    for record in first..<records.count where records[record].opensLinks {
      records[record].state = .refused(
        "the settings of the app" + (isMain ? "" : ", for \(user.lowercased()),"))
    }
  }

  /// Returns the package name in a line, such as `org.swift.shop`; nil for any other text. In the
  /// line, the name may be followed by an identifier of the installation.
  private static func packageName(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard let first = words.first.map(String.init), words.count <= 2, isName(first) else {
      return nil
    }
    return words.count == 1 || words[1].count { $0 == "-" } == 4 ? first : nil
  }

  /// Whether a text may be a package name or a host name.
  private static func isName(_ text: String) -> Bool {
    text.contains(".") && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-_.*".utf8.contains(byte)
      }
  }

  private static func state(_ word: String) -> DeviceRecord.State {
    switch AndroidState(word)?.outcome {
    case .verified: .verified
    case .granted: .granted(word)
    case .failed: .failed(word)
    case nil: .unknown(word)
    }
  }
}
