internal import Diagnostics
internal import JSON
internal import Rules

/// Rules about the file `passkey-endpoints`. An empty object is valid: it says that the site
/// supports passkeys.
///
/// Source: W3C, "A Well-Known URL for Relying Party Passkey Endpoints", a working draft.
let endpointRules: [WellKnownRule] = [
  WellKnownRule(
    "D160", "endpoints-form", .error, "passkey-endpoints is not an object",
    "clients cannot read the file", source: draft, wrong: #"["https://example.com/passkeys"]"#,
    right: rightEndpoints
  ) { root, findings in
    if root.kind == .object { return }
    findings.report(root.head, "the file must be an object", help: "write \(rightEndpoints)")
  },
  WellKnownRule(
    "D161", "endpoint-address", .warning, "an endpoint is not an https address",
    "clients might fail to open the page: W3C's draft asks for a direct URL", source: nil,
    each: \.memberList,
    wrong: #"{"enroll": "/account/passkeys/create"}"#, right: rightEndpoints
  ) { member, _, findings in
    guard endpointKeys.contains(member.key) else { return }
    if WebAddress(origin: member.value.string ?? "") != nil { return }
    findings.report(
      member.value.head, "`\(member.key)` must be an address that begins with https://",
      help: "write \(rightEndpoints)")
  },
  WellKnownRule(
    "D162", "misspelt-endpoint", .warning, "the name of an endpoint is misspelled",
    "clients ignore it", source: draft, each: \.memberList,
    wrong: #"{"enrol": "https://example.com/account/passkeys/create"}"#, right: rightEndpoints
  ) { member, _, findings in
    guard !endpointKeys.contains(member.key),
      let right = nearest(to: member.key, among: endpointKeys)
    else { return }
    findings.report(
      member.keyRange, "the key `\(member.key)` has no meaning", help: "did you mean `\(right)`?")
  },
]

extension Value {
  fileprivate var memberList: [Member] { Array(members) }
}

private let draft = "W3C's draft says so"
private let endpointKeys = ["enroll", "manage", "prfUsageDetails"]
private let rightEndpoints =
  #"{"enroll": "https://example.com/account/passkeys/create", "#
  + #""manage": "https://example.com/account/passkeys"}"#
