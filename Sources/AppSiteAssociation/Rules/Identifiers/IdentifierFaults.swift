internal import Diagnostics

/// A rule about app identifiers with a certain fault.
struct IdentifierRule: ValidationRule {
  let fault: IdentifierFault
  let code: String
  let severity: Diagnostic.Severity
  let name: String
  let documentation: RuleDocumentation
  let message: @Sendable (IdentifierUse) -> String
  let help: @Sendable (IdentifierUse) -> String

  init(
    _ fault: IdentifierFault, code: String, severity: Diagnostic.Severity, name: String,
    documentation: RuleDocumentation, message: @escaping @Sendable (IdentifierUse) -> String,
    help: @escaping @Sendable (IdentifierUse) -> String
  ) {
    (self.fault, self.code, self.severity, self.name) = (fault, code, severity, name)
    (self.documentation, self.message, self.help) = (documentation, message, help)
  }

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == fault {
      // Another rule reports wildcards of domains in App Clips.
      if fault == .domain, use.service == "appclips", use.text.hasPrefix("*.") { continue }
      findings.report(use.located.range, message(use), help: help(use))
    }
  }
}

extension IdentifierRule {
  static let placeholder = IdentifierRule(
    .placeholder, code: "A032", severity: .warning, name: "placeholder-identifier",
    documentation: RuleDocumentation(
      what: "an app identifier contains a placeholder",
      consequence: "no app has this identifier, so nothing opens",
      grade: .observed,
      wrong: #""YOUR_TEAM_ID.org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` still contains a placeholder" },
    help: { _ in
      "write the Team ID of the developer account and the bundle identifier: "
        + "`K27TX9P4QD.org.swift.shop`"
    })

  static let samplePrefix = IdentifierRule(
    .samplePrefix, code: "A033", severity: .note, name: "sample-identifier",
    documentation: RuleDocumentation(
      what: "an app identifier has a prefix from Apple's documentation",
      consequence: "the prefix belongs to no account of yours, so no app opens",
      grade: .observed,
      wrong: #""ABCDE12345.com.example.app""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` has the prefix of a documented example" },
    help: { _ in "write your own Team ID and bundle identifier" })

  static let sampleBundle = IdentifierRule(
    .sampleBundle, code: "A034", severity: .note, name: "sample-bundle",
    documentation: RuleDocumentation(
      what: "a bundle identifier begins as in a template",
      consequence: "templates have such identifiers, and few apps keep them",
      grade: .observed,
      wrong: #""K27TX9P4QD.com.example.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` has the bundle identifier of a template" },
    help: { _ in "write the bundle identifier that the app has in Xcode" })

  static let spaces = IdentifierRule(
    .spaces, code: "A035", severity: .warning, name: "spaces-in-identifier",
    documentation: RuleDocumentation(
      what: "an app identifier contains white space",
      consequence: "identifiers are compared as they are, so no app has this one",
      grade: .observed,
      wrong: #"" K27TX9P4QD.org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { _ in "this app identifier contains white space" },
    help: { use in "remove it: `\(use.text.filter { !$0.isWhitespace })`" })

  static let incomplete = IdentifierRule(
    .incomplete, code: "A036", severity: .warning, name: "incomplete-identifier",
    documentation: RuleDocumentation(
      what: "an app identifier has no prefix or no bundle identifier",
      consequence:
        "an app identifier is a prefix, a dot and a bundle identifier; no app has any other form",
      grade: .documented,
      wrong: #""K27TX9P4QD""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` is not a prefix, a dot and a bundle identifier" },
    help: { _ in "write for example `K27TX9P4QD.org.swift.shop`" })

  static let withoutPrefix = IdentifierRule(
    .withoutPrefix, code: "A037", severity: .warning, name: "identifier-without-prefix",
    documentation: RuleDocumentation(
      what: "an app identifier is a bundle identifier without a prefix",
      consequence:
        "an app identifier begins with the prefix, usually the Team ID; without it no app is named",
      grade: .documented,
      wrong: #""org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` is a bundle identifier without its prefix" },
    help: { use in "write the Team ID and a dot before it: `K27TX9P4QD.\(use.text)`" })

  static let appStoreNumber = IdentifierRule(
    .appStoreNumber, code: "A038", severity: .warning, name: "app-store-number",
    documentation: RuleDocumentation(
      what: "the prefix of an app identifier is a number, as App Store IDs are",
      consequence:
        "the prefix is usually a Team ID of ten letters and digits; an App Store ID is not one",
      grade: .observed,
      wrong: #""6448924682.org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "the prefix of `\(use.text)` looks like an App Store ID" },
    help: { _ in "write the Team ID, for example `K27TX9P4QD.org.swift.shop`" })

  static let lowerCasePrefix = IdentifierRule(
    .lowerCasePrefix, code: "A039", severity: .warning, name: "lower-case-prefix",
    documentation: RuleDocumentation(
      what: "the prefix of an app identifier contains lower-case letters",
      consequence: "identifiers are case-sensitive and Team IDs are in upper case",
      grade: .observed,
      wrong: #""k27tx9p4qd.org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "the prefix of `\(use.text)` is not in upper case" },
    help: { use in "write it as `\(upperCasePrefix(use.text))`" })

  static let wildcard = IdentifierRule(
    .wildcard, code: "A040", severity: .warning, name: "wildcard-identifier",
    documentation: RuleDocumentation(
      what: "an app identifier contains `*`",
      consequence: "there are no wildcards in app identifiers: each app is named",
      grade: .documented,
      wrong: #""K27TX9P4QD.org.swift.*""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { _ in "`*` is not a wildcard in an app identifier" },
    help: { _ in "name each app, for example `K27TX9P4QD.org.swift.shop`" })

  static let unusualPrefix = IdentifierRule(
    .unusualPrefix, code: "A041", severity: .warning, name: "unusual-prefix",
    documentation: RuleDocumentation(
      what: "the prefix of an app identifier is not ten letters and digits",
      consequence: "prefixes have ten characters, in most cases the Team ID: no app has this one",
      grade: .documented,
      wrong: #""K27TX9P4.org.swift.shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in
      "the prefix of `\(use.text)` has \(lengthOfPrefix(use.text)), not ten letters and digits"
    },
    help: { _ in "compare it with the application-identifier in the app's entitlements" })

  static let characters = IdentifierRule(
    .characters, code: "A042", severity: .warning, name: "identifier-characters",
    documentation: RuleDocumentation(
      what: "a bundle identifier has characters that are not allowed",
      consequence:
        "a bundle identifier consists of letters, digits, hyphens and dots, so no app has this one",
      grade: .documented,
      wrong: #""K27TX9P4QD.org.swift_shop""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` has a character or a gap that no bundle identifier has" },
    help: { _ in "write letters, digits, hyphens and single dots: `K27TX9P4QD.org.swift.shop`" })

  static let domain = IdentifierRule(
    .domain, code: "A046", severity: .warning, name: "domain-as-identifier",
    documentation: RuleDocumentation(
      what: "an address or an entitlement is in the place of an app identifier",
      consequence: "domains belong in the app's entitlements, and apps in this file",
      grade: .documented,
      wrong: #""applinks:example.com""#,
      right: #""K27TX9P4QD.org.swift.shop""#,
      in: .identifier),
    message: { use in "`\(use.text)` is an address and not an app identifier" },
    help: { _ in "write the app, for example `K27TX9P4QD.org.swift.shop`" })
}

private func lengthOfPrefix(_ text: String) -> String {
  let count = text.prefix { $0 != "." }.count
  return count == 1 ? "1 character" : "\(count) characters"
}
