import AppFileSupport
import Testing

@testable import AppFiles

@Suite struct ArchiveTests {
  private static let text = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

  @Test(arguments: [true, false]) func `entries come back, packed or not`(isPacked: Bool) throws {
    let archive = try ZIPArchive(
      ByteSource(
        AppFileSamples.archive(
          [("a", Array("first".utf8)), ("folder/b", Self.text), ("empty", [])], isPacked: isPacked))
    )
    #expect(archive.entries.map(\.name) == ["a", "folder/b", "empty"])
    #expect(try archive.content(archive.entries[0], limit: 5) == Array("first".utf8))
    #expect(try archive.content(archive.entries[1], limit: 1_000_000) == Self.text)
    #expect(try archive.content(archive.entries[2], limit: 0) == [])
    let reader = try archive.reader(archive.entries[1])
    #expect(try reader.read(at: 3, count: 4) == Array(Self.text[3..<7]))
    #expect(try reader.read(at: 300_000, count: 9) == Array(Self.text[300_000..<300_009]))
    #expect(throws: AppFileFault.self) { try reader.read(at: 0, count: 1) }
    #expect(throws: AppFileFault.self) { try reader.read(at: 499_999, count: 2) }
  }

  // A search of all entries for each name would take minutes.
  @Test(.timeLimit(.minutes(1)))
  func `each of 60,000 entries is found, and the first of two`() throws {
    let names = (0..<60_000).map { "Payload/shop.app/\($0)" }
    let files = names.map { ($0, [] as [UInt8]) } + [(names[0], [1])]
    let archive = try ZIPArchive(ByteSource(AppFileSamples.archive(files, isPacked: false)))
    #expect(names.allSatisfy { archive.entry($0)?.name == $0 })
    #expect(archive.entry(names[0])?.size == 0)
    #expect(archive.entry("Payload") == nil)
  }

  @Test func `sizes have an end`() throws {
    let zeros = [UInt8](repeating: 0, count: 1_000_000)
    var bytes = AppFileSamples.archive([("zeros", zeros)])
    #expect(bytes.count < 2_000)
    let archive = try ZIPArchive(ByteSource(bytes))
    #expect(
      throws: AppFileFault.content(
        "zeros has 1000000 bytes; the limit is 999999")
    ) { try archive.content(archive.entries[0], limit: 999_999) }
    // A size that is a lie.
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
    bytes.replaceSubrange(
      (directory.lowerBound + 24)..<(directory.lowerBound + 28), with: [9, 0, 0, 0])
    let lying = try ZIPArchive(ByteSource(bytes))
    #expect(try lying.content(lying.entries[0], limit: 9).count == 9)
  }

  @Test(arguments: [true, false])
  func `all that is unpacked from one archive counts together`(isPacked: Bool) throws {
    let files = (0..<3).map { ("\($0)", [UInt8](repeating: 7, count: 1_000)) }
    let bytes = AppFileSamples.archive(files, isPacked: isPacked)
    func read(_ most: Int) throws {
      let archive = try ZIPArchive(ByteSource(bytes), unpacking: most)
      for entry in archive.entries { _ = try archive.content(entry, limit: 1_000) }
    }
    try read(3_000)
    #expect(throws: AppFileFault.content("the unpacked content of the archive is too large")) {
      try read(2_999)
    }
  }

  @Test func `a remark at the end, and a field before the content, are passed over`() throws {
    var bytes = AppFileSamples.archive([("a", Array("text".utf8))], isPacked: false)
    bytes.replaceSubrange((bytes.count - 2)..., with: [4, 0] + Array("note".utf8))
    // 4 bytes after the name; so the directory begins 4 bytes later.
    bytes[28] = 4
    bytes.insert(contentsOf: [1, 0, 0, 0], at: 31)
    bytes[bytes.count - 10] += 4
    let archive = try ZIPArchive(ByteSource(bytes))
    #expect(try archive.content(archive.entries[0], limit: 9) == Array("text".utf8))
  }

  @Test func `an entry that is encrypted is named`() throws {
    var bytes = AppFileSamples.archive([("a", [1])])
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
    bytes[directory.lowerBound + 8] |= 1
    let archive = try ZIPArchive(ByteSource(bytes))
    #expect(throws: AppFileFault.content("a is encrypted")) {
      try archive.content(archive.entries[0], limit: 9)
    }
  }

  @Test func `an archive that is cut, or changed in one byte, is refused or read`() throws {
    let bytes = AppFileSamples.archive([("Payload/a.app/b", Array("text".utf8)), ("c", [1, 2, 3])])
    func read(_ bytes: [UInt8]) {
      guard let archive = try? ZIPArchive(ByteSource(bytes)) else { return }
      for entry in archive.entries { _ = try? archive.content(entry, limit: 1_000) }
    }
    for end in 0..<bytes.count {
      #expect(throws: AppFileFault.self) { try ZIPArchive(ByteSource(Array(bytes[..<end]))) }
    }
    for place in bytes.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        read(changed)
      }
    }
  }
}
