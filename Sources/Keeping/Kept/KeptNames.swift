internal import Diagnostics
internal import Posix
internal import Settings

/// The file `known` in the folder `kept`: the names of the domains folder, one per line, below a
/// line with their digest.
struct KeptNames {
  var hasChanged = true
  /// When the file may be written again, in milliseconds of the monotonic clock.
  private var next = Int64.min / 2
  private var isFaulty = false
  /// Whether a later version of this program wrote the file. If so, this one leaves it unchanged.
  private(set) var isLater = false

  /// Milliseconds between two writes.
  static let pause: Int64 = 60_000

  /// Reads the names.
  mutating func read(_ folder: String, _ diagnostics: inout [Diagnostic]) -> Set<DomainName> {
    let path = folder + "/known"
    do throws(SystemError) {
      let bytes = try readFile(path, limit: KeepingLimits.knownBytes)
      isLater = KeptEntry.isLater(bytes)
      if isLater { return [] }
      if let start = KeptEntry.content(of: bytes) {
        let lines = bytes[start...].split(separator: 0x0A)
        return Set(lines.compactMap { DomainName(entryName: String(decoding: $0, as: UTF8.self)) })
      }
    } catch {
      if error.isNotFound { return [] }
    }
    diagnostics.append(.damaged(path))
    return []
  }

  mutating func hurry() { next = .min / 2 }

  func delay(now: Int64) -> Int64? { hasChanged && !isLater ? max(0, next - now) : nil }

  /// Writes as many names as the size limit allows.
  mutating func write(
    _ names: some Sequence<DomainName>, in folder: String, now: Int64
  ) -> Diagnostic? {
    if isLater { return nil }
    hasChanged = false
    next = now + Self.pause
    var lines: [UInt8] = []
    for name in names {
      let line = name.entryName.utf8
      if lines.count + line.count >= KeepingLimits.knownBytes - 100 { break }
      lines += line
      lines.append(0x0A)
    }
    let path = folder + "/known"
    do throws(SystemError) {
      try writeFileAtomically(path, KeptEntry.file([lines]), mode: 0o600)
      isFaulty = false
      return nil
    } catch {
      hasChanged = true
      defer { isFaulty = true }
      return isFaulty
        ? nil
        : Diagnostic(
          .stateFolderUnusable, "the names of the domains cannot be kept: \(error.reason)",
          at: .init(path: path),
          help: "check the disk, and whether the server's user may write there",
          note: "the next start cannot distinguish an empty folder from one that is not mounted")
    }
  }
}
