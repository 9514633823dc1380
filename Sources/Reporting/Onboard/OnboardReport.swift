internal import Bytes
internal import Catalog
internal import Checking
package import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Settings

extension Onboarding {
  package var text: String {
    var lines = ["\(host): \(heading)"]
    for (index, step) in steps.enumerated() {
      lines += ["", "\(index + 1). \(step.what)"]
      if let help = step.help { lines.append("   \(help)") }
    }
    lines.append("")
    lines += [dns, caa, certificate, served, apple, statements, lists].flatMap(\.rows)
      .map { name, text in padded(name, 11) + "  " + text }
    return lines.map(escapingInvisible).joined(separator: "\n")
  }

  /// This report as a `SubjectReport`, from which the output formats for build servers are made.
  package var subject: SubjectReport {
    let outcome: SubjectReport.Outcome =
      !steps.isEmpty ? .wrong : unknowns.isEmpty ? .good : .unknown
    return SubjectReport(
      host, outcome, "\(host): \(heading)",
      steps.map(\.fault) + unknowns.map { Diagnostic(.needsAttention, "not known: \($0)") })
  }

  private var heading: String {
    switch steps.count {
    case 0 where !unknowns.isEmpty: "some facts are not known: \(unknowns[0])"
    case 0: "the links work, as far as this machine can tell"
    case 1: "one thing is left to do"
    default: "\(steps.count) things are left to do"
    }
  }

  package var json: JSONTree {
    JSONTree(
      [
        ("host", host.json), ("exitCode", exitCode.json),
        (
          "toDo",
          .array(
            steps.map { ["kind": $0.kind.json, "what": $0.what.json, "help": $0.help?.json] })
        ),
        ("unknown", unknowns.json),
      ] + [dns, caa, certificate, served, lists, apple, statements].flatMap(\.members))
  }

  // MARK: Facts of the report

  private var dns: Fact {
    let place =
      switch presence {
      case .here: "which is this service"
      case .elsewhere: "which is not this service"
      case .unknown: "which may or may not be this service: pass its addresses with --address"
      }
    let names = addresses.map(\.host)
    let none = presence == .elsewhere ? "no address" : "not known"
    return Fact(
      "dns",
      [
        "addresses": names.json, "leads": presence.rawValue.json,
        "wanted": plan.expected.map(\.host).json,
      ], "DNS", names.isEmpty ? none : names.joined(separator: ", ") + ", " + place)
  }

  private var caa: Fact {
    guard let authorization else { return Fact("caa", nil, "CAA", "not known") }
    guard let domain = authorization.domain else {
      return Fact("caa", [:], "CAA", "no records: every CA may issue")
    }
    let values = authorization.issuers.map { "\"\($0)\"" }
    return Fact(
      "caa", ["domain": domain.json, "allows": authorization.issuers.json], "CAA",
      values.isEmpty
        ? "\(domain) does not restrict CAs"
        : "\(domain) allows only \(values.joined(separator: ", "))")
  }

  private var certificate: Fact {
    let found = live?.certificate
    let json = found.map { found -> JSONTree in
      [
        "valid": found.isValid.json, "issuer": found.issuer.json, "until": found.lastDay.json,
      ]
    }
    guard wasAsked, let found else { return Fact("certificate", json, "not known") }
    let facts = "by \"\(found.issuer)\", until \(found.lastDay)"
    return Fact(
      "certificate", json,
      found.isValid ? "valid, \(facts), \(found.daysLeft) days" : "not trusted, \(facts)")
  }

  private var served: Fact {
    let file = plan.files?.association
    let state = live?.served ?? .missing
    let words =
      switch state {
      case .same: "the same as \(file ?? "")"
      case .other: "something other than \(file ?? "")"
      case .file: "an association file, but no local file to compare with it"
      case .missing: "no association file"
      }
    return Fact(
      "served",
      [
        "state": wasAsked ? state.rawValue.json : "unknown", "file": file?.json,
        "verdict": live?.checked.verdict.json,
      ], wasAsked ? words : "not known")
  }

  /// The lists of hosts that contain the host. The text mentions these lists only if there are
  /// several, or if the host also has its own entry.
  private var lists: Fact {
    let (all, serving) = (plan.lists.all, plan.lists.serving)
    if all.isEmpty { return Fact() }
    let json: JSONTree = ["naming": all.json, "serving": serving?.json]
    let names = all.joined(separator: " and ")
    if let serving {
      if all.count == 1 { return Fact([("lists", json)]) }
      return Fact(
        "lists", json,
        "\(names) contain this host: the server uses the list that contained the host first; if "
          + "all lists are new, the server uses \(serving)")
    }
    let verb = all.count == 1 ? "contains" : "contain"
    return Fact(
      "lists", json,
      "\(names) \(verb) this host, but the server uses the host's own files instead")
  }

  private var apple: Fact {
    let words =
      switch live?.copy {
      case .same: "the same as the served version"
      case .other: "a version that differs from the served version"
      case .missing: "no file"
      case .unknown: "not known"
      case nil: "was not asked"
      }
    return Fact("apple", live?.copy?.rawValue.json, "Apple's CDN", words)
  }

  private var statements: Fact {
    switch google {
    case nil: return Fact("google", nil, "Google", "was not asked")
    case .unknown(let reason):
      return Fact("google", ["state": "unknown"], "Google", "not known: \(reason)")
    case .missing(let reason):
      return Fact(
        "google", ["state": "missing"], "Google",
        "no statements" + (reason.isEmpty ? "" : ": \(reason)"))
    case .found(let lines):
      let words = googleIsSame.map {
        $0 ? ", as in assetlinks.json" : ", different from assetlinks.json"
      }
      return Fact(
        "google",
        [
          "state": googleIsSame.map { $0 ? "same" : "other" } ?? "found",
          "statements": lines.count.json,
        ], "Google", lines.count.counting("statement") + (words ?? ""))
    }
  }
}
