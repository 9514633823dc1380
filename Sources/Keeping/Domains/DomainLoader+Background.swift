internal import Catalog
internal import Posix
internal import Settings

/// Work on domains that are already served.
extension DomainLoader {
  /// Whether there are contents without gzip, or domains on which the rules have not run. Those wait
  /// while the folder cannot be trusted or does not answer.
  var hasBackgroundWork: Bool {
    contents.hasUncompressed || !unjudged.isEmpty && folder.identity != nil && !isWaiting
  }

  /// Compresses and judges contents that are already served, for a few milliseconds at a time.
  mutating func workInBackground(milliseconds: Int64) -> Outcome {
    var outcome = Outcome()
    let end = Clock.monotonicMilliseconds() + milliseconds
    while hasBackgroundWork, Clock.monotonicMilliseconds() < end {
      if contents.hasUncompressed {
        contents.compressNext()
      } else if isFolderAnother != false {
        outcome += scanFolder(ScanMode(threads: threads), isWhole: false)
      } else {
        // Make a copy, because a slice would make `removeLast` copy all remaining names.
        let names = Array(unjudged.suffix(LoadingLimits.judgedAtOnce))
        unjudged.removeLast(names.count)
        let entries = names.compactMap { name -> DomainFolder.Entry? in
          guard let state = states[name],
            state.files.all.contains(where: { $0.value.quality != .good })
          else { return nil }
          return state.entry
        }
        outcome += scan(entries, ScanMode(threads: threads))
      }
    }
    if unjudged.isEmpty { unjudged = [] }
    return outcome
  }
}
