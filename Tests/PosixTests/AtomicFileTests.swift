import Foundation
import Posix
import Testing

@Suite struct AtomicFileTests {
  private let old = Array("old".utf8)
  private let new = Array("new and longer".utf8)

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func `a file is made and replaced, and nothing else is left`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    // Empty, and more than a pipe or a page takes at once.
    for bytes in [new, old, [], [UInt8](repeating: 7, count: 3_000_000)] {
      try writeFileAtomically(path, bytes)
      #expect(try readFile(path, limit: 4_000_000) == bytes)
    }
    #expect(try names(folder.path) == ["a"])
    // The longest name there is.
    let long = String(repeating: "n", count: 255)
    try writeFileAtomically(folder.path + "/" + long, new)
    #expect(try names(folder.path) == ["a", long])
  }

  @Test func `permissions stay, and new files get those asked for`() throws {
    let folder = try TemporaryFolder()
    for mode: UInt32 in [0o600, 0o640, 0o444] {
      let path = try folder.write("old-\(mode)", old)
      chmod(path, mode_t(mode | 0o200))
      try writeFileAtomically(path, new, mode: 0o666)
      #expect(try status(path).mode == mode | 0o200)
      try writeFileAtomically(folder.path + "/new-\(mode)", new, mode: mode)
      // No mask of any process takes these away.
      #expect(try status(folder.path + "/new-\(mode)").mode & 0o700 == mode & 0o700)
    }
  }

  @Test func `a link stays, and its target is replaced`() throws {
    let folder = try TemporaryFolder()
    let inner = try folder.makeFolder("inner")
    let target = try folder.write("inner/target", old)
    let absolute = try folder.link("absolute", to: target)
    let relative = try folder.link("relative", to: "inner/target")
    let chain = try folder.link("chain", to: "relative")
    for path in [absolute, relative, chain] {
      let bytes = Array(path.utf8)
      try writeFileAtomically(path, bytes)
      #expect(try linkStatus(path).kind == .symbolicLink)
      #expect(try readFile(target, limit: 1000) == bytes)
    }
    // One that leads nowhere yet.
    let dangling = try folder.link("dangling", to: "inner/made")
    try writeFileAtomically(dangling, new)
    #expect(try readFile(inner + "/made", limit: 1000) == new)
    #expect(try names(inner) == ["made", "target"])
    let loop = try folder.link("loop", to: "loop")
    #expect(throws: SystemError.self) { try writeFileAtomically(loop, new) }
  }

  @Test func `anything but a file is written to directly, and a folder is refused`() throws {
    let folder = try TemporaryFolder()
    try writeFileAtomically("/dev/null", new)
    #expect(try status("/dev/null").kind == .other)
    #expect(throws: SystemError("open", folder.path, code: EISDIR)) {
      try writeFileAtomically(folder.path, new)
    }
  }

  @Test func `an existing file is not replaced when that is not wanted`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", old)
    let dangling = try folder.link("dangling", to: "b")
    for path in [path, dangling] {
      #expect(throws: SystemError.self) { try writeFileAtomically(path, new, replacing: false) }
    }
    #expect(try readFile(path, limit: 1000) == old)
    try writeFileAtomically(folder.path + "/c", new, replacing: false)
    #expect(try names(folder.path) == ["a", "c", "dangling"])
  }

  @Test func `a failure leaves the old file and nothing beside it`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", old)
    let rows: [String] = [
      folder.path + "/absent/a", path + "/a",
      folder.path + "/" + String(repeating: "n", count: 256),
      "", folder.path + "/absent/",
    ]
    for row in rows {
      #expect(throws: SystemError.self) { try writeFileAtomically(row, new) }
    }
    #expect(try readFile(path, limit: 1000) == old)
    #expect(try names(folder.path) == ["a"])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a folder or file that may not be written stays as it is`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", old)
    chmod(path, 0o400)
    #expect(throws: SystemError("open", path, code: EACCES)) {
      try writeFileAtomically(path, new)
    }
    chmod(path, 0o600)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: SystemError("open", path, code: EACCES)) {
      try writeFileAtomically(path, new)
    }
    #expect(try readFile(path, limit: 1000) == old)
    #expect(try names(folder.path) == ["a"])
  }

  @Test func `a reader sees the old content or the new, never a part`() throws {
    let folder = try TemporaryFolder()
    let contents = [
      [UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 50_000),
    ]
    let path = try folder.write("a", contents[0])
    let writer = Foundation.Thread {
      for index in 0..<50 { try? writeFileAtomically(path, contents[index % 2]) }
      try? writeFileAtomically(path, [3])
    }
    writer.start()
    while true {
      let seen = try readFile(path, limit: 200_000)
      if seen == [3] { break }
      #expect(contents.contains(seen))
    }
  }
}
