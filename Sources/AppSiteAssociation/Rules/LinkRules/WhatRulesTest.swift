internal import Diagnostics
internal import JSON
internal import Rules

let ruleListRules: [AssociationRule] = [
  AssociationRule(
    "A050", .warning, "entry-without-rules", .undocumented, in: .entry, each: \.entries,
    "an entry of `details` has neither `components` nor `paths`",
    "the app may open every link or no link",
    wrong: #""appIDs": ["K27TX9P4QD.org.swift.shop"]"#, right: exampleEntry
  ) { entry, _, findings in
    guard entry.ruleForm == .none else { return }
    if entry.source.lastMember("components") != nil || entry.source.lastMember("paths") != nil {
      return
    }
    findings.report(
      entry.source.head, "this entry has neither `components` nor `paths`",
      help: #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
  },
  AssociationRule(
    "A051", .warning, "empty-rule-list", .verified, in: .entry, each: \.entries,
    "a list of rules is empty",
    "an empty list never matches, so no link opens the app",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": []
      """#,
    right: exampleEntry
  ) { entry, _, findings in
    guard let list = entry.ruleList, list.value.elements.isEmpty else { return }
    findings.report(
      list.value.range, "`\(list.key)` is empty, so no link opens the app",
      help: entry.ruleForm == .paths
        ? #"write `"paths": ["/buy/*"]`, or `["*"]` for every link"#
        : #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
  },
  AssociationRule(
    "A052", .note, "both-components-and-paths", .documented, in: .entry, each: \.entries,
    "an entry has both `components` and `paths`",
    "iOS 13 and later use `components`, older systems `paths`; TN3155 says not to mix both",
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { entry, _, findings in
    guard entry.ruleForm == .components, let paths = entry.source.lastMember("paths") else {
      return
    }
    findings.report(
      paths.keyRange, "`paths` is ignored, because the entry has `components`",
      help: "remove paths unless you support systems before iOS 13")
  },
]

let testedPartRules: [AssociationRule] = [
  AssociationRule(
    "A057", .note, "component-without-part", .verified, in: .components, each: \.entries,
    "a component tests neither path nor query nor fragment",
    "a part that is not given matches anything, so the rule matches every link",
    wrong: #"{ "comment": "buy" }"#, right: #"{ "/": "/buy/*" }"#
  ) { entry, _, findings in
    for rule in entry.rules where rule.source.kind == .object {
      let parts = ["/", "?", "#"]
      guard rule.effective.path == nil, rule.effective.query == nil,
        rule.effective.fragment == nil,
        !parts.contains(where: { rule.source.member($0) != nil })
      else { continue }
      findings.report(
        rule.source.head,
        "this component \(rule.isExclusion ? "blocks" : "opens the app for") every link",
        help: #"write a path for some links: `{"/": "/buy/*"}`, or `{"/": "*"}` for all links"#)
    }
  },
  AssociationRule(
    "A062", .note, "defaults-carry-part", .verified, in: .applinks,
    "`defaults` contains a path, query, fragment or `exclude`",
    "every component without its own value inherits the default; Apple does not say whether "
      + "`paths` inherit it",
    wrong: #"""
      "defaults": { "exclude": true },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*", "exclude": false }] }
      ]
      """#,
    right: exampleAppLinks(#""defaults": { "caseSensitive": false }"#)
  ) { file, findings in
    for object in file.objects where object.level == .defaults {
      for key in ["/", "?", "#", "exclude"] {
        guard let member = object.source.lastMember(key) else { continue }
        findings.report(
          member.keyRange, "`defaults` sets `\(key)` for every rule",
          help: "write `\(key)` only into the rules that need it")
      }
    }
  },
  AssociationRule(
    "A070", .note, "empty-path", .undocumented, in: .components, each: \.patterns,
    "a path pattern is empty",
    "a URL's empty path is the same as `/` (recorded runs of swcutil, grade V); aasa reads an "
      + "empty pattern as `/` too, so the pattern matches only the start page",
    wrong: #"{ "/": "" }"#, right: #"{ "/": "/" }"#
  ) { use, _, findings in
    guard use.part == .path && use.bytes.isEmpty else { return }
    findings.report(
      use.located.range, "an empty path pattern matches only the start page",
      help: "write `/` for the start page, `*` for every path")
  },
  AssociationRule(
    "A071", .note, "only-start-page", .verified, in: .paths, each: \.entries,
    "the only rule that opens an app is for the path `/`",
    "a pattern covers the whole path, so only the start page opens the app",
    wrong: #""/""#, right: #""/*""#
  ) { entry, _, findings in
    let opening = entry.rules.filter { !$0.isExclusion }
    guard opening.count == 1, let path = opening.first?.written.path, path.value == "/" else {
      return
    }
    findings.report(
      path.range, "only the start page opens the app", help: "write `/*` if all paths are meant"
    )
  },
  AssociationRule(
    "A072", .note, "catch-all-takes-more", .observed, in: .components,
    "a rule for every link also opens the app for paths of sign-in, APIs or downloads",
    "if a page sends its visitor to one of these paths, the app opens, and the page in the browser "
      + "waits forever",
    wrong: #"{ "/": "*" }"#,
    right: #"""
      { "/": "/login*", "exclude": true },
      { "/": "/signin*", "exclude": true },
      { "/": "/oauth*", "exclude": true },
      { "/": "/auth/*", "exclude": true },
      { "/": "/api/*", "exclude": true },
      { "/": "/download*", "exclude": true },
      { "/": "*" }
      """#
  ) { file, findings in
    let catchAlls = file.entries.map { entry in
      entry.rules.first { $0.asksForNothing && !$0.isExclusion }
    }
    guard catchAlls.contains(where: { $0 != nil }),
      let matcher = try? Matcher(file.association)
    else { return }
    for index in matcher.appIdentifiers.indices {
      let entry = matcher.entryIndex(ofApp: index)
      // Report the apps of one entry only once.
      guard let rule = catchAlls[entry],
        file.entries[entry].appIdentifiers.first?.value == matcher.appIdentifiers[index]
      else { continue }
      let taken = probes.filter { probe in
        let decision = matcher.decide(
          Array(probe.utf8).span, app: matcher.appIdentifiers[index], domain: nil)
        guard case .match(let reference) = decision else { return false }
        return file.entries[entry].rules[reference.rule] === rule
      }
      if taken.isEmpty { continue }
      let isLegacy = rule.source.kind == .string
      findings.report(
        rule.head, "this rule also opens the app for \(taken.joined(separator: ", "))",
        help: "if your site has such pages, exclude them before this rule: "
          + (isLegacy ? "`NOT \(taken[0])*`" : #"{"/": "\#(taken[0])*", "exclude": true}"#))
    }
  },
]

private let probes = [
  "/login", "/signin", "/oauth/callback", "/auth/callback", "/api/v1/x", "/download/x.zip",
]
