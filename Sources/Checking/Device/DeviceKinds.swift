package import Diagnostics

extension Kind {
  static let deviceFailure = Kind(
    "F130", "device-failure", "a device recorded that it could not verify a domain",
    "links of the domain stay in the browser on this device, whatever the domain serves now",
    recorded, effect: .expectation,
    fix: "fix the domain, then install the app again; on Android: adb shell pm "
      + "verify-app-links --re-verify PACKAGE")

  static let deviceRefusal = Kind(
    "F131", "device-refusal", "a device recorded that links to a domain must not open the app",
    "links stay in the browser on this device only", recorded, effect: .expectation,
    fix: "long-press a link and choose the app; on Android: Settings, Apps, the app, Open by "
      + "default, Open supported links")

  static let deviceLine = Kind(
    "F132", "device-line", "a line of a device's record was not understood",
    "it may say something about a domain that is not in this report",
    "the format of these records is undocumented (grade O)", severity: .note,
    fix: "read the line yourself, and compare it with one that works")

  static let deviceKinds: [Kind] = [.deviceFailure, .deviceRefusal, .deviceLine]

  fileprivate static let recorded =
    "TN3155 shows swcutil_show.txt, and pm help lists Android's states; the formats are "
    + "undocumented (grade O)"
}

/// Returns the kind for a state that Android recorded: a word of `pm get-app-links`, or a number of
/// at least 1024. Nil for any other text.
package func deviceStateKind(of text: String) -> Kind? {
  let word = text.lowercased()
  if let number = Int(word), number >= 1024 {
    return state(
      text,
      verifierWords[number] ?? "this device's verifier failed, with an error number of its own",
      "usually the device could not reach the host or Google's service, or assetlinks.json does "
        + "not name the app with the certificate that it is signed with")
  }
  switch word {
  case "legacy_failure":
    return state(
      word, "the verifier rejected the domain, without a reason",
      "assetlinks.json was not there, or did not name the app with its certificate, when the device "
        + "fetched it")
  case "none":
    return state(
      word, "nothing has been recorded for the domain",
      "the device has not verified it yet, or its filter does not request verification")
  case "denied":
    return state(
      word, "the domain was forcibly refused, usually by an adb command",
      "links stay in the browser",
      fix: "adb shell pm reset-app-links PACKAGE; then adb shell pm verify-app-links --re-verify "
        + "PACKAGE")
  default: return nil
  }
}

/// The failure numbers of the verifier in Android's source code. Devices with Google's services use
/// another verifier, whose numbers are undocumented.
private let verifierWords = [
  1024: "this device's verifier failed without giving a reason",
  1025: "this device's verifier does not check hosts with a wildcard",
  1026: "this device's verifier found no statement for the app and its certificate",
  1027: "the host gave this device's verifier no answer in time",
  1028: "this device's verifier could not get or read assetlinks.json",
  1029: "assetlinks.json redirected, which this device's verifier does not follow",
  1030: "this device's verifier could not read the certificate of the app",
]

private func state(
  _ code: String, _ what: String, _ consequence: String,
  fix: String =
    "aasa check --device FILE says which; then adb shell pm verify-app-links --re-verify "
    + "PACKAGE, or install the app again"
) -> Kind {
  Kind(
    code, "android-state", what, consequence,
    "pm help names the states; the numbers are those of the verifier in Android's source code, and "
      + "another version may use them differently (grade O)", fix: fix)
}
