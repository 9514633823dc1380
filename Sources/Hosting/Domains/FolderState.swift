internal import Diagnostics
internal import Posix

/// How a folder stands as a whole, and what was reported of it.
struct FolderState {
  var guarding = FolderGuard()
  /// What it was when it was last listed; nil when nothing in it counts now.
  var identity: FileIdentity?
  /// It was changing when it was listed, so it must be listed again.
  var isRestless = false
  /// Why everything stays as it is.
  private(set) var held: FolderGuard.Reason?
  /// What was reported of that.
  private(set) var heldDiagnostic: Diagnostic?
  /// The operator said that what is missing was removed on purpose.
  private(set) var isConfirmed = false
  /// What is wrong with single names, as last reported.
  var nameDiagnostics: [Diagnostic] = []

  /// What reading the folder as a whole gave.
  struct Sighting<Content> {
    var content: Content?
    /// Why nothing in it counts now; nil when it does.
    var doubt: FolderGuard.Reason?
    var error: SystemError?
  }

  /// Reads the folder as a whole, and judges whether what is there counts.
  ///
  /// - Parameters:
  ///   - known: how many names are known.
  ///   - read: returns what is in it, the device it is on, and whether it is empty.
  mutating func read<Content>(
    known: Int, _ read: () throws(SystemError) -> (Content, device: UInt64, isEmpty: Bool)
  ) -> Sighting<Content> {
    var result = Sighting<Content>()
    var sight = FolderGuard.Sight.missing
    do throws(SystemError) {
      let found = try read()
      result.content = found.0
      sight = .readable(device: found.device, isEmpty: found.isEmpty)
    } catch {
      result.error = error
      if !error.isNotFound { sight = .unreadable }
    }
    result.doubt = guarding.distrust(sight, known: known, isConfirmed: isConfirmed)
    return result
  }

  /// Keeps everything as it is. Returns what to report, if that is new.
  mutating func hold(_ reason: FolderGuard.Reason, _ diagnostic: Diagnostic) -> [Diagnostic] {
    let isNew = held?.isSameKind(as: reason) != true
    held = reason
    heldDiagnostic = diagnostic
    return isNew ? [diagnostic] : []
  }

  /// The same, with a diagnostic made of what lies in the folder.
  ///
  /// - Parameters:
  ///   - codes: for names that are missing, and for the folder itself.
  ///   - isUnknown: nothing was ever served from the folder.
  mutating func hold(
    _ reason: FolderGuard.Reason, _ what: String, codes: (names: String, folder: String),
    at path: String, _ error: SystemError?, isUnknown: Bool
  ) -> [Diagnostic] {
    var code = codes.folder
    if case .mostMissing = reason { code = codes.names }
    var diagnostic = reason.diagnostic(what, code: code, at: path, error: error)
    if isUnknown {
      diagnostic.note = nil
      if reason == .missing { diagnostic.help = "make it, or name another with --\(what)" }
    }
    return hold(reason, diagnostic)
  }

  /// Nothing is held any more.
  mutating func release() {
    trust()
    isConfirmed = false
  }

  /// The folder can be trusted again. What the operator said of missing names still holds.
  mutating func trust() {
    held = nil
    heldDiagnostic = nil
  }

  /// Whether nothing in the folder counts, for it cannot be read or is another one.
  var isDistrusted: Bool { held == .unreadable || held == .otherDevice }

  /// Takes note that the operator means it, if there is anything that was reported and can be meant.
  mutating func confirm() { if let held, held != .unreadable { isConfirmed = true } }
}

extension FolderGuard.Reason {
  fileprivate func isSameKind(as other: FolderGuard.Reason) -> Bool {
    isAboutAbsence ? other.isAboutAbsence : self == other
  }

  /// Whether names are missing, few or all: one loss is reported once, however it looks later.
  private var isAboutAbsence: Bool {
    switch self {
    case .missing, .empty, .mostMissing: true
    case .unreadable, .otherDevice: false
    }
  }

  /// What to report of a folder that is held.
  ///
  /// - Parameters:
  ///   - what: what lies in it, such as `domains`.
  ///   - code: of the diagnostic.
  ///   - error: why it cannot be read.
  func diagnostic(
    _ what: String, code: String, at path: String, error: SystemError? = nil
  ) -> Diagnostic {
    let confirm = "if this is meant, send SIGHUP (systemctl reload aasa, or kill -HUP)"
    let (message, help): (String, String)
    switch self {
    case .missing: (message, help) = ("the \(what) folder is missing", "put it back; \(confirm)")
    case .unreadable:
      var diagnostic = unreadableDiagnostic(
        "the \(what) folder", code: code, path, error ?? SystemError("open", path, code: 0))
      diagnostic.note = "what was served before is still served"
      return diagnostic
    case .otherDevice:
      message =
        "the \(what) folder is on another file system than before: it was mounted or unmounted"
      help = "mount it as it was; \(confirm)"
    case .empty: (message, help) = ("the \(what) folder is empty", "put the files back; \(confirm)")
    case .mostMissing(let missing, let all):
      message = "\(missing) of \(all) \(what) are missing from the folder at once"
      help = "put them back; \(confirm)"
    }
    return Diagnostic(
      .error, code: code, message, at: .init(path: path), help: help,
      note: "what was served before is still served")
  }
}
