internal import Server

/// The limits of `aasa dev`.
enum DevLimits {
  /// The maximum number of stored requests for the association file, and also the maximum number of
  /// all other stored requests.
  static let requests = 1_000
  /// The maximum bytes to show of a text from outside, for example of a request's path or a line of
  /// the tunnel program's output.
  static let shownBytes = 200
  /// The maximum bytes of a request's head that are stored.
  static let headBytes = 8_192
  /// The maximum bytes of the text in a QR code.
  static let codeBytes = 512
  /// The maximum bytes of a URL that the inspector tries or that an expectation contains.
  static let urlBytes = 4_096
  /// The maximum bytes of an app identifier in an expectation.
  static let appBytes = 256
  /// The maximum number of rules to show for one tried URL.
  static let trialRules = 500
  /// The maximum number of test links to show.
  static let links = 100
  /// The maximum number of test links for one app.
  static let linksPerApp = 10
  /// The maximum number of expectations in the list.
  static let cases = 1_000
  /// The maximum number of diagnostics of the association file to show.
  static let diagnostics = 50
  /// The maximum number of stored names of earlier versions of the association file.
  static let earlier = 100
  /// The maximum number of lines that show how a change to the file affects users.
  static let changes = 20
  /// The maximum bytes to read of a file. This maximum is larger than Apple's limit, so that a
  /// diagnostic can contain the size of a file that is slightly too large for Apple.
  static let fileBytes = 1_048_576
  /// The inspector shows at most this many bytes of the file: twice Apple's limit.
  static let textBytes = 262_144
  /// The maximum bytes of a line of the tunnel program's output. Longer lines are truncated.
  static let tunnelLineBytes = 4_096
  /// The maximum number of requests to Apple's CDN at one time.
  static let cdnFetches = 4
  /// After a change, a file is read when the file has not changed again for this number of
  /// milliseconds.
  static let settling: Int32 = 60
  /// If the system reports no events, a file is checked for changes at intervals of this number of
  /// milliseconds.
  static let polling: Int32 = 1_000
  /// The first and the maximum pause, in milliseconds, before a tunnel program that has ended is
  /// started again.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 30_000
  /// If a tunnel program has run for more than this number of milliseconds, the pause before its
  /// next start is `firstPause` again.
  static let goodLife: Int64 = 60_000
  /// The maximum wait, in milliseconds, for a terminal that the user has paused.
  static let heldTerminal: Int32 = 200
  /// If the tunnel program does not end within this number of milliseconds, it is killed.
  static let ending: Int64 = 3_000
}
