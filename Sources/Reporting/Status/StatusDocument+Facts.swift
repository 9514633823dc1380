internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Server
internal import Settings

/// The document's facts about the server. Each fact has a form for programs and a form for people.
extension StatusDocument {
  private var times: Times { Times(now: now) }

  var members: [(String, JSONTree?)] {
    let facts = [
      ready, start, connectionLimit.map(fact) ?? Fact(), folders, held,
      Fact([("hosts", status.catalog.hostCount.json)]), kept, domains, reloads, certificates,
      fetched, seen, issued,
    ]
    return facts.flatMap(\.members)
  }

  var summary: [String] {
    let facts = [
      domains, folders, held, certificates, start, kept, reloads,
      connectionLimit.map(fact) ?? Fact(),
      fetched, seen, issued,
    ]
    return facts.flatMap(\.lines)
  }

  /// What someone must fix, except for the faults of folders and certificates.
  var needs: [String] {
    let isFailing = checks?.counts(of: status.catalog).failing ?? 0 > 0
    return obstacles + start.lines + (isFailing ? Array(seen.lines.prefix(1)) : [])
      + (areServed(status.counts) ? [] : domains.lines)
  }

  func readiness(at address: String) -> [String] {
    let state = obstacles.isEmpty ? "ready" : "not ready"
    let program = "aasa \(programVersion) at \(address)"
    return ["\(program) is \(state), up for \(Times.length(now - started))"] + ready.lines
  }

  private var ready: Fact {
    Fact(
      [
        ("program", "aasa \(programVersion)".json), ("now", now.json), ("started", started.json),
        ("ready", obstacles.isEmpty.json), ("notReady", obstacles.json),
        ("notReadyForHTTPS", missingCertificate?.json),
      ],
      lines: obstacles.map { "  " + $0 }
        + [missingCertificate].compactMap(\.self).map { "  not ready for HTTPS yet: " + $0 })
  }

  /// The reason why the next start of the server would fail; an empty fact if it would not fail.
  private var start: Fact {
    Fact(
      [("settingsFault", settingsFault?.json)],
      lines: [settingsFault].compactMap(\.self).map { "the next start would fail: \($0)" })
  }

  private func fact(_ connectionLimit: ConnectionLimit) -> Fact {
    Fact(
      [
        (
          "connections",
          ["most": connectionLimit.most.json, "because": connectionLimit.because.json]
        )
      ],
      lines: [connectionLimit.sentence])
  }

  private var folders: Fact {
    let held = status.holds.map(\.fault.line)
    return Fact(
      [
        ("folder", status.folder.json), ("folderFault", status.folderFault?.line.json),
        ("hanging", status.hangs.map(\.line).json),
      ],
      lines: folderFaults.map(\.line).filter { !held.contains($0) }.map { "  " + $0 })
  }

  private var held: Fact {
    let holds = status.holds.map { (id: $0.id, fault: $0.fault.line) }
    return Fact(
      [
        ("holds", .array(holds.map { ["id": $0.id.json, "fault": $0.fault.json] })),
        ("confirmed", status.confirmed.json), ("stateFolder", stateFolder?.json),
      ], lines: holds.map { "  held \($0.id): \($0.fault)" })
  }

  private var kept: Fact {
    let (unkept, kept) = (status.unkept, status.keptCertificates)
    var lines: [String] = []
    if unkept > 0 {
      lines.append("a restart would lose \(unkept.counting("served version"))")
    }
    if kept > 0 {
      lines.append(
        kept == 1
          ? "1 certificate is in the state folder with its key, for the next start"
          : "\(kept) certificates are in the state folder with their keys, for the next start")
    }
    return Fact([("unkept", unkept.json), ("keptCertificates", kept.json)], lines: lines)
  }

  private var domains: Fact {
    let counts = status.counts
    let parts = numbers(counts.map { ($0.count, $0.state == .empty ? "empty" : $0.state.words) })
    let (total, hosts) = (status.catalog.sites.count, status.catalog.hostCount)
    let line =
      "\(total.counting("domain")) in \(status.folder)"
      + (hosts > total ? " for \(hosts) hosts" : "") + (parts.isEmpty ? "" : ": " + parts)
    return Fact(
      [("domains", JSONTree(counts.map { ($0.state.rawValue, $0.count.json) }))],
      lines: [line])
  }

  private var reloads: Fact {
    let reloads = status.reloads
    let success = reloads.lastSuccess.map(times.moment)
    let line =
      reloads.isLastSuccessful
      ? "files last read \(success ?? "never")"
        + (areFilesGood(status.counts) ? ", without a fault" : "")
      : "files last read \(reloads.lastFailure.map(times.moment) ?? "never"), with faults; "
        + (success.map { "last read without a fault \($0)" } ?? "never read without a fault")
    let json: JSONTree = [
      "successes": reloads.successes.json, "failures": reloads.failures.json,
      "lastSuccessful": reloads.isLastSuccessful.json, "lastSuccess": reloads.lastSuccess?.json,
      "lastFailure": reloads.lastFailure?.json,
    ]
    return Fact([("reloads", json)], lines: [line])
  }

