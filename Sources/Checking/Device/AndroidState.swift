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
      because: "links of the domain open the app, unless the user turned off the links of the app",
      fix: "nothing to do; adb shell pm get-app-links PACKAGE shows what the user chose"),
    AndroidState(
      "approved", .granted,
      "Android did not verify the domain: somebody forced its approval, usually with a shell "
        + "command",
      because: "links open the app on this device only; other devices must verify the domain",
      fix: reset),
    AndroidState(
      "denied", .failed,
      "somebody forced Android to refuse the domain, usually with an adb command",
      because: "links stay in the browser",
      fix: reset),
    AndroidState(
      "migrated", .granted,
      "Android kept the state from an older version of the system, and did not verify the domain "
        + "again",
      because: "the state does not show whether the current assetlinks.json is correct",
      fix: reset),
    AndroidState(
      "restored", .granted,
      "Android approved the domain when it restored the user's data, and did not verify the "
        + "domain again",
      because: "Android assumes that the domain was verified on the device before",
      fix: reset),
    AndroidState(
      "legacy_failure", .failed,
      "Android's verifier rejected the domain and recorded no reason",
      because: """
        when the device fetched assetlinks.json, the file was missing or did not list the app \
        with its certificate
        """,
      fix: verify),
    AndroidState(
      "system_configured", .granted,
      "the device's configuration approved the domain, but Android did not verify the domain",
      because: "links open the app on devices with this configuration only",
      fix: reset),
    AndroidState(
      "pre_verified", .granted,
      "the app's installer approved the domain in advance, and Android has not verified the "
        + "domain yet",
      because: "the device will verify the domain later",
      fix: verify),
    AndroidState(
      "none", .failed,
      "the device has recorded nothing about the domain",
      because: "the device has not verified the domain yet, or the app's intent filter does not "
        + "request verification",
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
        ?? "this device's verifier failed with an error number that only this verifier defines",
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
    1029: "the host redirected the request for assetlinks.json, and this device's verifier "
      + "follows no redirect",
    1030: "this device's verifier could not read the certificate of the app",
  ]

  private static let source = """
    pm help lists the states; the error numbers come from the verifier in Android's source code, \
    and another version may use other numbers (grade O)
    """
  private static let verify = """
    aasa check --device FILE shows the cause; then run adb shell pm verify-app-links --re-verify \
    PACKAGE, or install the app again
    """
  private static let reset = """
    run adb shell pm reset-app-links PACKAGE, then adb shell pm verify-app-links --re-verify \
    PACKAGE
    """
}
