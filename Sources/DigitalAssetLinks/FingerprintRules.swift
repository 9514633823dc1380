internal import Diagnostics
internal import Rules

let fingerprintRules: [StatementRule] = [
  fingerprintRule(
    .placeholder, "D130", "placeholder-fingerprint", .error, "a fingerprint is a placeholder",
    wrong: "YOUR_SHA256_FINGERPRINT", message: "the fingerprint is a placeholder",
    help: playConsole),
  fingerprintRule(
    .sample, "D131", "sample-fingerprint", .error,
    "a fingerprint is copied from Google's documentation",
    wrong:
      "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5",
    message: "the fingerprint begins like the sample in Google's documentation", help: playConsole),
  fingerprintRule(
    .invented, "D132", "invented-fingerprint", .error,
    "a fingerprint's bytes repeat or form a simple sequence",
    wrong:
      "AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99",
    message: "the fingerprint seems invented: its bytes repeat or form a simple sequence",
    help: playConsole),
  fingerprintRule(
    .otherDigest, "D133", "other-digest", .error, "a fingerprint is not a SHA-256 digest",
    wrong: "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25",
    message: "the fingerprint is not a SHA-256 digest: it has the length of SHA-1 or MD5",
    help: "copy the line SHA256 from keytool's output or the Play Console"),
  fingerprintRule(
    .length, "D134", "fingerprint-length", .error, "a fingerprint does not have 32 bytes",
    wrong: String(Example.fingerprint.dropLast(3)),
    message: "a SHA-256 fingerprint has 32 bytes", help: "copy the whole fingerprint again"),
  fingerprintRule(
    .withoutColons, "D135", "fingerprint-without-colons", .error, "a fingerprint has no colons",
    wrong: Example.fingerprint.filter { $0 != ":" },
    message: "the bytes of a fingerprint must be separated by colons",
    help: "write the fingerprint as keytool and the Play Console print it: 5E:8F:16:…"),
  fingerprintRule(
    .characters, "D136", "fingerprint-characters", .error,
    "a fingerprint contains characters that are not hexadecimal",
    wrong: Example.fingerprint.replacingColons,
    message: "a fingerprint is 32 pairs of hexadecimal digits, separated by colons",
    help: "copy the fingerprint again from keytool's output or the Play Console"),
  lowerCaseFingerprintRule,
  StatementRule(
    "D138", "repeated-fingerprint", .note, "a fingerprint is repeated in one target",
    "one is enough", source: nil, each: \.apps,
    wrong: Example.listOfApp(
      Example.packageName,
      "\"sha256_cert_fingerprints\": [\n"
        + "        \"\(Example.fingerprint)\",\n        \"\(Example.fingerprint)\"\n      ]")
  ) { target, _, findings in
    var seen: Set<String> = []
    for fingerprint in target.fingerprints
    where !seen.insert(normalizedFingerprint(fingerprint.value)).inserted {
      findings.report(
        fingerprint.range, "the fingerprint is repeated",
        help: "remove one of the two fingerprints")
    }
  },
  fingerprintRule(
    .debugKey, "D139", "debug-fingerprint", .warning,
    "a fingerprint belongs to the debug key of React Native's template",
    consequence: "no published app uses this key, and anyone can sign an app with it",
    source: nil, wrong: FingerprintFault.reactNativeKey,
    message: "the fingerprint belongs to the debug key of React Native's template",
    help: "remove the fingerprint from the public file; " + playConsole),
]

let lowerCaseFingerprintRule = StatementRule(
  "D137", "fingerprint-in-lower-case", .error, "a fingerprint is in lower case",
  "Google's service refuses lower case, and Android compares the text with an upper-case "
    + "fingerprint",
  source: "Google's compatibility tests and Android's source code show this",
  wrong: Example.with(fingerprint: Example.fingerprint.lowercased())
) { list, findings in
  // For each package name, the relations of those statements that contain a fingerprint without
  // faults.
  var good: [String: Set<String>] = [:]
  for statement in list.statements {
    guard let target = statement.target, let name = target.packageName,
      target.fingerprints.contains(where: { FingerprintFault(of: $0.value) == nil })
    else { continue }
    good[name.value, default: []].formUnion(statement.relations.map(\.value))
  }
  for statement in list.statements {
    guard let target = statement.target, target.kind == .app else { continue }
    let isGood = statement.relations.allSatisfy {
      good[target.packageName?.value ?? ""]?.contains($0.value) ?? false
    }
    for fingerprint in target.fingerprints
    where FingerprintFault(of: fingerprint.value) == .lowerCase {
      findings.report(
        fingerprint.range, "the fingerprint is in lower case",
        help: "write the fingerprint in upper case, as keytool and the Play Console print it",
        severity: isGood ? .warning : nil)
    }
  }
}

private let playConsole =
  "copy the SHA-256 of the app signing key from the Play Console, App integrity; keytool -list -v "
  + "prints the SHA-256 of your own key"

/// Makes the rule that reports one kind of fingerprint fault. A fingerprint has at most one fault,
/// so at most one of these rules reports it.
private func fingerprintRule(
  _ fault: FingerprintFault, _ code: String, _ name: String, _ severity: Diagnostic.Severity,
  _ what: String,
  consequence: String = "no app's certificate has this fingerprint, so it approves no app",
  source: String? = Evidence.android, wrong: String, message: String, help: String
) -> StatementRule {
  StatementRule(
    code, name, severity, what, consequence, source: source,
    each: \.fingerprints, wrong: Example.with(fingerprint: wrong)
  ) { fingerprint, _, findings in
    guard FingerprintFault(of: fingerprint.value) == fault else { return }
    findings.report(fingerprint.range, message, help: help)
  }
}

extension String {
  /// The fingerprint with spaces in place of colons, as some tools print it.
  fileprivate var replacingColons: String { split(separator: ":").joined(separator: " ") }
}