  private var fetched: Fact {
    func last(_ fetcher: FetcherClass) -> String {
      lastFetch(fetcher).map(times.ago) ?? "never"
    }
    let fetches = FetcherClass.allCases.map { ($0.name, lastFetch($0)?.json) }
    return Fact(
      [("lastFetches", JSONTree(fetches))],
      lines: ["last fetched by Apple's CDN \(last(.appleCDN)), by devices \(last(.appleDevice))"])
  }

  private var issued: Fact {
    guard let summary = board?.summary else { return Fact([("acmeState", acmeState?.json)]) }
    let counts = summary.counts
    let parts = numbers([
      (counts[.issued], "issued"), (counts[.due], "due"),
      (counts[.waiting], "with names that are not ready"), (counts[.failing], "failing"),
      (counts[.paused], "paused by the CA"),
    ])
    let json: JSONTree = [
      "issuer": summary.isIssuer.json, "account": summary.account?.json,
      "hosts": JSONTree(
        HostReport.Kind.allCases.map { ($0.rawValue, (counts[$0] ?? 0).json) }),
    ]
    return Fact(
      [("issuance", json), ("acmeState", acmeState?.json)],
      lines: [
        "automatic certificates\(summary.isIssuer ? "" : ", by another process"): "
          + (parts.isEmpty ? "none wanted" : parts)
      ])
  }
}

// MARK: Certificates, and checks from outside

extension StatusDocument {
  private var certificates: Fact {
    guard status.hasHTTPS else { return Fact() }
    let (count, faulty) = (status.certificates.count { $0.certificate != nil }, faultyCertificates)
    let first = firstToExpire
    var line = count.counting("certificate")
    if status.usesSelfSigned {
      line = "HTTPS uses a self-signed certificate, which devices refuse"
    } else if let (file, time) = first {
      line +=
        time < now
        ? ": \(file) expired \(times.ago(time))"
        : ": the first to expire is \(file), \(times.distance(time))"
    }
    let faults = faulty.prefix(Self.namedDomains).map(fact)
    let json: JSONTree = [
      "count": count.json, "selfMade": status.usesSelfSigned.json,
      "folderFault": status.certificateFault?.line.json, "firstExpiry": first?.time.json,
      "firstToExpire": first?.file.json, "faulty": faulty.count.json,
      "faults": .array(faults.map { JSONTree($0.members) }),
    ]
    return Fact([("certificates", json)], lines: [line] + faults.flatMap(\.lines))
  }

  private func fact(_ entry: CertificateStatus) -> Fact {
    let (isLastGood, isServed) = (entry.problem?.isLastGood == true, entry.certificate != nil)
    let served =
      isLastGood
      ? "its last good version is served"
      : isServed ? "served to hosts without a better certificate" : "not served"
    return Fact(
      [
        ("file", entry.file.json), ("isLastGoodServed", isLastGood.json),
        ("isServed", isServed.json),
        ("diagnostics", .array((entry.problem?.diagnostics ?? []).map(\.json))),
      ],
      lines: ["  \(entry.file): faulty, and \(served)"]
        + diagnosticLines(entry.problem, indentation: "    "))
  }

  private var seen: Fact {
    guard let checks else { return Fact() }
    let counts = checks.counts(of: status.catalog)
    let failing = checks.failingListed(in: status.catalog)
    let parts = numbers([
      (counts.good, "good"), (counts.failing, "not served as Apple asks"),
      (counts.copyDiffers, "with another version or none at Apple's CDN"),
      (counts.unknown, "that could not be checked"),
    ])
    let round = listedRound.map { "; checking all listed hosts takes \(Times.length($0))" }
    let worst = failing.worst.map { name, check in
      Fact(
        [
          ("host", name.entryName.json), ("since", check.failingSince?.json),
          ("checked", check.time.json), ("fault", check.fault?.json),
        ],
        lines: [
          "  \(name.entryName): not served as Apple asks"
            + (check.failingSince.map { ", first seen \(times.ago($0))" } ?? "")
            + (check.fault.map { ": \($0)" } ?? "")
        ])
    }
    let more = failing.count - worst.count
    let json: JSONTree = [
      "good": counts.good.json, "originFailing": counts.failing.json,
      "cdnDiffers": counts.copyDiffers.json, "unknown": counts.unknown.json,
      "listedRound": listedRound?.json, "listedFailing": failing.count.json,
      "failing": .array(worst.map { JSONTree($0.members) }),
    ]
    return Fact(
      [("outside", json)],
      lines: ["seen from outside: " + (parts.isEmpty ? "nothing yet" : parts) + (round ?? "")]
        + worst.flatMap(\.lines) + (more > 0 ? ["  and \(more) more listed hosts"] : []))
  }
}
