internal import Diagnostics
internal import JSON

/// The result of reading and checking one file.
enum FileFinding<Version> {
  /// A version without errors.
  case usable(Version)
  /// A version with an error that devices tolerate. Such a version is better than no file.
  case flawed(Version, Diagnostic)
  /// A version that no device can use.
  case unusable(Diagnostic)
  /// The file may exist, but the system does not let the server read it.
  case unreadable(Diagnostic)
  /// The file is missing from a folder that can be read.
  case absent

  var isUnreadable: Bool {
    if case .unreadable = self { true } else { false }
  }

  /// The version that can be served; nil if the file is missing or cannot be used.
  var version: Version? {
    switch self {
    case .usable(let version), .flawed(let version, _): version
    case .unusable, .unreadable, .absent: nil
    }
  }

  /// The fault of the file; nil if the file is missing or has no fault.
  var fault: Diagnostic? {
    switch self {
    case .flawed(_, let fault), .unusable(let fault), .unreadable(let fault): fault
    case .usable, .absent: nil
    }
  }

  /// Returns the same finding, but with the result of `transform` in place of the version.
  func map<Other>(_ transform: (Version) -> Other) -> FileFinding<Other> {
    switch self {
    case .usable(let version): .usable(transform(version))
    case .flawed(let version, let fault): .flawed(transform(version), fault)
    case .unusable(let fault): .unusable(fault)
    case .unreadable(let fault): .unreadable(fault)
    case .absent: .absent
    }
  }
}

/// The state of one file: the version that is served, and whether the file is missing.
///
/// A good version is withdrawn only if the file is known to be missing. If a file cannot be used
/// for any other reason, the last good version stays in service.
struct FileState<Version> {
  /// What clients get for the file.
  enum Answer {
    /// The file does not exist. Clients get 404.
    case absent
    /// The file exists, but no version of it could be served yet. Clients get 503.
    case unavailable
    case version(Version)
  }

  /// The quality of the served version.
  enum Quality {
    /// The version has no errors.
    case good
    /// The version has errors that devices tolerate.
    case flawed
    /// The version can be used, but has not been checked against the rules yet.
    case unjudged
  }

  var answer = Answer.absent
  var quality = Quality.good
  /// Whether a version is served although the file has a fault now.
  var isLastGood = false
  /// Whether the file is missing. If so, `Names` decides when its served version is withdrawn.
  var isMissing = false

  /// What to report about a decision.
  enum Outcome {
    /// Nothing to report: the version that was found is served, or the file never existed.
    case quiet
    /// The file has a fault. The fault's note says which version is served in this case.
    ///
    /// - Parameter keepsVersion: Whether an older version is served instead.
    case fault(Diagnostic, keepsVersion: Bool)
    /// The file is missing, but is still served for now.
    ///
    /// - Parameter isNew: Whether the file was present at the last read.
    case missing(isNew: Bool)
  }

  /// Decides what is served from now on, based only on the state and the finding.
  ///
  /// - Parameter otherwise: The part of a message that says what clients get while no version can
  ///   be served. If nil, the message says that clients get 503, or the file of another entry.
  func deciding(
    _ finding: FileFinding<Version>, otherwise: String? = nil
  ) -> (state: FileState, outcome: Outcome) {
    var next = self
    next.isMissing = false
    next.isLastGood = false
    switch finding {
    case .usable(let version):
      next.answer = .version(version)
      next.quality = .good
      return (next, .quiet)
    case .flawed(let version, let fault):
      if case .version = answer, quality != .flawed {
        next.isLastGood = true
        return (next, .fault(fault.keepingLastGood, keepsVersion: true))
      }
      next.answer = .version(version)
      next.quality = .flawed
      let note = "the file is served anyway, because no better version is known"
      return (next, .fault(fault.noting(note), keepsVersion: false))
    case .unusable(let fault), .unreadable(let fault):
      if case .version = answer {
        next.isLastGood = true
        return (next, .fault(fault.keepingLastGood, keepsVersion: true))
      }
      next.answer = .unavailable
      let clients =
        otherwise ?? "requests get 503, or the file of another entry that covers the host"
      let noted = fault.noting("until the file is fixed, " + clients)
      return (next, .fault(noted, keepsVersion: false))
    case .absent:
      if case .absent = answer { return (FileState(), .quiet) }
      next.isLastGood = isLastGood
      next.isMissing = true
      return (next, .missing(isNew: !isMissing))
    }
  }

  /// Whether clients get a version of the file, or get 503. If not, there is no answer to withdraw.
  var hasAnswer: Bool {
    if case .absent = answer { return false }
    return true
  }
}

extension FileState.Answer {
  /// The version that is served, if there is one.
  var version: Version? {
    if case .version(let version) = self { return version }
    return nil
  }

  var isUnavailable: Bool {
    if case .unavailable = self { true } else { false }
  }
}

extension FileState.Answer: Sendable where Version: Sendable {}
extension FileState: Sendable where Version: Sendable {}
extension FileFinding: Sendable where Version: Sendable {}

extension Diagnostic {
  fileprivate var keepingLastGood: Diagnostic {
    var result = noting("the last good version of the file is still served")
    // An emptied file needs no new content; it is enough to restore the previous content.
    if isOf(SyntaxError.Kind.empty.diagnosticKind, SyntaxError.Kind.onlyWhiteSpace.diagnosticKind) {
      result.help = "put the file's content back, or remove the file"
    }
    return result
  }

  fileprivate func noting(_ note: String) -> Diagnostic {
    var result = self
    result.note = note
    return result
  }
}
