package import Catalog
package import Diagnostics
internal import Keeping
internal import Settings

extension OutsideChecks {
  /// - Parameter catalog: The catalog with the domains. If there are many domains, only the first
  ///   domains of the catalog have their own samples.
  package func metrics(of catalog: Catalog) -> [MetricFamily] {
    let counts = counts(of: catalog)
    let seen = catalog.sites.prefix(HostingStatus.domainsWithMetrics).compactMap { site in
      self[site].map { (site.name.entryName, $0) }
    }
    func samples<Value: Numeric>(_ value: (OutsideCheck) -> Value?) -> [MetricFamily.Sample] {
      seen.compactMap { domain, check in
        value(check).map { MetricFamily.Sample($0, "domain", domain) }
      }
    }
    return [
      MetricFamily(
        "aasa_checked_domains", .gauge,
        "Domains, including hosts in .hosts lists, by the result of their last check from outside.",
        [
          .init(counts.good, "state", "good"), .init(counts.failing, "state", "origin-failing"),
          .init(counts.copyDiffers, "state", "cdn-differs"),
          .init(counts.unknown, "state", "unknown"),
        ]),
      MetricFamily(
        "aasa_origin_ok", .gauge,
        "1 if the last check could fetch the file from the public name as Apple does, otherwise 0."
          + " Hosts in .hosts lists have a value only while their checks fail.",
        samples { $0.origin == .unknown ? nil : $0.origin == .good ? 1 : 0 }
          + failingListed(in: catalog).worst.map { .init(0, "domain", $0.name.entryName) }),
      MetricFamily(
        "aasa_cdn_in_sync", .gauge,
        "1 if the copy in Apple's CDN is equivalent to the domain's file, otherwise 0.",
        samples { $0.copy == .unknown ? nil : $0.copy == .same ? 1 : 0 }),
      MetricFamily(
        "aasa_cdn_age_seconds", .gauge, unit: "seconds",
        "The age of the copy in Apple's CDN at the last check, according to the CDN.",
        samples { $0.age }),
      MetricFamily(
        "aasa_check_timestamp_seconds", .gauge, unit: "seconds",
        "When a domain was last checked from outside, in seconds since 1970.", samples { $0.time }),
    ]
  }
}
