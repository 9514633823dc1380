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
    lines += rows.map { name, text in padded(name, 11) + "  " + text }
    return lines.map(escapingControls).joined(separator: "\n")
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

  var json: String {
    jsonObject([
      ("host", jsonString(host)), ("exitCode", String(exitCode)),
      (
        "toDo",
        jsonArray(
          steps.map {
            jsonObject([("what", jsonString($0.what)), ("help", $0.help.map(jsonString))])
          })
      ), ("unknown", jsonArray(unknowns.map(jsonString))),
      (
        "dns",
        jsonObject([
          ("addresses", jsonArray(addresses.map { jsonString($0.host) })),
          ("leads", jsonString(presence.rawValue)),
          ("wanted", jsonArray(plan.expected.map { jsonString($0.host) })),
        ])
      ), ("caa", authorizationJSON), ("certificate", certificateJSON),
      (
        "served",
        jsonObject([
          ("state", jsonString(wasAsked ? (live?.served ?? .missing).rawValue : "unknown")),
          ("file", plan.files?.association.map(jsonString)),
          ("verdict", live.map { jsonString($0.checked.verdict) }),
        ])
      ), ("apple", (live?.copy?.rawValue).map(jsonString)), ("google", googleJSON),
    ])
  }

  private var authorizationJSON: String? {
    authorization.map { found in
      jsonObject([
        ("domain", found.domain.map(jsonString)),
        ("allows", found.domain == nil ? nil : jsonArray(found.issuers.map(jsonString))),
      ])
    }
  }

  private var certificateJSON: String? {
    (live?.certificate).map { certificate in
      jsonObject([
        ("valid", certificate.isValid ? "true" : "false"),
        ("issuer", jsonString(certificate.issuer)), ("until", jsonString(certificate.lastDay)),
      ])
    }
  }

  private var googleJSON: String? {
    let (state, statements): (String, Int?) =
      switch google {
      case nil: ("", nil)
      case .unknown: ("unknown", nil)
      case .missing: ("missing", nil)
      case .found(let lines):
        (googleIsSame.map { $0 ? "same" : "other" } ?? "found", lines.count)
      }
    return google.map { _ in
      jsonObject([("state", jsonString(state)), ("statements", statements.map { String($0) })])
    }
  }
}
