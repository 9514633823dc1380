internal import Catalog
internal import Checking
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Settings

extension Onboarding {
  var text: String {
    var lines = ["\(host): \(heading)"]
    for (index, step) in steps.enumerated() {
      lines += ["", "\(index + 1). \(step.what)"]
      if let help = step.help { lines.append("   \(help)") }
    }
    lines.append("")
    lines += (rows + listsRow).map { name, text in padded(name, 11) + "  " + text }
    return lines.map(escapingInvisible).joined(separator: "\n")
  }

  private var heading: String {
    switch steps.count {
    case 0 where !unknowns.isEmpty: "not all could be found out: \(unknowns[0])"
    case 0: "its links work, as far as can be seen from here"
    case 1: "one thing is left to do"
    default: "\(steps.count) things are left to do"
    }
  }

  private var rows: [(String, String)] {
    [
      ("DNS", addressText), ("CAA", authorizationText), ("certificate", certificateText),
      ("served", servedText), ("Apple's CDN", copyText), ("Google", googleText),
    ]
  }

  /// Nothing unless the host has several places in the folder.
  private var listsRow: [(String, String)] {
    let (all, serving) = (plan.lists.all, plan.lists.serving)
    guard let serving else {
      let verb = all.count == 1 ? "names" : "name"
      return all.isEmpty
        ? [] : [("lists", "\(joined(all)) \(verb) it, but its own entry is used instead")]
    }
    if all.count == 1 { return [] }
    return [
      (
        "lists",
        "\(joined(all)) name it: the server keeps the one that had it first, and of new ones takes "
          + serving
      )
    ]
  }

  private func joined(_ names: [String]) -> String { names.joined(separator: " and ") }

  private var addressText: String {
    if addresses.isEmpty { return presence == .elsewhere ? "no address" : "not known" }
    let place =
      switch presence {
      case .here: "which is here"
      case .elsewhere: "which is not here"
      case .unknown: "and whether that is here is not known: give --address"
      }
    return addresses.map(\.host).joined(separator: ", ") + ", " + place
  }

  private var authorizationText: String {
    guard let authorization else { return "not known" }
    guard let domain = authorization.domain else { return "no records: every CA may issue" }
    let values = authorization.issuers.map { "\"\($0)\"" }
    return values.isEmpty
      ? "\(domain) does not restrict who issues"
      : "\(domain) allows only \(values.joined(separator: ", "))"
  }

  private var certificateText: String {
    guard wasAsked, let certificate = live?.certificate else { return "not known" }
    let facts = "by \"\(certificate.issuer)\", until \(certificate.lastDay)"
    return certificate.isValid
      ? "valid, \(facts), \(certificate.daysLeft) days" : "not trusted, \(facts)"
  }

  private var servedText: String {
    let path = plan.files?.association ?? ""
    if !wasAsked { return "not known" }
    return switch live?.served {
    case .same: "the same as \(path)"
    case .other: "something other than \(path)"
    case .file: "an association file, which was compared with none"
    case .missing, nil: "no association file"
    }
  }

  private var copyText: String {
    switch live?.copy {
    case .same: "the same as what is served"
    case .other: "another version than what is served"
    case .missing: "no file"
    case .unknown: "not known"
    case nil: "was not asked"
    }
  }

  private var googleText: String {
    switch google {
    case nil: "was not asked"
    case .unknown(let reason): "not known: \(reason)"
    case .missing(let reason): "no statements" + (reason.isEmpty ? "" : ": \(reason)")
    case .found(let lines):
      "\(lines.count) statement\(lines.count == 1 ? "" : "s")"
        + (googleIsSame.map { $0 ? ", as in assetlinks.json" : ", other than in assetlinks.json" }
          ?? "")
    }
  }

  var json: JSONTree {
    [
      "host": host.json, "exitCode": exitCode.json,
      "toDo": .array(
        steps.map { ["kind": $0.kind.json, "what": $0.what.json, "help": $0.help?.json] }),
      "unknown": unknowns.json,
      "dns": [
        "addresses": addresses.map(\.host).json, "leads": presence.rawValue.json,
        "wanted": plan.expected.map(\.host).json,
      ],
      "caa": authorizationJSON, "certificate": certificateJSON,
      "served": [
        "state": wasAsked ? (live?.served ?? .missing).rawValue.json : "unknown",
        "file": plan.files?.association?.json, "verdict": live?.checked.verdict.json,
      ],
      "lists": plan.lists.all.isEmpty
        ? nil : ["naming": plan.lists.all.json, "serving": plan.lists.serving?.json],
      "apple": live?.copy?.rawValue.json, "google": googleJSON,
    ]
  }

  private var authorizationJSON: JSONTree? {
    authorization.map { found in
      [
        "domain": found.domain?.json, "allows": found.domain == nil ? nil : found.issuers.json,
      ]
    }
  }

  private var certificateJSON: JSONTree? {
    (live?.certificate).map { certificate in
      [
        "valid": certificate.isValid.json, "issuer": certificate.issuer.json,
        "until": certificate.lastDay.json,
      ]
    }
  }

  private var googleJSON: JSONTree? {
    switch google {
    case nil: nil
    case .unknown: ["state": "unknown"]
    case .missing: ["state": "missing"]
    case .found(let lines):
      [
        "state": googleIsSame.map { $0 ? "same" : "other" } ?? "found",
        "statements": lines.count.json,
      ]
    }
  }
}
