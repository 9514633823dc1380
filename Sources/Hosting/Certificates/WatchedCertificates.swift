/// What has to be watched besides the certificates folder, each by the name in the folder that it
/// belongs to: found one after the other, for there may be very many.
struct WatchedCertificates: Sequence {
  let root: String
  /// Those that were searched, relative.
  let directories: [String]
  let entries: CertificateEntries

  func makeIterator() -> Iterator { Iterator(all: self) }

  struct Iterator: IteratorProtocol {
    let all: WatchedCertificates
    private var directory = 0
    private var entry = 0
    /// The key of the entry before.
    private var key: String?

    init(all: WatchedCertificates) { self.all = all }

    mutating func next() -> (name: String, directories: [String], files: [String])? {
      if directory < all.directories.count {
        let path = all.directories[directory]
        directory += 1
        return (topName(path), [all.root + "/" + path], [])
      }
      if let key {
        self.key = nil
        return (topName(key), [], [all.root + "/" + key])
      }
      guard entry < all.entries.count else { return nil }
      let next = all.entries[entry]
      entry += 1
      key = next.key
      return (next.topName, [], [all.root + "/" + next.chain])
    }

    private func topName(_ path: String) -> String { String(path.prefix { $0 != "/" }) }
  }
}
