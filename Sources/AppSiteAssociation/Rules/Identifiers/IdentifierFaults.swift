internal import Bytes
internal import Diagnostics
internal import Rules

let identifierRules: [AssociationRule] = [
  rule(
    .placeholder, "A032", .warning, "placeholder-identifier", .observed,
    "an app identifier contains a placeholder",
    "no app has this identifier, so nothing opens",
    wrong: "YOUR_TEAM_ID.org.swift.shop",
    message: { text in "`\(text)` still contains a placeholder" },
    help: { _, app in
      "write the Team ID of the developer account and the bundle identifier: "
        + "`\(app)`"
    }),
  rule(
    .samplePrefix, "A033", .note, "sample-identifier", .observed,
    "an app identifier has a prefix from Apple's documentation",
    "the prefix does not belong to your account, so no app opens",
    wrong: "ABCDE12345.com.example.app",
    message: { text in "`\(text)` has the prefix of an example in Apple's documentation" },
    help: { _, _ in "write your own Team ID and bundle identifier" }),
  rule(
    .sampleBundle, "A034", .note, "sample-bundle", .observed,
    "a bundle identifier begins like one from a project template",
    "few apps keep the identifier that their project template contained",
    wrong: "K27TX9P4QD.com.example.shop",
    message: { text in "`\(text)` has the bundle identifier of a template" },
    help: { _, _ in "write the bundle identifier that the app has in Xcode" }),
  rule(
    .spaces, "A035", .warning, "spaces-in-identifier", .observed,
    "an app identifier contains white space",
    "identifiers are compared exactly, and no app's identifier contains white space",
    wrong: " K27TX9P4QD.org.swift.shop",
    message: { _ in "this app identifier contains white space" },
    help: { text, _ in "remove it: `\(text.filter { !$0.isWhitespace })`" }),
  rule(
    .incomplete, "A036", .warning, "incomplete-identifier", .documented,
    "an app identifier has no prefix or no bundle identifier",
    "an app identifier is a prefix, a dot and a bundle identifier; no other form is valid",
    wrong: "K27TX9P4QD",
    message: { text in "`\(text)` is not a prefix, a dot and a bundle identifier" },
    help: { _, app in "write for example `\(app)`" }),
  rule(
    .withoutPrefix, "A037", .warning, "identifier-without-prefix", .documented,
    "an app identifier is a bundle identifier without a prefix",
    "an app identifier begins with the prefix, usually the Team ID; without the prefix no app "
      + "matches",
    wrong: "org.swift.shop",
    message: { text in "`\(text)` is a bundle identifier without its prefix" },
    help: { text, _ in "begin with the Team ID and a dot: `K27TX9P4QD.\(text)`" }),
  rule(
    .appStoreNumber, "A038", .warning, "app-store-number", .observed,
    "the prefix of an app identifier is a number, like an App Store ID",
    "the prefix is usually a Team ID of ten letters and digits, not an App Store ID",
    wrong: "6448924682.org.swift.shop",
    message: { text in "the prefix of `\(text)` looks like an App Store ID" },
    help: { _, app in "write the Team ID, for example `\(app)`" }),
  rule(
    .lowerCasePrefix, "A039", .warning, "lower-case-prefix", .observed,
    "the prefix of an app identifier contains lower-case letters",
    "identifiers are case-sensitive and Team IDs are in upper case",
    wrong: "k27tx9p4qd.org.swift.shop",
    message: { text in "the prefix of `\(text)` is not in upper case" },
    help: { text, _ in "write the identifier as `\(upperCasePrefix(text))`" }),
  rule(
    .wildcard, "A040", .warning, "wildcard-identifier", .documented,
    "an app identifier contains `*`",
    "app identifiers allow no wildcards: each app must be listed",
    wrong: "K27TX9P4QD.org.swift.*",
    message: { _ in "`*` is not a wildcard in an app identifier" },
    help: { _, app in "list each app, for example `\(app)`" }),
  rule(
    .unusualPrefix, "A041", .warning, "unusual-prefix", .documented,
    "the prefix of an app identifier is not ten letters and digits",
    "a prefix, usually the Team ID, has ten characters: no app has this prefix",
    wrong: "K27TX9P4.org.swift.shop",
    message: { text in
      let length = text.prefix { $0 != "." }.count.counting("character")
      return "the prefix of `\(text)` has \(length), not ten letters and digits"
    },
    help: { _, _ in "compare the prefix with the application-identifier in the app's entitlements" }
  ),
  rule(
    .characters, "A042", .warning, "identifier-characters", .documented,
    "a bundle identifier has characters that are not allowed",
    "a bundle identifier consists of letters, digits, hyphens and dots, so no app has this "
      + "identifier",
    wrong: "K27TX9P4QD.org.swift_shop",
    message: { text in
      apps(in: text) != nil
        ? "`\(text)` contains several app identifiers in one string"
        : strangeCharacter(in: text).map {
          "`\(text)` contains \($0), which no bundle identifier has"
        }
          ?? "`\(text)` has an empty part, which no bundle identifier has"
    },
    help: { text, app in
      apps(in: text).map { "write each app identifier as a separate string: \($0)" }
        ?? "write letters, digits, hyphens and single dots: `\(app)`"
    }),
  rule(
    .domain, "A046", .warning, "domain-as-identifier", .documented,
    "an address or an entitlement is written in place of an app identifier",
    "domains belong in the app's entitlements, and apps in this file",
    wrong: "applinks:example.com",
    message: { text in "`\(text)` is an address and not an app identifier" },
    help: { _, app in "write the app identifier, for example `\(app)`" }),
]

/// Makes a rule about app identifiers with a certain fault.
///
/// - Parameters:
///   - message: Returns the message about an identifier.
///   - help: Returns how to fix the fault, given the identifier and its replacement.
private func rule(
  _ fault: IdentifierFault, _ code: String, _ severity: Diagnostic.Severity, _ name: String,
  _ grade: Grade, _ what: String, _ consequence: String, wrong: String,
  message: @escaping @Sendable (String) -> String,
  help: @escaping @Sendable (String, String) -> String
) -> AssociationRule {
  AssociationRule(
    code, severity, name, grade, in: .identifier, each: \.identifiers, what, consequence,
    wrong: "\"\(wrong)\"", right: #""K27TX9P4QD.org.swift.shop""#
  ) { use, file, findings in
    // Another rule reports wildcard domains that are listed in `appclips`.
    let isClip = fault == .domain && use.service == "appclips" && use.text.hasPrefix("*.")
    guard use.fault == fault, !isClip else { return }
    let cure = IdentifierUse.cure(of: use.text, in: file)
    findings.report(use.located.range, message(use.text), help: help(use.text, cure))
  }
}

/// Returns the apps in a text that lists several apps, as `"TEAM.a", "TEAM.b"`. Nil if the text is
/// not a list of apps.
private func apps(in text: String) -> String? {
  guard let parts = separateApps(in: text) else { return nil }
  return "`" + parts.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    + (parts.count > 3 ? ", …" : "") + "`"
}

/// Returns the first character that no bundle identifier can contain. A non-ASCII character is
/// followed by its code point.
private func strangeCharacter(in text: String) -> String? {
  let strange = text.unicodeScalars.first { scalar in
    !(scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil))
      && !"-.".unicodeScalars.contains(scalar)
  }
  guard let strange else { return nil }
  if strange.isASCII { return "`\(strange)`" }
  let number = String(strange.value, radix: 16, uppercase: true)
  return "`\(strange)` (U+\(String(repeating: "0", count: max(0, 4 - number.count)))\(number))"
}
