package import Diagnostics

/// Writes families of metrics in Prometheus' text format 0.0.4 or in OpenMetrics 1.0.
struct MetricsWriter {
  enum Format: Sendable {
    case prometheus, openMetrics

    var contentType: String {
      switch self {
      case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
      case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
      }
    }
  }

  private let format: Format
  private(set) var bytes: [UInt8] = []

  /// Writes all families.
  init(_ families: [MetricFamily], as format: Format) {
    self.format = format
    for family in families { write(family) }
    if format == .openMetrics { line("# EOF") }
  }

  private mutating func write(_ family: MetricFamily) {
    let suffix =
      switch family.kind {
      case .counter: "_total"
      case .info: "_info"
      case .gauge, .histogram: ""
      }
    switch format {
    case .openMetrics:
      line("# HELP \(family.name) \(family.help)")
      line("# TYPE \(family.name) \(family.kind.rawValue)")
      if let unit = family.unit { line("# UNIT \(family.name) \(unit)") }
    // Prometheus' format has no `info` type. In this format, a family's name includes the suffix of
    // its samples.
    case .prometheus:
      line("# HELP \(family.name)\(suffix) \(family.help)")
      let type = family.kind == .info ? "gauge" : family.kind.rawValue
      line("# TYPE \(family.name)\(suffix) \(type)")
    }
    for sample in family.samples {
      let list = sample.labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
      let labels = list.isEmpty ? "" : "{\(list)}"
      line("\(family.name)\(suffix)\(sample.suffix)\(labels) \(sample.value)")
    }
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private mutating func line(_ text: String) {
    bytes += text.utf8
    bytes.append(0x0A)
  }
}

extension MetricsWriter.Format {
  /// Chooses the format that a scraper prefers according to its Accept field (RFC 9110 section
  /// 12.5.1).
  init(accept: String) {
    var best: (format: MetricsWriter.Format, quality: Double) = (.prometheus, -1)
    for member in accept.split(separator: ",") {
      let parts = member.split(separator: ";").map { part in
        String(part.filter { $0 != " " && $0 != "\t" }).lowercased()
      }
      guard let format = parts.first.flatMap(Self.init(type:)) else { continue }
      let version = parts.first { $0.hasPrefix("version=") }?.dropFirst(8)
      if format == .openMetrics, let version, version != "1.0.0", version != "0.0.1" { continue }
      let quality = parts.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if quality > best.quality, quality > 0 { best = (format, quality) }
    }
    self = best.format
  }

  private init?(type: String) {
    switch type {
    case "application/openmetrics-text": self = .openMetrics
    case "text/plain", "text/*", "*/*": self = .prometheus
    default: return nil
    }
  }
}

/// The page `/metrics`: all metrics, for scrapers. Documentation/Metrics.md lists the metrics, and
/// Documentation/Run.md describes the values of their labels.
package struct MetricsPage: Sendable {
  private let families: @Sendable () -> [MetricFamily]

  package init(_ families: @escaping @Sendable () -> [MetricFamily]) { self.families = families }

  func answer(_ request: PageRequest) -> PageAnswer {
    let format = MetricsWriter.Format(accept: request.field("accept") ?? "")
    return PageAnswer(
      contentType: format.contentType, MetricsWriter(families(), as: format).bytes)
  }
}
