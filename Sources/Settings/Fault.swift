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
  enum Code: CaseIterable {
    case unknownKey
    case unknownVariable
    case wrongType
    case badAddress
    case duplicateKey
    case unreadableFile
    case notAnObject
    case outOfRange
    case badDuration
    case badSize
    case badNumber
    case badPath
    case badFieldValue
    case badAlias
    case badName
    case notInFile
    case nothingToListenOn
    case repeatedAddress
    case contradiction
    case badChoice
    case badHost
    case badNetwork
    case badURL
    case needsRestart
    case trustsEverybody
    case badAuthority
    case badWellKnown
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
