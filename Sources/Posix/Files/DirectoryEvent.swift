extension DirectoryWatcher {
  /// One event.
  package struct Event: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
      /// A name was created: a new file (still empty), a link or a directory.
      case created
      /// A complete file was moved to the name by a rename. The name may have existed before.
      case movedIn
      /// A writer has closed the file, so the file is complete.
      case written
      /// A writer has changed the file and still has it open, so it may be incomplete.
      case writing
      /// A name was removed.
      case removed
      /// The owner, the mode or the times changed.
      case attributes
      /// The directory itself was removed or moved. The watch has ended.
      case directoryGone
      /// The queue overflowed. Anything may have changed.
      case overflow
    }

    /// The number that `watch` returned for the directory; -1 for an overflow.
    package let directory: Int32
    /// The name in the directory; empty for the directory itself.
    package let name: String
    package let change: Change
  }
}
