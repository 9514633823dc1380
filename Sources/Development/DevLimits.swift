internal import Server

/// What `aasa dev` takes and keeps, in one place.
enum DevLimits {
  /// Requests that are remembered for the inspector.
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
  /// Rules that are shown of one trial.
  static let trialRules = 500
  /// Links to tap.
  static let links = 100
  /// Of them, those made for one app.
  static let linksPerApp = 10
  /// Expectations that are kept and shown.
  static let cases = 1_000
  /// Diagnostics of the file.
  static let diagnostics = 50
  /// Names of versions that were served before.
  static let earlier = 100
  /// Lines that say what a change means.
  static let changes = 20
  /// Bytes of a file that is read, which may be larger than Apple takes, to say so.
  static let fileBytes = 1_048_576
  /// Bytes of the file that the inspector shows: twice what Apple takes.
  static let textBytes = 262_144
  /// Bytes of a line of the tunnel program's output; what is longer is cut.
  static let tunnelLineBytes = 4_096
  /// Questions to Apple's CDN at one time.
  static let cdnFetches = 4
  /// Milliseconds that a file must rest before it is read.
  static let settling: Int32 = 60
  /// Milliseconds between two looks at a file of which the system does not tell.
  static let polling: Int32 = 1_000
  /// Milliseconds before a tunnel that has ended is started again: the first time, and at most.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 30_000
  /// Milliseconds for which a tunnel must live to count as having worked.
  static let goodLife: Int64 = 60_000
  /// Milliseconds that a terminal is waited for.
  static let heldTerminal: Int32 = 200
  /// Milliseconds for the tunnel program to end by itself.
  static let ending: Int64 = 3_000
}
