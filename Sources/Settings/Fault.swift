internal import Diagnostics

/// Why a value was refused.
struct Fault: Error, Equatable {
  let kind: Kind
  let message: String
  let help: String

  init(_ kind: Kind, _ message: String, help: String) {
    self.kind = kind
    self.message = message
    self.help = help
  }
}

/// A fault and its range in server.json.
struct LocatedFault: Error {
  let fault: Fault
  let range: Range<Int>

  init(_ fault: Fault, _ range: Range<Int>) {
    self.fault = fault
    self.range = range
  }
}
