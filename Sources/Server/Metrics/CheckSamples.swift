internal import Catalog
internal import Settings

/// Samples of the outside checks.
extension MetricsWriter {
  /// - Parameter limit: The most domains with their own samples. The first domains of the catalog
  ///   get them.
  mutating func write(_ checks: OutsideChecks, _ catalog: Catalog, limit: Int) {
    let counts = checks.counts(of: catalog)
    family(
      "aasa_checked_domains", .gauge,
      "Domains, listed hosts included, by the result of their last check from outside.")
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
      "1 if the last check got the file as Apple does, by the domain's public name.")
    for (domain, check) in seen where check.origin != .unknown {
      sample([("domain", domain)], check.origin == .good ? 1 : 0)
    }
    family(
      "aasa_cdn_in_sync", .gauge,
      "1 if the copy of Apple's CDN is equivalent to the domain's file, otherwise 0.")
    for (domain, check) in seen where check.copy != .unknown {
      sample([("domain", domain)], check.copy == .same ? 1 : 0)
    }
    family(
      "aasa_cdn_age_seconds", .gauge, unit: "seconds",
      "The age of the copy of Apple's CDN at the last check, according to the CDN.")
    for (domain, check) in seen {
      if let age = check.age { sample([("domain", domain)], age) }
    }
    family(
      "aasa_check_timestamp_seconds", .gauge, unit: "seconds",
      "When a domain was last checked from outside, in seconds since 1970.")
    for (domain, check) in seen { sample([("domain", domain)], check.time) }
  }
}
