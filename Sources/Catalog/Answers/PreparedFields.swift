internal import HTTP

extension ResponseHead {
  /// Adds a field whose name and value are constants, or were checked with the configuration.
  mutating func addPrepared(_ name: String, _ value: String) {
    do throws(FieldFault) {
      try add(name, value)
    } catch {
      preconditionFailure("\(name): \(error)")
    }
  }
}
