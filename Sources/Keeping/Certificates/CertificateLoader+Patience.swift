internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// All reads of the folder. They run on other threads, because a file system may never answer.
extension CertificateLoader {
  /// Whether the folder cannot be read now, because reads in it hang.
  var isWaiting: Bool { work.isWaiting }

  private var threads: Int { options.threads ?? processors }

  /// The next attempt to read what does not answer. Until then, nothing changes in what is served.
  var nextAttempt: (key: ScanKey, time: Int64) {
    (.certificatesFolder, clock() + LoadingLimits.hangingPause)
  }

  /// The number of certificates that one thread takes at a time.
  private static let slice = 64

  /// Searches the folder; nil if it does not answer.
  func searched() -> Result<CertificateSearch, SystemError>? {
    work.result(root) { [root] in
      Result { () throws(SystemError) in try CertificateSearch(root) }
    }
  }

  /// The certificates to be read: new ones, named ones, and those whose files have changed or do not
  /// answer.
  func changed(
    _ entries: [CertificateFolder.Entry], including names: Set<String>
  ) -> [CertificateFolder.Entry] {
    var due: Set<String> = []
    var doubtful: [(entry: CertificateFolder.Entry, identity: Int)] = []
    for entry in entries {
      let chain = entry.chain
      if let state = states[chain], state.entry == entry, !names.contains(entry.topName),
        changes[chain] == nil, !folder.names.isMissing(chain)
      {
        doubtful.append((entry, state.identity))
      } else {
        due.insert(chain)
      }
    }
    let (reader, root, known) = (reader, root, doubtful)
    let areCurrent = work.results(
      known.count, slice: Self.slice, threads: threads,
      path: { "\(root)/\(known[$0].entry.chain)" },
      body: { range, deliver in
        for (entry, identity) in known[range] {
          if !deliver(reader.identity(of: entry) == identity) { return }
        }
      })
    for (known, isCurrent) in zip(known, areCurrent) where isCurrent != true {
      due.insert(known.entry.chain)
    }
    return entries.filter { due.contains($0.chain) }
  }

  /// Reads certificates; nil for those that do not answer.
  ///
  /// - Parameter settled: The names whose writers have finished.
  func read(
    _ due: [CertificateFolder.Entry], isFinal: Bool, _ settled: Set<String>
  ) -> [CertificateReader.Reading?] {
    let (reader, progress) = (reader, options.certificateProgress)
    return work.results(
      due.count, slice: Self.slice, threads: threads,
      path: { "\(reader.root)/\(due[$0].chain)" },
      body: { range, deliver in
        var count = 0
        defer { progress?(count, due.count) }
        guard let directory = try? Directory(reader.root) else {
          // Treat it like a file that is gone, so that it is read again in a moment.
          let gone = CertificateReader.Reading(
            settlingTime: ObservationLimits.settlingTime, isGone: true)
          for _ in range { if !deliver(gone) { return } }
          return
        }
        for entry in due[range] {
          let isSettled = isFinal || settled.contains(entry.topName)
          count += 1
          if !deliver(reader.read(entry, in: directory, isSettled: isSettled)) { return }
        }
      })
  }
}
