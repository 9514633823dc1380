import Foundation
import Testing

@testable import Posix

@Suite struct StoreTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = Store(folder.path + "/state/store")
    try store.make("secrets")
  }

  private func mode(_ name: String) -> UInt32? { (try? status(store.path(name)))?.mode }

  @Test func `what is written is private, read again, listed, and removed with its folders`() throws
  {
    try store.write("a/.b/c", [1, 2, 3])
    try store.write("d", [])
    #expect(mode("") == 0o700 && mode("a/.b") == 0o700 && mode("a/.b/c") == 0o600)
    #expect(try store.read("a/.b/c", limit: 3) == [1, 2, 3])
    #expect(throws: StoreFault.self) { try store.read("a/.b/c", limit: 2) }
    #expect(try store.read("none", limit: 2) == nil)
    #expect(store.files(in: "") == ["d"] && store.files(in: "", depth: 2) == ["a/.b/c", "d"])
    try store.remove("a/.b/c")
    try store.remove("none")
    #expect(store.files(in: "", depth: 9) == ["d"] && mode("a") == 0o700 && mode("a/.b") == nil)
  }

  @Test(arguments: [2, 40])
  func `a batch writes all files that it can, with their dates`(count: Int) throws {
    try store.make("f3")
    var batch = StoreBatch(store)
    for index in 0..<count {
      try batch.add("f\(index)", [UInt8(index)], modified: 1_000_000_000 + Int64(index))
    }
    #expect(store.files(in: "").isEmpty)
    let faults = batch.commit()
    // A folder is in the place of one of them.
    #expect(faults.keys.sorted() == (count > 3 ? ["f3"] : []))
    for index in 0..<count where index != 3 {
      #expect(try status(store.path("f\(index)")).modifiedSeconds == 1_000_000_000 + Int64(index))
    }
    #expect(try listDirectory(store.root).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `a batch that is not committed leaves nothing`() throws {
    try store.write("file", [])
    do {
      var batch = StoreBatch(store)
      try batch.add("a", [1])
      #expect(throws: StoreFault.self) { try batch.add("file/b", [1]) }
    }
    #expect(try listDirectory(store.root).sorted() == ["file", "secrets"])
    // Those that a kill left.
    try store.write("secrets/x/.aasa-1", [])
    store.removeTemporaryFiles(in: "secrets", depth: 1)
    #expect(try listDirectory(store.path("secrets/x")).isEmpty)
  }

  @Test func `faults say what is wrong`() throws {
    chmod(store.path("secrets"), 0o750)
    #expect(throws: StoreFault.open(mode: 0o750)) { try store.checkSecrecy(of: "secrets") }
    chmod(store.path("secrets"), 0o700)
    try store.checkSecrecy(of: "secrets")
    let lock = try store.lock("lock")
    #expect(throws: StoreFault.locked) { _ = try store.lock("lock") }
    _ = lock.isAt(store.path("lock"))
    for (code, words) in [
      (ENOSPC, "full"), (EDQUOT, "full"), (EACCES, "denied"), (EROFS, "denied"),
    ] {
      #expect("\(StoreFault(SystemError("open", code: code)))".hasPrefix(words))
    }
  }
}
