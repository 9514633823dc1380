internal import Diagnostics
internal import Posix

/// Decides whether a folder can be trusted, and whether names missing from it may be withdrawn.
///
/// If names disappear one by one, somebody probably removed them on purpose. If the whole folder or
/// most of its names disappear at once, the folder was more likely unmounted, or somebody is
/// copying it again.
struct FolderGuard: Equatable, Sendable {
  /// Why changes in the folder are held back.
  enum Reason: Equatable, Sendable {
    /// The system does not let the server read the folder.
    case unreadable
    /// The folder is now on a different file system, because a file system was mounted or
    /// unmounted.
    case otherDevice
    /// The folder itself is missing.
    case missing
    case empty
    /// More than half of the names are missing at once.
    case mostMissing(Int, of: Int)
  }

  /// The state of the folder at a scan.
  enum Observation: Equatable, Sendable {
    case readable(device: UInt64, isEmpty: Bool)
    case missing
    case unreadable
  }

  /// The minimum number of names in a folder. With fewer names, no loss of names is treated as a
  /// possible accident.
  static let fewestNames = 4

  /// Returns whether so many names are missing that the loss is probably an accident: more than
  /// half of the known names, if there are at least `fewestNames`.
  static func isLarge(_ missing: Int, of known: Int) -> Bool {
    known >= fewestNames && missing * 2 > known
  }

  /// The file system of the folder when it was last trusted.
  private(set) var device: UInt64?
  private(set) var observation = Observation.missing

  /// Stores what a scan found. Returns why the folder cannot be trusted now, or nil if the folder
  /// can be trusted.
  ///
  /// - Parameters:
  ///   - known: The number of names that are served.
  ///   - isConfirmed: Whether the operator has confirmed the folder's state.
  mutating func distrust(_ observation: Observation, known: Int, isConfirmed: Bool) -> Reason? {
    self.observation = observation
    switch observation {
    case .unreadable: return .unreadable
    case .missing: return nil
    case .readable(let found, _):
      if let device, device != found, known > 0, !isConfirmed { return .otherDevice }
      device = found
      return nil
    }
  }

  /// Why none of the missing names may be withdrawn; nil if the folder contains any names.
  var absence: Reason? {
    switch observation {
    case .missing: .missing
    case .unreadable: .unreadable
    case .readable(_, isEmpty: true): .empty
    case .readable: nil
    }
  }
}

/// Why a folder could not be listed.
struct FolderFailure: Error {
  let error: SystemError
  /// The diagnostic to report if something exists at the path.
  let diagnostic: Diagnostic
  /// Whether the path is that of a file instead of a folder.
  let isFile: Bool

  var isMissing: Bool { error.isNotFound }
}

extension FolderFailure {
  /// Checks the folder again to find the reason why it could not be listed. The check may block
  /// forever, because the file system may not answer.
  init(_ error: SystemError, of what: String, _ kind: Kind, at path: String) {
    self.init(
      error: error, diagnostic: unreadableDiagnostic("the \(what) folder", kind, path, error),
      isFile: error.isNotFound && !Posix.isMissing(path))
  }
}

extension FolderGuard.Reason {
  /// Returns whether a hold stays the same hold when its reason changes from this reason to
  /// `other`.
  func isSameKind(as other: FolderGuard.Reason) -> Bool {
    isAboutAbsence ? other.isAboutAbsence : self == other
  }

  /// Whether the reason is that names are missing. All these reasons are treated as one, so that a
  /// loss is reported only once even if the number of missing names changes.
  private var isAboutAbsence: Bool {
    switch self {
    case .missing, .empty, .mostMissing: true
    case .unreadable, .otherDevice: false
    }
  }

  /// Returns the diagnostic for a folder whose changes are held back.
  ///
  /// - Parameters:
  ///   - what: The content of the folder, such as `domains`.
  ///   - kind: The kind of the diagnostic.
  ///   - failure: Why the folder could not be listed.
  ///   - id: The ID of the hold.
  ///   - canConfirm: Whether there is a state folder in which an operator can confirm the hold.
  func diagnostic(
    _ what: String, _ kind: Kind, at path: String, _ failure: FolderFailure? = nil,
    id: String? = nil, canConfirm: Bool = true
  ) -> Diagnostic {
    let confirm = id.map { "; \(confirming($0, canConfirm))" } ?? ""
    let (message, help): (String, String)
    switch self {
    case .missing:
      let isFile = failure?.isFile == true
      message =
        isFile ? "the \(what) folder is a file, not a folder" : "the \(what) folder is missing"
      help =
        (isFile
          ? "pass the folder that contains this file: --\(what) \(parentFolder(path))"
          : "put it back")
        + confirm
    case .unreadable:
      // If the reason is unknown, omit the help. Another diagnostic reports a file system that does
      // not answer.
      var diagnostic =
        failure?.diagnostic
        ?? Diagnostic(kind, "the \(what) folder cannot be read", at: .init(path: path)).withoutHelp
      diagnostic.note = "what was served before is still served"
      return diagnostic
    case .otherDevice:
      message =
        "the \(what) folder is now on a different file system: something was mounted or unmounted"
      help = "mount the same file system as before\(confirm)"
    case .empty: (message, help) = ("the \(what) folder is empty", "put the files back\(confirm)")
    case .mostMissing(let count, let all):
      message = "\(share(count, of: all, what)) suddenly missing from the folder"
      help = "put them back\(confirm)"
    }
    return Diagnostic(
      kind, message, at: .init(path: path), help: help,
      note: "what was served before is still served")
  }
}
