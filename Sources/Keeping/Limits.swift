internal import Diagnostics
internal import Posix

/// Limits on the versions kept for the next start.
enum KeepingLimits {
  static let keptFiles = 10_000
  /// Bytes of all files together.
  static let keptBytes = 256 << 20
  /// The size limit of the file with the names of the domains folder.
  static let knownBytes = 32 << 20
  /// The number of files that are flushed to the disk together.
  static let batch = 1_000
  /// Milliseconds between two writes of these names.
  static let namesPause: Int64 = 60_000
  /// Milliseconds without an answer of the disk after which nobody waits for it.
  static let patience: Int64 = 2_000
  /// Milliseconds for which the program's exit, or a confirmation, waits until versions are
  /// written.
  static let longestEnd: Int64 = 1_000
}

/// What judging one of several entries may cost: about 50 milliseconds. An entry that costs more is
/// judged beside the others, one such entry at a time.
struct Turn: Sendable {
  /// See `ReachabilityLimits.fileSteps`.
  var steps = 250_000
  /// The bytes of any other file. The cost of its rules grows with its size.
  var bytes = 32_768
  /// The bytes of all files and expectations of an entry.
  var entryBytes = 262_144
  /// See `CaseLimits.hosted`.
  var expectations = Budget(operations: 400_000)
}

/// Limits on the amount of work at a time.
package enum LoadingLimits {
  /// The number of domains that are read before deciding what to serve from them. It limits the
  /// memory that holds both versions: a sixteenth of the memory limit, if there is one.
  static let wave = max(64, min(4_096, (MemoryLimit.own?.bytes ?? .max) / 16 / Turn().entryBytes))

  /// The number of entries that one thread takes at a time.
  static let slice = 128

  /// The number of domains that the rules run on between two checks for changes.
  static let judgedAtOnce = 32

  /// The number of diagnostics of one kind that are reported at a time.
  package static let reportedPerCode = 10

  /// The maximum number of hosts without a certificate that are reported by name.
  package static let namedHosts = 20

  /// The number of names in a host's `.well-known` that are examined because they are not served,
  /// and the number of files that are named in the note about them.
  static let examinedNames = 100
  static let namedFiles = 5

  /// The number of domains, and of certificates, whose problems are kept as texts.
  static let describedProblems = 1000

  /// The number of diagnostics that are kept for one domain or certificate.
  static let keptPerProblem = 10

  /// Milliseconds after which a read that did not answer is tried again.
  static let hangingPause: Int64 = 1_000

  /// Milliseconds after which an entry is read again if its folder was replaced meanwhile.
  static let movedPause: Int64 = 1_000

  /// Milliseconds after which a file is tried again for which there was no memory.
  static let memoryPause: Int64 = 60_000

  /// Milliseconds for which a read must hang to be reported.
  static let reportedHang: Int64 = 10_000

  /// Milliseconds between two looks whether an expensive domain has been judged.
  static let alonePause: Int64 = 20

  /// Milliseconds of background work between two checks for changes.
  static let backgroundSlice: Int64 = 5
}
