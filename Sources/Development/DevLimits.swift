internal import Server

/// The limits of `aasa dev`.
enum DevLimits {
  /// The inspector keeps this many requests for the association file, and as many other requests.
  static let requests = 1_000
  /// Maximum bytes of a request's path, and of its User-Agent field, in a list.
  static let shownBytes = 200
  /// Maximum bytes of a request's head to keep.
  static let headBytes = 8_192
  /// Maximum bytes of the text in a QR code.
  static let codeBytes = 512
  /// Maximum bytes of a URL to try or to keep, and of an app identifier.
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
  /// The maximum number of earlier versions whose names are kept.
  static let earlier = 100
  /// The maximum number of lines about the effect of a change.
  static let changes = 20
  /// The maximum size of a file to read, in bytes. It is larger than Apple's limit, so that the
  /// size can be reported.
  static let fileBytes = 1_048_576
  /// Maximum bytes of the file that the inspector shows: twice Apple's limit.
  static let textBytes = 262_144
  /// Maximum bytes of a line of the tunnel program's output; longer lines are cut.
  static let tunnelLineBytes = 4_096
  /// The maximum number of requests to Apple's CDN at one time.
  static let cdnFetches = 4
  /// Milliseconds without a change before a file is read.
  static let settling: Int32 = 60
  /// Milliseconds between two checks of a file without events from the system.
  static let polling: Int32 = 1_000
  /// The first and the maximum pause before an ended tunnel is restarted, in milliseconds.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 30_000
  /// Milliseconds for which a tunnel must run to count as working.
  static let goodLife: Int64 = 60_000
  /// Milliseconds to wait if the terminal is paused.
  static let heldTerminal: Int32 = 200
  /// Milliseconds in which the tunnel program must end before it is killed.
  static let ending: Int64 = 3_000
}
