internal import Posix

/// The fetches of one file of a domain by one class of fetchers.
package struct Fetch: Sendable, Equatable {
  package let fetcher: FetcherClass
  /// The time of the last fetch, in seconds since 1970.
  package let time: Int64
  /// The status code of the last response.
  package let status: UInt16
  /// The version in the last response (see `Content.version`); 0 if that response contained no
  /// version.
  package let version: UInt64
  /// The number of fetches.
  package let count: UInt64
}

/// The fetches of one file of a domain, by class of fetchers. Every event loop may write to the
/// record and any thread may read it, without locks. Therefore, a reader may see the time of the
/// newest fetch together with the version of the previous fetch.
///
/// The record contains no client addresses. A record is created at the first fetch. There is at
/// most one record for each file of a domain, so the number and size of records are bounded.
package final class FetchRecord: Sendable {
  /// The counters of all classes of fetchers, in the order of the classes. Each class has the words
  /// that `Word` lists.
  private let words = Counters(FetcherClass.allCases.count * Word.all)

  private enum Word {
    /// The index of the word that contains the time. The low 16 bits of this word contain the
    /// status.
    static let moment = 0
    static let version = 1
    static let count = 2
    static let all = 3
  }

  package init() {}

  /// Adds `count` fetches by clients of one class. The last of these fetches was at `time`, in
  /// seconds since 1970.
  package func note(
    _ fetcher: FetcherClass, time: Int64, status: UInt16, version: UInt64, count: UInt64
  ) {
    let first = Int(fetcher.rawValue) * Word.all
    let moment = UInt64(bitPattern: time) << 16 | UInt64(status)
    // Do not write a version that has not changed. Without a write, the event loops can keep
    // sharing the cache line.
    if words[first + Word.version] != version { words.set(first + Word.version, to: version) }
    if words[first + Word.moment] != moment { words.set(first + Word.moment, to: moment) }
    words.addFromAnyThread(first + Word.count, count)
  }

  /// The fetches of each class that has fetched the file, in the order of the classes.
  package var fetches: [Fetch] {
    FetcherClass.allCases.compactMap { fetcher in
      let first = Int(fetcher.rawValue) * Word.all
      let moment = words[first + Word.moment]
      let count = words[first + Word.count]
      if count == 0 { return nil }
      return Fetch(
        fetcher: fetcher, time: Int64(bitPattern: moment >> 16),
        status: UInt16(truncatingIfNeeded: moment),
        version: words[first + Word.version], count: count)
    }
  }
}
