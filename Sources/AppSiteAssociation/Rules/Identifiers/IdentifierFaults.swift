internal import Diagnostics
internal import Rules

/// Rules about app identifiers.
let identifierRules: [AssociationRule] = [
  rule(
    .placeholder, "A032", .warning, "placeholder-identifier",
    what: "an app identifier contains a placeholder",
    consequence: "no app has this identifier, so nothing opens",
    grade: .observed,
    wrong: "YOUR_TEAM_ID.org.swift.shop",
    message: { text in "`\(text)` still contains a placeholder" },
    help: { _ in
      "write the Team ID of the developer account and the bundle identifier: "
        + "`K27TX9P4QD.org.swift.shop`"
    }),
  rule(
    .samplePrefix, "A033", .note, "sample-identifier",
    what: "an app identifier has a prefix from Apple's documentation",
    consequence: "the prefix belongs to no account of yours, so no app opens",
    grade: .observed,
    wrong: "ABCDE12345.com.example.app",
    message: { text in "`\(text)` has the prefix of a documented example" },
    help: { _ in "write your own Team ID and bundle identifier" }),
  rule(
    .sampleBundle, "A034", .note, "sample-bundle",
    what: "a bundle identifier begins as in a template",
    consequence: "templates have such identifiers, and few apps keep them",
    grade: .observed,
    wrong: "K27TX9P4QD.com.example.shop",
    message: { text in "`\(text)` has the bundle identifier of a template" },
    help: { _ in "write the bundle identifier that the app has in Xcode" }),
  rule(
    .spaces, "A035", .warning, "spaces-in-identifier",
    what: "an app identifier contains white space",
    consequence: "identifiers are compared as they are, so no app has this one",
    grade: .observed,
    wrong: " K27TX9P4QD.org.swift.shop",
    message: { _ in "this app identifier contains white space" },
    help: { text in "remove it: `\(text.filter { !$0.isWhitespace })`" }),
  rule(
    .incomplete, "A036", .warning, "incomplete-identifier",
    what: "an app identifier has no prefix or no bundle identifier",
    consequence:
      "an app identifier is a prefix, a dot and a bundle identifier; no app has any other form",
    grade: .documented,
    wrong: "K27TX9P4QD",
    message: { text in "`\(text)` is not a prefix, a dot and a bundle identifier" },
    help: { _ in "write for example `K27TX9P4QD.org.swift.shop`" }),
  rule(
    .withoutPrefix, "A037", .warning, "identifier-without-prefix",
    what: "an app identifier is a bundle identifier without a prefix",
    consequence:
      "an app identifier begins with the prefix, usually the Team ID; without it no app is named",
    grade: .documented,
    wrong: "org.swift.shop",
    message: { text in "`\(text)` is a bundle identifier without its prefix" },
    help: { text in "write the Team ID and a dot before it: `K27TX9P4QD.\(text)`" }),
  rule(
    .appStoreNumber, "A038", .warning, "app-store-number",
    what: "the prefix of an app identifier is a number, as App Store IDs are",
    consequence:
      "the prefix is usually a Team ID of ten letters and digits; an App Store ID is not one",
    grade: .observed,
    wrong: "6448924682.org.swift.shop",
    message: { text in "the prefix of `\(text)` looks like an App Store ID" },
    help: { _ in "write the Team ID, for example `K27TX9P4QD.org.swift.shop`" }),
  rule(
    .lowerCasePrefix, "A039", .warning, "lower-case-prefix",
    what: "the prefix of an app identifier contains lower-case letters",
    consequence: "identifiers are case-sensitive and Team IDs are in upper case",
    grade: .observed,
    wrong: "k27tx9p4qd.org.swift.shop",
    message: { text in "the prefix of `\(text)` is not in upper case" },
    help: { text in "write it as `\(upperCasePrefix(text))`" }),
  rule(
    .wildcard, "A040", .warning, "wildcard-identifier",
    what: "an app identifier contains `*`",
    consequence: "there are no wildcards in app identifiers: each app is named",
    grade: .documented,
    wrong: "K27TX9P4QD.org.swift.*",
    message: { _ in "`*` is not a wildcard in an app identifier" },
    help: { _ in "name each app, for example `K27TX9P4QD.org.swift.shop`" }),
  rule(
    .unusualPrefix, "A041", .warning, "unusual-prefix",
    what: "the prefix of an app identifier is not ten letters and digits",
    consequence: "prefixes have ten characters, in most cases the Team ID: no app has this one",
    grade: .documented,
    wrong: "K27TX9P4.org.swift.shop",
    message: { text in
      "the prefix of `\(text)` has \(lengthOfPrefix(text)), not ten letters and digits"
    },
    help: { _ in "compare it with the application-identifier in the app's entitlements" }),
  rule(
    .characters, "A042", .warning, "identifier-characters",
    what: "a bundle identifier has characters that are not allowed",
    consequence:
      "a bundle identifier consists of letters, digits, hyphens and dots, so no app has this one",
    grade: .documented,
    wrong: "K27TX9P4QD.org.swift_shop",
    message: { text in
      apps(in: text) != nil
        ? "`\(text)` is several apps in one string"
        : strangeCharacter(in: text).map { "no bundle identifier has \($0), as `\(text)` does" }
          ?? "`\(text)` has a gap that no bundle identifier has"
    },
    help: { text in
      apps(in: text).map { "write each as a string of its own: \($0)" }
        ?? "write letters, digits, hyphens and single dots: `K27TX9P4QD.org.swift.shop`"
    }),
  rule(
    .domain, "A046", .warning, "domain-as-identifier",
    what: "an address or an entitlement is in the place of an app identifier",
    consequence: "domains belong in the app's entitlements, and apps in this file",
    grade: .documented,
    wrong: "applinks:example.com",
    message: { text in "`\(text)` is an address and not an app identifier" },
    help: { _ in "write the app, for example `K27TX9P4QD.org.swift.shop`" }),
]

/// Makes a rule about app identifiers with a certain fault.
///
/// - Parameters:
///   - message: Says what is wrong with an identifier.
///   - help: Says how to fix it.
private func rule(
  _ fault: IdentifierFault, _ code: String, _ severity: Diagnostic.Severity, _ name: String,
  what: String, consequence: String, grade: Grade, wrong: String,
  message: @escaping @Sendable (String) -> String, help: @escaping @Sendable (String) -> String
) -> AssociationRule {
  AssociationRule(
    code, severity, name, what: what, consequence: consequence, grade: grade,
    wrong: "\"\(wrong)\"", right: #""K27TX9P4QD.org.swift.shop""#, in: .identifier
  ) { file, findings in
    for use in file.identifiers where use.fault == fault {
      // Another rule reports wildcards of domains in App Clips.
      if fault == .domain, use.service == "appclips", use.text.hasPrefix("*.") { continue }
      findings.report(use.located.range, message(use.text), help: help(use.text))
    }
  }
}

/// Returns the apps in a text that lists several, as `"TEAM.a", "TEAM.b"`; nil for a single app.
private func apps(in text: String) -> String? {
  let parts = text.split { ",;|".contains($0) }
  guard parts.count > 1, parts.allSatisfy({ $0.contains(".") }) else { return nil }
  return "`" + parts.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    + (parts.count > 3 ? ", …" : "") + "`"
}

/// Returns the first character that no bundle identifier has, and its code point if not ASCII.
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

private func lengthOfPrefix(_ text: String) -> String {
  let count = text.prefix { $0 != "." }.count
  return count == 1 ? "1 character" : "\(count) characters"
}
