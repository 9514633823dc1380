extension DirectoryWatcher {
  /// One event.
  package struct Event: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
      /// A name appeared: a new file (still empty), a link, a directory.
      case created
      /// A rename put a complete file under the name, new or replaced.
      case movedIn
      /// A writer closed the file, so it is complete.
      case written
      /// A writer has changed the file and still has it open, so it may be incomplete.
      case writing
      /// A name was removed.
      case removed
      /// Owner, mode or times changed.
      case attributes
      /// The directory itself was removed or moved: the watch has ended.
      case directoryGone
      /// The queue overflowed: anything may have changed.
      case overflow
    }

    /// The number that `watch` returned for the directory; -1 for an overflow.
    package let directory: Int32
    /// The name in the directory; empty for the directory itself.
    package let name: String
    package let change: Change
  }
}
