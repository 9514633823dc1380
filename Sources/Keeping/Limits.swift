internal import Diagnostics
internal import Posix

/// Limits on the versions that are kept for the next start.
enum KeepingLimits {
  static let keptFiles = 10_000
  /// The maximum size of all kept files together, in bytes. Certificates are not included.
  static let keptBytes = 256 << 20
  /// The size limit of the file with the names in the domains folder, in bytes.
  static let knownBytes = 32 << 20
  /// The number of files that are flushed to the disk together.
  static let batch = 1_000
  /// Milliseconds between two writes of the file with the names in the domains folder.
  static let namesPause: Int64 = 60_000
  /// Milliseconds for which other threads wait for an answer from the disk.
  static let patience: Int64 = 2_000
  /// When the server exits, or after a confirmation, it waits at most this many milliseconds until
  /// all versions are written.
  static let longestEnd: Int64 = 1_000
}

/// An entry is checked together with others only if its check does not exceed these limits. The
/// limits allow a check of about 50 milliseconds. All other entries are checked separately, one at
/// a time.
struct Turn: Sendable {
  /// The maximum work for finding which links each rule decides; see
  /// `ReachabilityLimits.fileSteps`.
  var steps = 250_000
  /// The maximum bytes of a file that is not an association file. Larger files are checked
  /// separately, because the cost of checking such a file grows with its size.
  var bytes = 32_768
  /// The maximum bytes of all files and expectations of an entry together. Larger entries are
  /// checked separately.
  var entryBytes = 262_144
  /// The maximum work for checking the expectations about one file; see `CaseLimits.hosted`.
  var expectations = Budget(operations: 400_000)
}

/// Limits on the amount of work that is done at a time, and on reports.
package enum LoadingLimits {
  /// The maximum number of domains to read before the keeper decides what to serve from them. Until
  /// the decision, both the old and the new versions are in memory. If the process has a memory
  /// limit, the new versions may take at most a sixteenth of it.
  static let wave = max(64, min(4_096, (MemoryLimit.own?.bytes ?? .max) / 16 / Turn().entryBytes))

  /// Entries are divided into groups of at most this many entries. Each thread that reads entries
  /// takes one group at a time.
  static let slice = 128

  /// The number of domains to check against the rules in one step of background work.
  static let judgedAtOnce = 32

  /// The maximum number of diagnostics of one kind that are reported at a time.
  package static let reportedPerCode = 10

  /// The maximum number of hosts without a certificate that a report lists by name.
  package static let namedHosts = 20

  /// Limits on the names in a host's `.well-known` that are not served: how many to examine, and
  /// how many to list in the note about these names.
  static let examinedNames = 100
  static let namedFiles = 5

  /// The maximum number of domains, and the maximum number of certificates, whose problems are
  /// stored as texts.
  static let describedProblems = 1000

  /// The maximum number of diagnostics that are kept for one domain or certificate.
  static let keptPerProblem = 10

  /// Milliseconds after which a folder that did not answer is tried again.
  static let hangingPause: Int64 = 1_000

  /// Milliseconds after which an entry is read again if its folder was replaced during the read.
  static let movedPause: Int64 = 1_000

  /// Milliseconds after which a file is read again if there was not enough memory to serve it.
  static let memoryPause: Int64 = 60_000

  /// Milliseconds for which a read must hang before the hang is reported.
  static let reportedHang: Int64 = 10_000

  /// Milliseconds between two checks whether the separate reading of an entry is complete.
  static let alonePause: Int64 = 20

  /// Milliseconds of background work before the server looks for changes again.
  static let backgroundSlice: Int64 = 5
}
