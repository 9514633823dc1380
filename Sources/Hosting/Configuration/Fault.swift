/// Why a value was refused.
struct Fault: Error, Equatable {
  let code: Code
  let message: String
  let help: String

  init(_ code: Code, _ message: String, help: String) {
    self.code = code
    self.message = message
    self.help = help
  }

  /// The codes of faults in the configuration. The number of a removed code is never reused.
  enum Code: String {
    case unknownKey = "C001"
    case unknownVariable = "C002"
    case wrongType = "C003"
    case badAddress = "C004"
    case duplicateKey = "C005"
    case unreadableFile = "C006"
    case notAnObject = "C007"
    case outOfRange = "C008"
    case badDuration = "C009"
    case badSize = "C010"
    case badNumber = "C011"
    case badPath = "C012"
    case badFieldValue = "C013"
    case badAlias = "C014"
    case badName = "C015"
    case notInFile = "C016"
    case nothingToListenOn = "C017"
    case repeatedAddress = "C018"
    case contradiction = "C019"
    case badChoice = "C020"
    case badHost = "C021"
    case badNetwork = "C022"
    case badURL = "C023"
    case needsRestart = "C024"
    case trustsEverybody = "C025"
    case badAuthority = "C026"
    case badWellKnown = "C028"
  }
}

/// A fault and the range of server.json that it is about.
struct LocatedFault: Error {
  let fault: Fault
  let range: Range<Int>

  init(_ fault: Fault, _ range: Range<Int>) {
    self.fault = fault
    self.range = range
  }
}
