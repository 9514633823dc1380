extension DirectoryWatcher {
  /// One reported change in a watched directory.
  package struct Event: Sendable, Equatable {
    package enum Change: Sendable, Equatable {
      /// A name was created: a new file (still empty), a link or a directory.
      case created
      /// A rename moved a complete file to the name. Before, the name may have belonged to another
      /// file.
      case movedIn
      /// A writer has closed the file, so the file is complete.
      case written
      /// A writer has changed the file and still has it open, so the file may be incomplete.
      case writing
      /// A name was removed.
      case removed
      /// The owner, the mode or the times of the file changed.
      case attributes
      /// The directory itself was removed or moved, and is no longer watched.
      case directoryGone
      /// The kernel's queue was full, so events were lost. Any file may have changed.
      case overflow
    }

    /// The number that `watch` returned for the directory; -1 if the change is an overflow.
    package let directory: Int32
    /// The name of the changed file in the directory; empty if the directory itself changed.
    package let name: String
    package let change: Change
  }
}
