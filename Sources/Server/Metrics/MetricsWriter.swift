/// Writes samples in Prometheus' text format 0.0.4 or in OpenMetrics 1.0.
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

  enum Kind: String {
    case counter, gauge, histogram
    /// Facts as labels; the value is always 1.
    case info
  }

  private let format: Format
  private(set) var bytes: [UInt8] = []
  private var name = ""
  private var kind = Kind.gauge

  init(_ format: Format) { self.format = format }

  /// Begins a family of samples.
  ///
  /// - Parameters:
  ///   - name: The name with the unit, but without `_total` or `_info`.
  ///   - unit: The base unit, with which the name ends.
  ///   - help: One sentence without line breaks or backslashes.
  mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
    self.name = name
    self.kind = kind
    let shown: String
    let type: String
    switch format {
    case .openMetrics: (shown, type) = (name, kind.rawValue)
    // The older format has no `info` type, and a counter family is named like its samples.
    case .prometheus: (shown, type) = (name + suffix, kind == .info ? "gauge" : kind.rawValue)
    }
    line("# HELP \(shown) \(help)")
    line("# TYPE \(shown) \(type)")
    if let unit, format == .openMetrics { line("# UNIT \(shown) \(unit)") }
  }

  private var suffix: String {
    switch kind {
    case .counter: "_total"
    case .info: "_info"
    case .gauge, .histogram: ""
    }
  }

  mutating func sample(_ labels: [(String, String)], _ value: some Numeric) {
    sample(suffix, labels, "\(value)")
  }

  /// Writes all samples of a histogram.
  ///
  /// - Parameters:
  ///   - bounds: The upper bounds as text. The last bucket has no bound.
  ///   - counts: The count of each bucket, not cumulative; one more than there are bounds.
  ///   - sum: The sum in the unit of the family.
  mutating func histogram(bounds: [String], counts: [UInt64], sum: Double) {
    var cumulative: UInt64 = 0
    for (bound, count) in zip(bounds + ["+Inf"], counts) {
      cumulative &+= count
      sample("_bucket", [("le", bound)], String(cumulative))
    }
    sample("_sum", [], String(sum))
    sample("_count", [], String(cumulative))
  }

  /// Ends the text.
  mutating func end() {
    if format == .openMetrics { line("# EOF") }
  }

  private mutating func sample(_ suffix: String, _ labels: [(String, String)], _ value: String) {
    let list = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
    line(name + suffix + (list.isEmpty ? "" : "{\(list)}") + " " + value)
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
  /// The format that a scraper prefers, from its Accept field (RFC 9110 section 12.5.1).
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
