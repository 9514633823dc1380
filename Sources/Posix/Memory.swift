#if os(Linux)
  internal import CSystem
  internal import Glibc
#endif

/// Returns unused memory to the system. This affects size only: memory that is needed again comes
/// back by itself.
package enum Memory {
  /// Returns the memory that `free` has kept to the kernel, such as that of thousands of closed
  /// connections. Takes a few milliseconds at worst.
  package static func returnFree() {
    #if os(Linux)
      _ = malloc_trim(0)
    #endif
  }

  /// The code of the program and its libraries, all of which are loaded at the start and stay.
  package static let code = Code()

  /// The mapped pages of code and constants.
  ///
  /// They can be dropped: pages that serving needs are read again from the kernel's page cache on
  /// use, 64 KiB at a time; most pages of a program and its libraries are only needed at the start.
  /// its libraries.
  package struct Code: Sendable {
    private var ranges: [Range<UInt>] = []

    /// Finds the pages, which takes much longer than dropping them.
    fileprivate init() {
      #if os(Linux)
        // Only pages that are unchanged from their file: code, and the tables and constants before
        // it. Pages after it may have been relocated.
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
