internal import Catalog
internal import Diagnostics
internal import Posix

/// The state of a folder as a whole, and what was reported about it.
struct FolderState {
  var guarding = FolderGuard()
  /// The identity of the folder when it was last listed; nil if it cannot be trusted now.
  var identity: FileStatus?
  /// Whether it was changing when it was listed, so that it must be listed again.
  var isUnsettled = false
  /// Why everything stays as it is; nil if it does not.
  private(set) var held: FolderGuard.Reason?
  /// The diagnostic that was reported for that reason.
  private(set) var heldDiagnostic: Diagnostic?
  /// The names that would be lost if nothing were held; nil if that cannot be confirmed.
  private var lost: HoldNames?
  /// Whether an operator is confirming that missing files were removed on purpose.
  private(set) var isConfirmed = false
  /// The faults of single names, as last reported.
  var nameDiagnostics: [Diagnostic] = []

  /// The result of reading the folder as a whole.
  struct FolderReading<Content> {
    var content: Content?
    /// Why the folder cannot be trusted now; nil if it can.
    var doubt: FolderGuard.Reason?
    var error: SystemError?
  }

  /// Reads the folder as a whole, and decides whether it can be trusted.
  ///
  /// - Parameters:
  ///   - known: The number of known names.
  ///   - read: Returns the folder's content, its device, and whether it is empty.
  mutating func read<Content>(
    known: Int, _ read: () throws(SystemError) -> (Content, device: UInt64, isEmpty: Bool)
  ) -> FolderReading<Content> {
    var result = FolderReading<Content>()
    var observation = FolderGuard.Observation.missing
    do throws(SystemError) {
      let found = try read()
      result.content = found.0
      observation = .readable(device: found.device, isEmpty: found.isEmpty)
    } catch {
      result.error = error
      if !error.isNotFound { observation = .unreadable }
    }
    result.doubt = guarding.distrust(observation, known: known, isConfirmed: isConfirmed)
    return result
  }

  /// Keeps everything as it is. Returns the diagnostic if it is new.
  mutating func hold(_ reason: FolderGuard.Reason, _ diagnostic: Diagnostic) -> [Diagnostic] {
    let isNew = held?.isSameKind(as: reason) != true
    held = reason
    heldDiagnostic = diagnostic
    return isNew ? [diagnostic] : []
  }

  /// The same, with a diagnostic made from the kind of folder.
  ///
  /// - Parameters:
  ///   - kinds: For missing names, and for the folder itself.
  ///   - names: The names that would be lost. None if nothing was ever served from the folder.
  mutating func hold(
    _ reason: FolderGuard.Reason, _ what: String,
    kinds: (names: Kind, folder: Kind),
    at path: String, _ error: SystemError?, losing names: Set<String>
  ) -> [Diagnostic] {
    var kind = kinds.folder
    if case .mostMissing = reason { kind = kinds.names }
    if names.isEmpty || reason == .unreadable {
      lost = nil
    } else if held?.isSameKind(as: reason) == true, lost != nil {
      lost?.cover(names)
    } else {
      lost = HoldNames("\(reason == .otherDevice) \(path)", names)
    }
    var diagnostic = reason.diagnostic(what, kind, at: path, error: error, id: lost?.id)
    if names.isEmpty {
      diagnostic.note = nil
      if reason == .missing, (try? status(path)) == nil {
        diagnostic.help = "make it, or name another with --\(what)"
      }
    }
    return hold(reason, diagnostic)
  }

  /// Lets things change again.
  mutating func release() {
    trust()
    isConfirmed = false
  }

  /// Notes that the folder can be trusted again. A confirmation about missing names still holds.
  mutating func trust() {
    held = nil
    heldDiagnostic = nil
    lost = nil
  }

  /// What an operator can confirm; nil if there is nothing.
  var hold: Hold? {
    guard let lost, let heldDiagnostic else { return nil }
    return Hold(id: lost.id, fault: heldDiagnostic)
  }

  /// Whether the folder cannot be trusted, because it cannot be read or was replaced.
  var isDistrusted: Bool { held == .unreadable || held == .otherDevice }

  /// Lets a loss with one of these IDs count at the next scan. Returns its ID; nil if none of them
  /// is held now.
  mutating func confirm(_ ids: Set<String>) -> String? {
    guard let hold, ids.contains(hold.id) else { return nil }
    isConfirmed = true
    return hold.id
  }
}

extension FolderGuard.Reason {
  fileprivate func isSameKind(as other: FolderGuard.Reason) -> Bool {
    isAboutAbsence ? other.isAboutAbsence : self == other
  }

  /// Whether names are missing, some or all. One loss is reported once, even if its extent changes.
  private var isAboutAbsence: Bool {
    switch self {
    case .missing, .empty, .mostMissing: true
    case .unreadable, .otherDevice: false
    }
  }

  /// The diagnostic for a folder in which everything stays as it is.
  ///
  /// - Parameters:
  ///   - what: The kind of content, such as `domains`.
  ///   - kind: The kind of the diagnostic.
  ///   - error: Why the folder cannot be read.
  ///   - id: The ID of the hold.
  func diagnostic(
    _ what: String, _ kind: Kind, at path: String, error: SystemError? = nil, id: String? = nil
  ) -> Diagnostic {
    let confirm = id.map { "; \(confirming($0))" } ?? ""
    let (message, help): (String, String)
    switch self {
    case .missing:
      let isFile = (try? status(path)) != nil
      message = isFile ? "the \(what) folder is not a folder" : "the \(what) folder is missing"
      help = (isFile ? "put a folder in its place" : "put it back") + confirm
    case .unreadable:
      var diagnostic = unreadableDiagnostic(
        "the \(what) folder", kind, path, error ?? SystemError("open", path, code: 0))
      diagnostic.note = "what was served before is still served"
      return diagnostic
    case .otherDevice:
      message =
        "the \(what) folder is on another file system than before: it was mounted or unmounted"
      help = "mount it as it was\(confirm)"
    case .empty: (message, help) = ("the \(what) folder is empty", "put the files back\(confirm)")
    case .mostMissing(let missing, let all):
      let verb = missing == 1 ? "is" : "are"
      message = "\(missing) of \(all) \(what) \(verb) missing from the folder at once"
      help = "put them back\(confirm)"
    }
    return Diagnostic(
      kind, message, at: .init(path: path), help: help,
      note: "what was served before is still served")
  }
}
