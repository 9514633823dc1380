/// Values for some of the files in `WellKnownFiles`, by number.
struct ByFile<Value> {
  /// The files that have a value, ordered by number. Nearly all hosts have only the first file.
  private(set) var all: [(number: Int, value: Value)] = []

  var isEmpty: Bool { all.isEmpty }

  subscript(number: Int) -> Value? {
    get { all.first { $0.number == number }?.value }
    set {
      let index = all.firstIndex { $0.number >= number } ?? all.count
      let isThere = index < all.count && all[index].number == number
      switch (newValue, isThere) {
      case (let value?, true): all[index].value = value
      case (let value?, false): all.insert((number, value), at: index)
      case (nil, true): all.remove(at: index)
      case (nil, false): break
      }
    }
  }
}

extension ByFile: Sendable where Value: Sendable {}
