/// Why a text is not a URL that can open an app by its association file.
package enum URLFault: Error, Sendable, Equatable {
  case empty
  /// More bytes than `MatchingLimits.urlBytes`.
  case tooLong(Int)
  /// A control character, at this byte.
  case controlCharacter(at: Int)
  /// Neither a scheme nor a path at the beginning.
  case noScheme
  /// A scheme other than `http` and `https`.
  case otherScheme(String)
  /// No `//` after the scheme, or no host after it.
  case noHost
  /// A character that a host cannot have, at this byte.
  case badHost(at: Int)
  case badPort(at: Int)

  /// One lower-case sentence without a full stop.
  package var message: String {
    switch self {
    case .empty: "the URL is empty"
    case .tooLong(let count):
      "the URL has \(count) bytes, more than the \(MatchingLimits.urlBytes) that are matched"
    case .controlCharacter(let index):
      "byte \(index + 1) of the URL is a control character; write it percent-encoded"
    case .noScheme:
      "the URL has no scheme; begin it with https:// or, for a path on the domain, with /"
    case .otherScheme(let scheme):
      "the scheme is \(scheme): association files are for http and https only"
    case .noHost: "the URL has no host; write https://HOST/PATH"
    case .badHost(let index): "byte \(index + 1) of the URL cannot be part of a host"
    case .badPort(let index): "the URL's port, at byte \(index + 1), is not a number up to 65535"
    }
  }
}
