import Testing

@testable import Posix

/// The mark of the process that does a work, for locks that do not reach other machines.
@Suite struct HolderMarkTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/holder" }

  init() throws { folder = try TemporaryFolder() }

  /// What a process elsewhere writes.
  private func write(_ time: Int) throws {
    try writeFileAtomically(path, Array("elsewhere 7 1234 \(time)\n".utf8))
  }

  @Test func `the holder writes its mark every 30 s, and removes it at its end`() throws {
    var mark = HolderMark("holder", in: Store(folder.path))
    try #expect(mark.hold(now: 0) == nil)
    let first = try status(path).inode
    try #expect(mark.hold(now: 29_000) == nil && status(path).inode == first)
    try #expect(mark.hold(now: 30_000) == nil && status(path).inode != first)
    mark.release()
    #expect((try? status(path)) == nil)
    // Another one's mark stays.
    try write(1)
    mark.release()
    try #expect(status(path).kind == .regular)
  }

  @Test func `another machine's mark holds while it changes, and 75 s longer`() throws {
    var mark = HolderMark("holder", in: Store(folder.path))
    try write(1)
    try #expect(mark.hold(now: 0) == "elsewhere (process 7)")
    try #expect(mark.hold(now: 70_000) == "elsewhere (process 7)")
    try write(2)
    try #expect(mark.hold(now: 80_000) == "elsewhere (process 7)")
    try #expect(mark.hold(now: 154_000) == "elsewhere (process 7)")
    try #expect(mark.hold(now: 155_000) == nil)
    // It is ours now, until somebody else writes there.
    try #expect(mark.hold(now: 156_000) == nil)
    try write(3)
    try #expect(mark.hold(now: 157_000) == "elsewhere (process 7)")
  }

  @Test
  func `the mark of a process that has ended holds nobody up, and neither does a damaged one`()
    throws
  {
    var ended = HolderMark("holder", in: Store(folder.path))
    try #expect(ended.hold(now: 0) == nil)
    let own = String(decoding: try readFile(path, limit: 100), as: UTF8.self)
      .split(separator: " ")
    // No process has this number.
    for text in ["\(own[0]) 4194305 1 1\n", "", "x", "\(own[0]) y 1 1"] {
      try writeFileAtomically(path, Array(text.utf8))
      var mark = HolderMark("holder", in: Store(folder.path))
      try #expect(mark.hold(now: 0) == nil, "\(text)")
    }
    // A file that is too long to be read as a mark counts as created by another process.
    try writeFileAtomically(path, [UInt8](repeating: 0x20, count: 1_025))
    var late = HolderMark("holder", in: Store(folder.path))
    try #expect(late.hold(now: 0) == "another process")
    // Another process lives; and so does one with our number, once we have had the mark.
    try writeFileAtomically(path, Array("\(own[0]) 1 1 1\n".utf8))
    var mark = HolderMark("holder", in: Store(folder.path))
    try #expect(mark.hold(now: 0) == "\(own[0]) (process 1)")
    try writeFileAtomically(path, Array("\(own[0]) \(own[1]) 1 1\n".utf8))
    try #expect(ended.hold(now: 0) == "\(own[0]) (process \(own[1]))")
  }
}
