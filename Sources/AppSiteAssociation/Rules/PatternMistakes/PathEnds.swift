internal import Diagnostics
internal import Rules

let pathEndRules: [AssociationRule] = [
  AssociationRule(
    "A111", .note, "optional-slash", .verified, in: .components, each: \.patterns,
    "a path pattern ends with `/?`",
    "`?` stands for exactly one character; a slash at the end does not matter anyway",
    wrong: #"{ "/": "/buy/?" }"#, right: #"{ "/": "/buy" }"#
  ) { use, _, findings in
    guard use.part == .path else { return }
    let count = use.bytes.count
    guard use.text.hasSuffix("/?"), count > 2 else { return }
    findings.report(
      use.range((count - 1)..<count),
      "this `?` stands for exactly one character",
      help: "write `\(use.text.dropLast(2))`, which matches with and without a slash at the end")
  },
  AssociationRule(
    "A114", .note, "undocumented-end", .undocumented, in: .components, each: \.patterns,
    "a path pattern has an end whose meaning Apple does not document",
    "it may or may not match the path without what its end stands for",
    wrong: #"{ "/": "/buy/*/" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.part == .path else { return }
    let count = use.bytes.count
    if use.text.hasSuffix("/*/"), count > 3 {
      findings.report(
        use.range((count - 2)..<count),
        "Apple does not say whether this also matches `\(use.text.dropLast(3))`",
        help: "write `\(use.text.dropLast(1))`, which does, "
          + "or `\(use.text.dropLast(2))?*`, which does not")
    } else if use.text.hasSuffix("?*"), count > 2, !"/?*)".utf8.contains(use.bytes[count - 3]) {
      findings.report(
        use.range((count - 2)..<count),
        "a path never contains a query, and `?` stands for one character",
        help: "write `\(use.text.dropLast(2))`, which matches with every query, or "
          + "`\(use.text.dropLast(2))*` for what begins so")
    }
  },
]
