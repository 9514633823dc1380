internal import Hosting

/// What domains look like from outside.
extension MetricsWriter {
  /// - Parameter limit: of how many domains there are samples: the catalog's first.
  mutating func write(_ checks: OutsideChecks, _ catalog: Catalog, limit: Int) {
    let counts = checks.counts(of: catalog.sites)
    family(
      "aasa_checked_domains", .gauge,
      "Domains that were looked at from outside, by what was seen last.")
    for (state, count) in [
      ("good", counts.good), ("origin-failing", counts.failing),
      ("cdn-differs", counts.copyDiffers), ("unknown", counts.unknown),
    ] {
      sample([("state", state)], count)
    }
    let seen = catalog.sites.prefix(limit).compactMap { site in
      checks[site].map { (site.name.entryName, $0) }
    }
    family(
      "aasa_origin_ok", .gauge,
      "1 when the file came, as Apple asks, by the domain's public name when that was last tried.")
    for (domain, check) in seen where check.origin != .unknown {
      sample([("domain", domain)], check.origin == .good ? 1 : 0)
    }
    family(
      "aasa_cdn_in_sync", .gauge,
      "1 when what Apple's CDN has means the same as the file of the domain, 0 when it does not.")
    for (domain, check) in seen where check.copy != .unknown {
      sample([("domain", domain)], check.copy == .same ? 1 : 0)
    }
    family(
      "aasa_cdn_age_seconds", .gauge, unit: "seconds",
      "How old the copy of Apple's CDN was, as it said when it was asked.")
    for (domain, check) in seen {
      if let age = check.age { sample([("domain", domain)], age) }
    }
    family(
      "aasa_check_timestamp_seconds", .gauge, unit: "seconds",
      "When a domain was last looked at from outside, in seconds since 1970.")
    for (domain, check) in seen { sample([("domain", domain)], Int(check.time)) }
  }
}
