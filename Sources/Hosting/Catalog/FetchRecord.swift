internal import Synchronization

/// What one class of fetchers got of one file of a domain.
package struct Fetch: Sendable, Equatable {
  package let fetcher: FetcherClass
  /// Seconds since 1970 of the last time.
  package let time: Int64
  /// The status code of the last answer.
  package let status: UInt16
  /// The version that was served then: see `Content.version`; 0 when there was none to serve.
  package let version: UInt64
  /// How often.
  package let count: UInt64

  package init(fetcher: FetcherClass, time: Int64, status: UInt16, version: UInt64, count: UInt64) {
    self.fetcher = fetcher
    self.time = time
    self.status = status
    self.version = version
    self.count = count
  }
}

/// Who has fetched one file of a domain. Every event loop writes to it, anybody reads it, and nobody
/// waits: a reader may meet the new time of a fetch together with the version of the one before.
///
/// No address is kept. There is a record only of what was fetched, at most one for each file of a
/// domain, so their number and size have a bound.
package final class FetchRecord: Sendable {
  /// For each class of fetchers, one after the other: see `Word`.
  private let words = InlineArray<21, Atomic<UInt64>> { _ in Atomic(0) }

  private enum Word {
    /// The time, and in its low 16 bits the status.
    static let moment = 0
    static let version = 1
    static let count = 2
    static let all = 3
  }

  package init() {}

  /// Notes that a class has fetched it `count` times, last at `time`.
  package func note(
    _ fetcher: FetcherClass, time: Int64, status: UInt16, version: UInt64, count: UInt64
  ) {
    let first = Int(fetcher.rawValue) * Word.all
    let moment = UInt64(bitPattern: time) << 16 | UInt64(status)
    // Hardly ever new: then the memory that all loops read is not written to.
    if words[first + Word.version].load(ordering: .relaxed) != version {
      words[first + Word.version].store(version, ordering: .relaxed)
    }
    if words[first + Word.moment].load(ordering: .relaxed) != moment {
      words[first + Word.moment].store(moment, ordering: .releasing)
    }
    words[first + Word.count].add(count, ordering: .relaxed)
  }

  /// What is known of each class that has fetched it at all, in the order of the classes.
  package var fetches: [Fetch] {
    FetcherClass.allCases.compactMap { fetcher in
      let first = Int(fetcher.rawValue) * Word.all
      let moment = words[first + Word.moment].load(ordering: .acquiring)
      let count = words[first + Word.count].load(ordering: .relaxed)
      if count == 0 { return nil }
      return Fetch(
        fetcher: fetcher, time: Int64(bitPattern: moment >> 16),
        status: UInt16(truncatingIfNeeded: moment),
        version: words[first + Word.version].load(ordering: .relaxed), count: count)
    }
  }
}
