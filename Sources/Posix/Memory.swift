#if os(Linux)
  internal import CSystem
  internal import Glibc
#endif

/// Gives memory back that is not in use now. It is all a matter of size, never of meaning: what is
/// needed again comes back by itself.
package enum Memory {
  /// Returns what `free` has kept to the kernel: it keeps the room of thousands of connections that
  /// have gone. Takes a few milliseconds at worst.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }

  /// The program's and its libraries': all are there from the start, and none goes.
  package static let code = Code()

  /// The pages of code and constants that are mapped.
  ///
  /// They can be forgotten: those that serving needs are read again from the kernel's page cache as
  /// they are called, 64 KiB at a time; those that only starting needed are most of a program and of
  /// its libraries.
  package struct Code: Sendable {
    private var ranges: [Range<UInt>] = []

    /// Looks where they are, which takes much longer than to forget them.
    fileprivate init() {
      #if os(Linux)
        // Only what is as it is in its file: code, and the tables and constants that stand before it.
        // What stands behind it may have been relocated.
        var hasCode: Set<Substring> = []
        guard let maps = try? readContent("/proc/self/maps", limit: 1 << 20) else { return }
        for line in String(decoding: maps.bytes, as: UTF8.self).split(separator: "\n") {
          // START-END PERMISSIONS OFFSET DEVICE INODE PATH (proc(5))
          let fields = line.split(separator: " ", omittingEmptySubsequences: true)
          guard fields.count >= 6, fields[5].hasPrefix("/") else { continue }
          if fields[1] == "r-xp" {
            hasCode.insert(fields[5])
          } else if fields[1] != "r--p" || hasCode.contains(fields[5]) {
            continue
          }
          let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
          if ends.count == 2, ends[0] < ends[1] { ranges.append(ends[0]..<ends[1]) }
        }
      #endif
    }

    package func forget() {
      #if os(Linux)
        for range in ranges {
          guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else {
            continue
          }
          _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
      #endif
    }
  }
}
