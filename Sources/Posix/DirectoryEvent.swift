extension DirectoryWatcher {
  /// One thing that happened.
  package struct Event: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
      /// A name appeared: a file just made (still empty), a link, a directory.
      case created
      /// A name appeared or was replaced by a rename: complete as it is.
      case movedIn
      /// A writer closed the file: complete as it is.
      case written
      /// A writer has the file open and changes it: not complete.
      case writing
      /// A name is gone.
      case removed
      /// Owner, mode or times changed.
      case attributes
      /// The directory itself went: the watch is over.
      case directoryGone
      /// The queue ran over: anything may have changed.
      case overflow
    }

    /// What `watch` returned for the directory; -1 for an overflow.
    package let directory: Int32
    /// The name in the directory; empty when the directory itself is meant.
    package let name: String
    package let change: Change
  }
}
