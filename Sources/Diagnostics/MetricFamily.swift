/// A metric family for Prometheus scrapers. Each module creates the families of its own metrics,
/// and the server writes all families to its answer.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram
    /// A metric whose labels state facts, such as a version. The value of the metric is always 1.
    case info
  }

  package struct Sample: Sendable {
    /// The suffix that a histogram's sample adds to the name of the family, such as `_sum`.
    package var suffix = ""
    package let labels: [(String, String)]
    package let value: String

    package init(_ value: some Numeric, _ labels: [(String, String)] = []) {
      self.labels = labels
      self.value = "\(value)"
    }

    package init(_ value: some Numeric, _ label: String, _ text: String) {
      self.init(value, [(label, text)])
    }
  }

  package let name: String
  package let kind: Kind
  package let unit: String?
  package let help: String
  package let samples: [Sample]

  /// - Parameters:
  ///   - name: The name with the unit, but without `_total` or `_info`.
  ///   - unit: The base unit, which is also the end of the name.
  ///   - help: One sentence without line breaks or backslashes.
  package init(
    _ name: String, _ kind: Kind, unit: String? = nil, _ help: String, _ samples: [Sample]
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.help = help
    self.samples = samples
  }

  /// Makes a family of one sample without labels.
  package init(
    _ name: String, _ kind: Kind, unit: String? = nil, _ help: String, _ value: some Numeric
  ) {
    self.init(name, kind, unit: unit, help, [Sample(value)])
  }

  /// Makes the family of a histogram.
  ///
  /// - Parameters:
  ///   - bounds: The upper bounds as text. The last bucket has no bound.
  ///   - counts: The count of each bucket, not cumulative. The number of counts is the number of
  ///     bounds plus 1.
  ///   - sum: The sum in the unit of the family.
  package init(
    _ name: String, unit: String, _ help: String, bounds: [String], counts: [UInt64], sum: Double
  ) {
    var samples: [Sample] = []
    var cumulative: UInt64 = 0
    for (bound, count) in zip(bounds + ["+Inf"], counts) {
      cumulative &+= count
      samples.append(Sample(cumulative, "le", bound))
      samples[samples.count - 1].suffix = "_bucket"
    }
    samples += [Sample(sum), Sample(cumulative)]
    samples[samples.count - 2].suffix = "_sum"
    samples[samples.count - 1].suffix = "_count"
    self.init(name, .histogram, unit: unit, help, samples)
  }
}
