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
    #expect(mode("a/.b") == 0o700)
    try store.remove("a/.b/c", pruning: true)
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
    try store.write("secrets/x/y/.aasa-2", [])
    store.removeTemporaryFiles(in: "secrets", depth: 1, olderThan: 60)
    #expect(try listDirectory(store.path("secrets/x")).sorted() == [".aasa-1", "y"])
    store.removeTemporaryFiles(in: "secrets", depth: 1)
    #expect(try listDirectory(store.path("secrets/x")) == ["y"])
    #expect(try listDirectory(store.path("secrets/x/y")) == [".aasa-2"])
  }

  @Test func `faults say what is wrong`() throws {
    chmod(store.path("secrets"), 0o750)
    #expect(throws: StoreFault.open(mode: 0o750)) { try store.checkSecrecy(of: "secrets") }
    chmod(store.path("secrets"), 0o700)
    try store.checkSecrecy(of: "secrets")
    let lock = try store.lock("lock")
    #expect(throws: StoreFault.locked) { _ = try store.lock("lock") }
    _ = lock.isAt(store.path("lock"))
    for (code, make) in [
      (ENOSPC, StoreFault.full), (EDQUOT, StoreFault.full), (EACCES, StoreFault.denied),
      (EROFS, StoreFault.denied), (EIO, StoreFault.failed),
    ] {
      let error = SystemError("open", "x", code: code)
      #expect(StoreFault(error) == make(error) && "\(make(error))" == "\(error)")
    }
    #expect("\(StoreFault.locked)" == "another process uses the folder")
  }

  @Test func `cleansed bytes are zero`() {
    var bytes: [UInt8] = [1, 2, 3]
    cleanse(&bytes)
    #expect(bytes == [0, 0, 0])
    var none: [UInt8] = []
    cleanse(&none)
  }

  @Test func `the names in a folder are read after each change`() throws {
    var known: Int64?
    #expect(store.names(in: "secrets", changedSince: &known) == [])
    try store.write("secrets/a", [])
    try store.write("secrets/.aasa-1", [])
    #expect(store.names(in: "secrets", changedSince: &known) == ["a"])
    try store.remove("secrets/a")
    #expect(store.names(in: "secrets", changedSince: &known) == [])
    // After seconds without a change, its time is conclusive.
    #expect(known == nil && Store("/").names(in: "usr", changedSince: &known) != nil)
    #expect(known != nil && Store("/").names(in: "usr", changedSince: &known) == nil)
    var missing: Int64?
    #expect(store.names(in: "none", changedSince: &missing) == nil)
    #expect(throws: StoreFault.self) { try store.names(in: "none") }
  }

  @Test func `a file is not replaced where that is forbidden, and keeps its permissions elsewhere`()
    throws
  {
    try store.write("a/b", [1], replacing: false)
    #expect(throws: StoreFault.self) { try store.write("a/b", [2], replacing: false) }
    #expect(try store.read("a/b", limit: 9) == [1])
    chmod(store.path("a/b"), 0o664)
    try store.write("a/b", [3])
    // Whom the owner has let read it on purpose still may.
    #expect(try store.read("a/b", limit: 9) == [3] && mode("a/b") == 0o660)
  }

  @Test func `a secret is written and read as any other file`() throws {
    try store.writeSecret("secrets/key", capacity: 3) { $0 += [1, 2, 3] }
    #expect(mode("secrets/key") == 0o600)
    let found = try store.readSecret("secrets/key", limit: 3) { $0 + [4] }
    #expect(found == [1, 2, 3, 4])
    let none = try store.readSecret("none", limit: 3) { $0 }
    #expect(none == nil)
    #expect(throws: StoreFault.self) { try store.readSecret("secrets/key", limit: 2) { $0 } }
    #expect(throws: StoreFault.self) {
      try store.writeSecret("secrets/key", capacity: 1, replacing: false) { $0 += [5] }
    }
  }

  @Test func `a file that is appended to begins anew when it is longer than its limit`() throws {
    for byte in 1...4 as ClosedRange<UInt8> { try store.append("log", [byte, byte], limit: 4) }
    #expect(try store.read("log.1", limit: 9) == [1, 1, 2, 2, 3, 3])
    #expect(try store.read("log", limit: 9) == [4, 4] && mode("log") == 0o600)
  }
}
