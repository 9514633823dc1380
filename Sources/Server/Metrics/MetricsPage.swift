package import Diagnostics

/// `/metrics`: all counters and states, for scrapers. Documentation/Run.md describes names and
/// labels.
package struct MetricsPage: Sendable {
  private let families: @Sendable () -> [MetricFamily]

  package init(_ families: @escaping @Sendable () -> [MetricFamily]) { self.families = families }

  func answer(_ request: PageRequest) -> PageAnswer {
    let format = MetricsWriter.Format(accept: request.field("accept") ?? "")
    return PageAnswer(
      contentType: format.contentType, MetricsWriter(families(), as: format).bytes)
  }
}
