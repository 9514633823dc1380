internal import Server

/// The limits of `aasa dev`.
enum DevLimits {
  /// Requests kept for the inspector: this many for the association file, and this many others.
  static let requests = 1_000
  /// Bytes of a request's path, and of its User-Agent field, in a list.
  static let shownBytes = 200
  /// Bytes of a request's head that are kept.
  static let headBytes = 8_192
  /// Bytes of a text in a QR code.
  static let codeBytes = 512
  /// Bytes of a URL that is tried or kept, and of an app identifier.
  static let urlBytes = 4_096
  static let appBytes = 256
  /// Rules that are shown for one trial.
  static let trialRules = 500
  /// Links to tap.
  static let links = 100
  /// Of these, links for one app.
  static let linksPerApp = 10
  /// Expectations that are kept and shown.
  static let cases = 1_000
  /// Diagnostics of the file.
  static let diagnostics = 50
  /// Names of earlier versions.
  static let earlier = 100
  /// Lines about the meaning of a change.
  static let changes = 20
  /// The largest file that is read, in bytes: larger than Apple accepts, so that its size can be
  /// reported.
  static let fileBytes = 1_048_576
  /// Bytes of the file that the inspector shows: twice as many as Apple accepts.
  static let textBytes = 262_144
  /// Bytes of a line of the tunnel program's output; longer lines are cut.
  static let tunnelLineBytes = 4_096
  /// Requests to Apple's CDN at one time.
  static let cdnFetches = 4
  /// Milliseconds without a change before a file is read.
  static let settling: Int32 = 60
  /// Milliseconds between two checks of a file without events from the system.
  static let polling: Int32 = 1_000
  /// Milliseconds before an ended tunnel is started again: the first and the longest pause.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 30_000
  /// Milliseconds for which a tunnel must run to count as working.
  static let goodLife: Int64 = 60_000
  /// Milliseconds to wait for a paused terminal.
  static let heldTerminal: Int32 = 200
  /// Milliseconds for the tunnel program to end by itself.
  static let ending: Int64 = 3_000
}
