internal import Diagnostics

/// A state that Android can record for a domain, and what this state means. `aasa explain` also
/// explains these states.
struct AndroidState: Sendable {
  enum Outcome: Sendable {
    case verified
    /// Links open the app, although Android did not verify the domain.
    case granted
    case failed
  }

  let outcome: Outcome
  let kind: Kind

  /// The states that `pm help` lists, and the state `pre_verified`, which is newer.
  static let all: [AndroidState] = [
    AndroidState(
      "verified", .verified,
      "Android verified the domain for the app",
      because: "its links open the app, unless the user turned them off",
      fix: "nothing; adb shell pm get-app-links PACKAGE shows what the user chose"),
    AndroidState(
      "approved", .granted,
      "the domain was approved by force, usually by a shell command, and not verified",
      because: "links open the app on this device only; other devices must verify the domain",
      fix: reset),
    AndroidState(
      "denied", .failed,
      "the domain was forcibly refused, usually by an adb command",
      because: "links stay in the browser",
      fix: reset),
    AndroidState(
      "migrated", .granted,
      "the state was kept from an older version of Android, and not verified again",
      because: "the state says nothing about today's file",
      fix: reset),
    AndroidState(
      "restored", .granted,
      "the domain was approved when the user's data was restored, and not verified again",
      because: "Android assumes that the domain was verified on the device before",
      fix: reset),
    AndroidState(
      "legacy_failure", .failed,
      "the verifier rejected the domain, without a reason",
      because: """
        assetlinks.json was not there, or did not name the app with its certificate, when \
        the device fetched it
        """,
      fix: verify),
    AndroidState(
      "system_configured", .granted,
      "the device's configuration approved the domain, and nothing verified it",
      because: "links open the app on devices with this configuration only",
      fix: reset),
    AndroidState(
      "pre_verified", .granted,
      "the domain was approved in advance by the installer, and not yet verified",
      because: "the device verifies it later",
      fix: verify),
    AndroidState(
      "none", .failed,
      "nothing has been recorded for the domain",
      because: "the device has not verified it yet, or its filter does not request verification",
      fix: verify),
  ]

  private init(
    _ word: String, _ outcome: Outcome, _ what: String, because reason: String, fix: String
  ) {
    self.outcome = outcome
    kind = Kind(
      word, "android-state", what, reason, Self.source,
      severity: outcome == .failed ? .error : .note, fix: fix)
  }

  /// Nil if the text is neither a state that `pm help` lists nor a number of at least 1024.
  init?(_ text: String) {
    let word = text.lowercased()
    if let known = Self.all.first(where: { $0.kind.code == word }) {
      self = known
      return
    }
    guard let number = Int(word), number >= 1024 else { return nil }
    self.init(
      text, .failed,
      Self.verifierWords[number]
        ?? "this device's verifier failed, with an error number of its own",
      because: """
        usually the device could not reach the host or Google's service, or assetlinks.json does \
        not list the app with its signing certificate
        """,
      fix: Self.verify)
  }

  /// What the failure numbers mean, according to the verifier in Android's source code. Devices
  /// with Google's services have a different verifier, and its numbers are undocumented.
  private static let verifierWords = [
    1024: "this device's verifier failed without giving a reason",
    1025: "this device's verifier does not check hosts with a wildcard",
    1026: "this device's verifier found no statement for the app and its certificate",
    1027: "the host gave this device's verifier no answer in time",
    1028: "this device's verifier could not get or read assetlinks.json",
    1029: "assetlinks.json redirected, which this device's verifier does not follow",
    1030: "this device's verifier could not read the certificate of the app",
  ]

  private static let source = """
    pm help lists the states; the numbers come from the verifier in Android's source code, and \
    another version may use them differently (grade O)
    """
  private static let verify = """
    aasa check --device FILE shows the cause; then adb shell pm verify-app-links --re-verify \
    PACKAGE, or install the app again
    """
  private static let reset = """
    adb shell pm reset-app-links PACKAGE; then adb shell pm verify-app-links --re-verify PACKAGE
    """
}
