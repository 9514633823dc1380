internal import Diagnostics
internal import JSON
internal import Rules

/// Rules about the file `webauthn`, which lists related origins.
///
/// Source: W3C, "Web Authentication Level 3", section 5.11. A client accepts the file only if the
/// file is an object, and its member `origins` is a list of strings. The client skips strings that
/// are not origins. After the first five different labels (see `registrableLabel`), the client also
/// skips each origin with another label.
let relatedOriginRules: [WellKnownRule] = [
  WellKnownRule(
    "D150", "related-origins-form", .error, "webauthn is not an object with a list of origins",
    "clients refuse the whole file", source: webAuthn,
    wrong: #"{"origin": "https://example.com"}"#, right: rightOrigins
  ) { root, findings in
    let value = root.member("origins")
    let stranger = value?.elements.first { $0.kind != .string }
    if value?.kind == .array, stranger == nil { return }
    let misspelt = root.members.first { $0.key.lowercased().hasPrefix("origin") }
    findings.report(
      stranger?.head ?? value?.head ?? misspelt?.keyRange ?? root.head,
      value == nil ? "the file has no list `origins`" : "`origins` must be a list of strings",
      help: #"write {"origins": ["https://example.com"]}"#)
  },
  WellKnownRule(
    "D151", "not-an-https-origin", .error, "a related origin is not an https address",
    "clients skip this origin, so its pages cannot use the passkeys", source: webAuthn,
    wrong: #"{"origins": ["http://example.com", "example.net"]}"#, right: rightOrigins
  ) { root, findings in
    let all = origins(of: root)
    // Clients skip each origin that they cannot use, and accept the other origins.
    let isGood = all.contains { WebAddress(origin: $0.value) != nil }
    for origin in all where WebAddress(origin: origin.value) == nil {
      findings.report(
        origin.range, "`\(origin.value)` is not an https origin",
        help: origin.value.contains("*")
          ? "list each host, such as https://www.example.com; wildcards are not supported"
          : "write the scheme and the host, such as https://example.com",
        severity: isGood ? .warning : nil)
    }
  },
  WellKnownRule(
    "D156", "address-as-origin", .error, "a related origin is an IP address",
    "an IP address has no registrable domain, so clients skip it", source: webAuthn,
    wrong: #"{"origins": ["https://192.0.2.1"]}"#, right: rightOrigins
  ) { root, findings in
    let all = origins(of: root)
    let isGood = all.contains { WebAddress(origin: $0.value)?.isOfDomain ?? false }
    for origin in all where WebAddress(origin: origin.value)?.isOfDomain == false {
      findings.report(
        origin.range, "`\(origin.value)` is an IP address, and passkeys belong to domains",
        help: "write the domain of the site, such as https://example.com",
        severity: isGood ? .warning : nil)
    }
  },
  WellKnownRule(
    "D152", "more-than-an-origin", .note, "a related origin has a path, a query or a user",
    "clients read only scheme, host and port", source: webAuthn, each: origins,
    wrong: #"{"origins": ["https://example.com/account"]}"#, right: rightOrigins
  ) { origin, _, findings in
    guard let found = WebAddress(origin: origin.value), !found.isBare else { return }
    findings.report(
      origin.range, "clients read only `\(found.origin)` of this origin",
      help: "write \(found.origin)")
  },
  WellKnownRule(
    "D153", "too-many-labels", .warning, "the related origins have more than five different names",
    "a name is the label before the public suffix, such as example in "
      + "www.example.co.uk; clients skip origins after the fifth name",
    source: webAuthn,
    wrong:
      #"{"origins": ["https://a1.com", "https://a2.com", "https://a3.com", "https://a4.com", "https://a5.com", "https://a6.com"]}"#,
    right:
      #"{"origins": ["https://a1.com", "https://a1.de", "https://a1.fr", "https://a1.it", "https://a1.pl", "https://a1.co.uk"]}"#
  ) { root, findings in
    var labels: Set<String> = []
    for origin in origins(of: root) {
      guard let found = WebAddress(origin: origin.value) else { continue }
      let label = registrableLabel(of: found.host)
      if labels.count < 5 { labels.insert(label) }
      if labels.contains(label) { continue }
      findings.report(
        origin.range, "clients skip this origin: `\(label)` comes after the first five names",
        help: "list the most used origins first, and remove the other origins")
    }
  },
  WellKnownRule(
    "D154", "repeated-origin", .note, "a related origin is repeated", "one is enough", source: nil,
    wrong: #"{"origins": ["https://example.com", "https://EXAMPLE.com:443"]}"#, right: rightOrigins
  ) { root, findings in
    var seen: Set<String> = []
    for origin in origins(of: root) {
      guard let found = WebAddress(origin: origin.value), !seen.insert(found.origin).inserted else {
        continue
      }
      findings.report(origin.range, "the origin is repeated", help: "remove one of the two origins")
    }
  },
  WellKnownRule(
    "D155", "no-related-origin", .note, "the list of related origins is empty",
    "only the domain itself can use its passkeys, so the file has no effect", source: nil,
    wrong: #"{"origins": []}"#, right: rightOrigins
  ) { root, findings in
    guard let value = root.member("origins"), value.kind == .array, value.elements.isEmpty else {
      return
    }
    findings.report(
      value.head, "the list of origins is empty", help: "add origins, or remove the file")
  },
]

private let webAuthn = "the Web Authentication specification says so"
private let rightOrigins = #"{"origins": ["https://example.com"]}"#

private func origins(of root: Value) -> [Located<String>] {
  root.member("origins")?.locatedStrings ?? []
}

/// Returns the label before the public suffix of a host: `example` for `www.example.co.uk`. The
/// official list of public suffixes is long and changes. So this function recognizes only the usual
/// suffixes: one label, or two labels such as `co.uk`.
func registrableLabel(of host: String) -> String {
  let labels = host.split(separator: ".").map(String.init)
  guard labels.count > 2 else { return labels.first ?? host }
  let second = labels[labels.count - 2]
  let isSuffix =
    labels[labels.count - 1].count == 2
    && ["ac", "co", "com", "edu", "go", "gob", "gov", "gv", "mil", "ne", "net", "nom", "or", "org"]
      .contains(second)
  return isSuffix ? labels[labels.count - 3] : second
}
