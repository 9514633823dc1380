internal import Server

/// The limits of `aasa dev`.
enum DevLimits {
  /// The maximum number of requests for the association file that `aasa dev` keeps. The same limit
  /// applies separately to all other requests.
  static let requests = 1_000
  /// The maximum bytes of a request's path, and of its User-Agent field, in the list of requests.
  static let shownBytes = 200
  /// The maximum bytes to keep of a request's head.
  static let headBytes = 8_192
  /// The maximum bytes of the text in a QR code.
  static let codeBytes = 512
  /// The maximum bytes of a URL whose effect is shown or expected, and of an app identifier.
  static let urlBytes = 4_096
  static let appBytes = 256
  /// The maximum number of rules to show for one trial.
  static let trialRules = 500
  /// The maximum number of links to show.
  static let links = 100
  /// The maximum number of links for one app.
  static let linksPerApp = 10
  /// The maximum number of expectations.
  static let cases = 1_000
  /// The maximum number of diagnostics of the file.
  static let diagnostics = 50
  /// The maximum number of earlier versions of the file whose names are kept.
  static let earlier = 100
  /// The maximum number of lines about the effects of a change to the file.
  static let changes = 20
  /// The maximum bytes to read of a file. It is larger than Apple's limit, so that a diagnostic can
  /// contain the size of a file that is slightly too large for Apple.
  static let fileBytes = 1_048_576
  /// The maximum bytes of the file to show in the inspector: twice Apple's limit.
  static let textBytes = 262_144
  /// The maximum bytes of a line of the tunnel program's output. Longer lines are truncated.
  static let tunnelLineBytes = 4_096
  /// The maximum number of requests to Apple's CDN at one time.
  static let cdnFetches = 4
  /// A changed file is read after this number of milliseconds without further changes.
  static let settling: Int32 = 60
  /// Milliseconds between two checks of a file if the system reports no events.
  static let polling: Int32 = 1_000
  /// The first and the maximum pause before restarting a tunnel program that ended, in
  /// milliseconds.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 30_000
  /// If a tunnel program runs for more milliseconds than this, the next pause is the first pause.
  static let goodLife: Int64 = 60_000
  /// Milliseconds to wait for a paused terminal.
  static let heldTerminal: Int32 = 200
  /// Milliseconds to wait for the tunnel program to end before killing it.
  static let ending: Int64 = 3_000
}
