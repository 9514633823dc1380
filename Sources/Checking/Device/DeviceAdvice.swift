internal import Diagnostics

/// A device's record about a domain, and the result of checking this domain now. The result is nil
/// if the domain could not be checked.
struct Checked: Sendable {
  let record: DeviceRecord
  let now: CheckedSubject?

  var isRight: Bool { now?.outcome == .good || now?.outcome == .cdn }
}

/// Chooses one sentence of advice about all records, in this order: a fault that still exists, a
/// step to repeat on the device, and then a state that is unknown.
struct DeviceAdvice {
  private let all: [Checked]
  /// The numbers of the lines where records begin whose end is missing from the input.
  private let incomplete: [Int]

  init(_ all: [Checked], incomplete: [Int]) {
    self.all = all
    self.incomplete = incomplete
  }

  var sentence: String {
    "to do: "
      + (wrong ?? invalid ?? failed ?? refused ?? unknown ?? cut ?? granted
        ?? "nothing; every recorded domain is correct now, and the device verified every domain")
  }

  private var cut: String? {
    incomplete.first.map {
      "give aasa the complete output of the device: the record in line \($0) is cut off"
    }
  }

  private var granted: String? {
    for found in all {
      guard case .granted(let word) = found.record.state else { continue }
      let record = found.record
      return "nothing for this device; every recorded domain is correct now. The device did not "
        + "verify \(record.host) (\"\(word)\"): to see whether the device can, run adb shell pm "
        + "reset-app-links \(record.app), then adb shell pm verify-app-links --re-verify "
        + "\(record.app)"
    }
    return nil
  }

  private var wrong: String? {
    guard let found = all.first(where: { $0.now?.outcome == .wrong }), let now = found.now else {
      return nil
    }
    let record = found.record
    if now.findings.contains(where: \.isOfOtherKey) {
      return
        "the device shows the fingerprint "
        + "\(record.fingerprints.joined(separator: " or ")): if the fingerprint belongs to the app "
        + "signing key, add it to assetlinks.json of \(record.host); if the fingerprint belongs to "
        + "the upload key, install the app from Google Play"
    }
    return "first fix \(record.host) (\(now.verdict)), then "
      + (record.system == .apple ? "install the app again" : again(record))
  }

  private var invalid: String? {
    all.first { $0.record.state == .invalid }.map { found in
      "correct the host \(found.record.domain) in the manifest of \(found.record.app), then install "
        + "the app again"
    }
  }

  private var failed: String? {
    for found in all where found.isRight {
      let record = found.record
      guard case .failed(let word) = record.state else { continue }
      if record.system == .android {
        let first = word == "denied" ? "run adb shell pm reset-app-links \(record.app), then " : ""
        return first
          + "\(again(record)): \(record.host) is correct now, but was not when the device recorded "
          + "\"\(word)\""
      }
      let first =
        record.isForDevelopers
        ? "turn on Associated Domains Development in Settings, Developer, then " : ""
      return first
        + "install the app again: \(record.host) is correct now, but was not when the device "
        + "fetched the file" + record.since
    }
    return nil
  }

  private var refused: String? {
    for found in all where found.isRight {
      guard case .refused = found.record.state else { continue }
      return found.record.system == .apple
        ? "the user chose the browser: long-press a link to \(found.record.host) and choose the app"
        : "turn on \"Open supported links\" in Settings, Apps, \(found.record.app), Open by default"
    }
    return nil
  }

  private var unknown: String? {
    for found in all {
      if !found.isRight {
        return "this machine could not check \(found.record.host); try another network"
      }
      if case .unknown = found.record.state {
        return "read line \(found.record.stateLine): aasa does not know the state that the device "
          + "recorded for \(found.record.host)"
      }
    }
    return nil
  }

  private func again(_ record: DeviceRecord) -> String {
    "run adb shell pm verify-app-links --re-verify \(record.app), or install the app again"
  }
}
