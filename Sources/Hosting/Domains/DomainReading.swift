internal import Diagnostics
internal import Posix

/// What was found in one entry of the domains folder, before it is decided what is served.
struct DomainReading: Sendable {
  /// What became of reading one of the entry's files.
  enum File: Sendable {
    case absent
    case good(Content, lastModified: Int64)
    case refused(Diagnostic)
  }

  var association = File.absent
  var assetLinks = File.absent
  /// Warnings about the entry; the reason of a refusal is with the file.
  var warnings: [Diagnostic] = []
  /// What the rules warn of, when they were asked.
  var ruleWarnings: [Diagnostic] = []
  /// Whether the rules were only asked for errors.
  var owesWarnings = false
  /// A number for the content of a file that is refused for it; 0 when none is.
  var refusedContent = 0
  /// See `DomainReader.fingerprint(of:)`.
  var fingerprint = 0
  /// See `EntrySurvey`.
  var leadsOutside = true

  /// Whether there is a file that cannot be served.
  var isRefused: Bool {
    if case .refused = association { return true }
    if case .refused = assetLinks { return true }
    return false
  }
}

/// What a thread remembers of the files that it has just read: very many names may lead to one file,
/// or to copies of it.
///
/// It remembers few: it is there for folders in which nearly all is the same.
struct ReadingMemory {
  struct Good {
    /// Of `bytes`.
    let digest: Digest256
    let content: Content
    /// The bytes that were read; the content's may be minified.
    let bytes: [UInt8]
    let owesWarnings: Bool
    let warnings: [Diagnostic]
  }

  private var byIdentity: [FileIdentity: Good] = [:]
  private var byContent: [UInt64: Good] = [:]

  func good(for status: FileStatus) -> Good? {
    byIdentity.isEmpty ? nil : byIdentity[FileIdentity(status)]
  }

  /// A good file with the same bytes.
  func good(digest: Digest256, bytes: [UInt8]) -> Good? {
    guard let good = byContent[digest.words[0]], good.bytes == bytes else { return nil }
    return good
  }

  mutating func remember(_ good: Good, _ status: FileStatus) {
    if byContent.count >= LoadingLimits.remembered { byContent.removeAll(keepingCapacity: true) }
    byContent[good.digest.words[0]] = good
    if byIdentity.count >= LoadingLimits.remembered { byIdentity.removeAll(keepingCapacity: true) }
    byIdentity[FileIdentity(status)] = good
  }
}

/// What is the same only for the same version of the same file.
private struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let modified: Int64
  let changed: Int64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Inodes differ enough.
  func hash(into hasher: inout Hasher) { hasher.combine(inode) }
}
