/// The values of a host's files, by the numbers of the files in `WellKnownFiles`. A file may have none.
struct ByFile<Value> {
  /// Ends with the last file that has a value, because nearly all hosts have only the first file.
  private(set) var values: [Value?] = []

  var isEmpty: Bool { values.isEmpty }

  /// The files that have a value, in their order.
  var all: [(number: Int, value: Value)] {
    values.enumerated().compactMap { number, value in value.map { (number, $0) } }
  }

  subscript(number: Int) -> Value? {
    get { number < values.count ? values[number] : nil }
    set {
      while values.count <= number { values.append(nil) }
      values[number] = newValue
      while case .some(.none) = values.last { values.removeLast() }
    }
  }
}

extension ByFile: Sendable where Value: Sendable {}
