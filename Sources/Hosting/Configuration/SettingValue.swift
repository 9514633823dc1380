/// A value that was read and is within its range.
enum SettingValue: Sendable, Equatable {
  /// A path, a name, or a field value.
  case text(String)
  case addresses([ListenAddress])
  case aliases([Alias])
  /// In lower case.
  case hosts([String])
  /// In milliseconds.
  case duration(Int)
  /// In bytes.
  case size(Int)
  case count(Int)

  /// The value as a user would write it for a flag.
  var text: String {
    switch self {
    case .text(let text): text
    case .addresses(let list):
      list.isEmpty ? "none" : list.map(\.description).joined(separator: ", ")
    case .aliases(let list):
      list.map { "\($0.from)=\($0.to)" }.joined(separator: ", ")
    case .hosts(let list): list.joined(separator: ", ")
    case .duration(let milliseconds): durationText(milliseconds)
    case .size(let bytes): sizeText(bytes)
    case .count(let number): String(number)
    }
  }
}

/// A host whose requests are answered as those of another host. Both are in lower case.
package struct Alias: Sendable, Equatable {
  package let from: String
  package let to: String
}

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

  /// The codes of faults in the configuration; a number is never used again for something else.
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
  }
}
