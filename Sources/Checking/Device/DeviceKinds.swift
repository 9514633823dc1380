internal import Diagnostics

extension Kind {
  static let deviceFailure = Kind(
    "F130", "device-failure", "a device recorded that it could not verify a domain",
    "links of the domain stay in the browser on this device, whatever the domain serves now",
    recorded, effect: .expectation,
    fix: "fix the faults of the domain, then install the app again; on Android, run adb shell pm "
      + "verify-app-links --re-verify PACKAGE")

  static let deviceRefusal = Kind(
    "F131", "device-refusal", "a device recorded that links to a domain must not open the app",
    "links stay in the browser on this device only", recorded, effect: .expectation,
    fix: "long-press a link and choose the app; on Android, turn on Open supported links in "
      + "Settings, Apps, the app, Open by default")

  static let deviceLine = Kind(
    "F132", "device-line", "aasa does not understand a line of a device's record",
    "the line may be about a domain that is not in this report",
    "the format of these records is undocumented (grade O)", severity: .note,
    fix: "read the line yourself, and compare it with a line that aasa understands")

  static let deviceKinds: [Kind] = [.deviceFailure, .deviceRefusal, .deviceLine]

  fileprivate static let recorded =
    "TN3155 shows swcutil_show.txt, and pm help lists Android's states; the formats are "
    + "undocumented (grade O)"
}
