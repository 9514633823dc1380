internal import Bytes
internal import Diagnostics
internal import Posix
internal import QRCode
internal import Synchronization

/// The output of `aasa dev` on the terminal: instructions, requests, changes, and whether a device
/// has fetched the file.
final class DevTerminal: Sendable {
  private let hasColour: Bool
  private let hasCode: Bool
  private let width: Int
  /// The public name for which instructions were last printed; nil if no instructions were printed.
  private let shown = Mutex<PublicName?>(nil)

  init(_ environment: [String: String]) {
    let isTerminal = standardOutputIsTerminal && environment["TERM"] != "dumb"
    hasCode = isTerminal
    hasColour = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
    width = terminalWidth() ?? 80
  }

  /// Prints the first lines: the files, the local addresses, the diagnostics and the public name.
  func begin(_ facts: DevFacts, port: UInt16, inspectorPort: UInt16, cases: String) {
    write([
      "file       \(escapingInvisible(facts.path ?? "made from --app"))\(served(facts))",
      "local      http://127.0.0.1:\(port)", "inspector  http://127.0.0.1:\(inspectorPort)",
      "cases      \(escapingInvisible(cases))",
    ])
    write(facts.siblings.found.map { "beside it  \(escapingInvisible($0))" })
    write(diagnostics(facts))
    shown.withLock { $0 = facts.site }
    write(site(facts, since: nil))
  }

  func report(_ event: DevEvent) {
    switch event {
    case .request(let record): write([line(record)])
    case .file(let facts): write(change(facts))
    case .headline(let facts): write(headline(facts))
    case .cdn(let facts): write([facts.cdn?.sentence(current: facts.version?.name) ?? ""])
    case .site(let facts):
      let old = shown.withLock { shown in
        defer { shown = facts.site }
        return shown
      }
      write(site(facts, since: old))
    }
  }

  private func write(_ lines: [String]) {
    if lines.isEmpty { return }
    // While the terminal is paused (Ctrl-S), drop lines, because waiting would delay requests.
    guard standardOutputIsReady(within: DevLimits.heldTerminal) else { return }
    writeToStandard(1, lines.joined(separator: "\n") + "\n")
  }

  // MARK: Lines about the association file

  private func served(_ facts: DevFacts) -> String {
    guard let version = facts.version else { return ": there is no valid file yet" }
    return " (\(version.bytes.count) bytes, version \(version.name))"
  }

  private func diagnostics(_ facts: DevFacts) -> [String] { facts.diagnostics.map(\.line) }

  private func change(_ facts: DevFacts) -> [String] {
    let time = timeOfDay(Clock.wallMilliseconds())
    if facts.isServed {
      let changes = facts.changes.isEmpty ? ["no change for users"] : facts.changes
      return ["\(time)  saved: version \(facts.version?.name ?? "") is served"]
        + diagnostics(facts) + changes.map { "          " + escapingInvisible($0) }
    }
    let rest = facts.version.map { "version \($0.name) is still served" } ?? "nothing is served"
    return ["\(time)  saved with errors: \(rest)"] + diagnostics(facts)
  }

  // MARK: Lines about the public name

  private func site(_ facts: DevFacts, since old: PublicName?) -> [String] {
    var lines: [String] = []
    if let message = facts.site.message, message != old?.message {
      lines.append("tunnel     " + escapingInvisible(message))
    }
    if facts.site.host != nil, facts.site.host != old?.host { lines += instructions(facts) }
    if let problem = facts.site.problem, problem != old?.problem {
      lines.append("warning: " + escapingInvisible(problem))
    }
    return lines
  }

  private func instructions(_ facts: DevFacts) -> [String] {
    guard let host = facts.site.host else { return [] }
    var lines = [
      "", strong("public     https://\(host)"), "",
      "  1. In Xcode, under Signing & Capabilities, add to the Associated Domains:",
    ]
    lines += facts.entitlements.map { "       " + strong($0) }
    lines += [
      "  2. On the phone, turn on Settings > Developer > Universal Links >",
      "     Associated Domains Development",
      "  3. Run the app from Xcode. Then scan a link, or tap it in Notes or Messages;",
      "     an address that is typed into Safari never opens an app:",
    ]
    let links = facts.links
    let shown = links.isEmpty ? [("https://" + host + "/", nil)] : links.prefix(5)
    for (url, app) in shown {
      lines.append("       " + escapingInvisible(url + (app.map { "  opens " + $0 } ?? "")))
    }
    if links.count > 5 { lines.append("       and \(links.count - 5) more in the inspector") }
    if let android = facts.android { lines += steps(android, host) }
    lines += code(shown.first?.0 ?? "")
    return lines + headline(facts)
  }

  private func steps(_ android: AndroidRules, _ host: String) -> [String] {
    let package = escapingInvisible(android.apps.first ?? "PACKAGE")
    return [
      "  With Android Studio:",
      "  1. Add this line to the intent filter of the activity that opens links:",
      "       " + strong("<data android:scheme=\"https\" android:host=\"\(host)\" />"),
      "  2. Run the app. Android verifies the host within half a minute; check with:",
      "       " + strong("adb shell pm get-app-links \(package)"),
      "  3. Tap a link in a message; an address that is typed never opens an app.",
    ]
  }

  private func headline(_ facts: DevFacts) -> [String] {
    ["", strong(">>> " + facts.headline.sentence), ""]
  }

  /// Returns the lines of a QR code for a link. Returns no lines if the output is not a terminal,
  /// if the link is too long, or if the code is wider than the terminal.
  private func code(_ url: String) -> [String] {
    guard hasCode, url.utf8.count <= DevLimits.codeBytes, let code = QRCode(url),
      code.size + QRCode.quietZone <= width
    else { return [] }
    return [""] + code.terminalLines(hasColour ? .explicit : .lightOnDark)
  }

  // MARK: Lines about requests

  private func line(_ record: RequestRecord) -> String {
    let rest =
      record.version.map { "  version \($0)" } ?? record.fault.map { "  refused: \($0)" } ?? ""
    return "\(timeOfDay(record.time))  \(padded(record.fetcher, 12))  \(record.method) "
      + "\(record.path)  \(record.status)  \(record.bytes) bytes\(rest)"
  }

  private func strong(_ text: String) -> String {
    hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}

/// Writes one line to the standard error stream.
func printError(_ line: String) { writeToStandard(2, escapingInvisible(line) + "\n") }

/// Returns the local time of day, for example `14:03:22`.
func timeOfDay(_ milliseconds: Int64) -> String {
  let (hour, minute, second) = Clock.localTime(milliseconds / 1_000)
  return [hour, minute, second].map { decimal($0, digits: 2) }.joined(separator: ":")
}
