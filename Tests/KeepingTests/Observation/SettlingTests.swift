import Posix
import Testing

@testable import Keeping

/// How long a file is doubted after a change.
@Suite struct SettlingTests {
  @Test(
    arguments: [
      // A time of whole seconds, as of NFS 3 and FAT.
      (age: 500, changed: 1_700_000_000_000_000_000, time: 1_500),
      (age: 0, changed: 1_700_000_000_000_000_000, time: 2_000),
      (age: 2_000, changed: 1_700_000_000_000_000_000, time: 0),
      // One that shows the next change.
      (age: 500, changed: 1_700_000_000_000_000_001, time: 0),
    ] as [(age: Int64, changed: Int64, time: Int64)])
  func `of two changes within a second only the first may show, so the file is read again`(
    _ age: Int64, _ changed: Int64, _ time: Int64
  ) {
    #expect(FileStatus.doubtfulTime(age: age, changed: changed) == time)
  }
}
