import Foundation
import Posix
import Testing

@Suite struct FileLockTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/links.hosts" }
  private var lockPath: String { folder.path + "/.links.hosts.lock" }

  init() throws { folder = try TemporaryFolder() }

  @Test func `the lock of a file lies beside it, is private, and is gone afterwards`() throws {
    let result = try withLock(ofFile: path, patience: 0) {
      try #expect(status(lockPath).mode == 0o600)
      return 7
    }
    #expect(result == 7 && !FileManager.default.fileExists(atPath: lockPath))
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try withLock(ofFile: path, patience: 0) { throw Stop() }
    }
    #expect(!FileManager.default.fileExists(atPath: lockPath))
  }

  @Test func `whoever holds the lock is named`() throws {
    try withLock(ofFile: path, patience: 0) {
      let error = try #require(throws: LockHeld.self) {
        try withLock(ofFile: path, patience: 100) {}
      }
      #expect(error.path == lockPath && error.process == Int(getpid()))
    }
    // What a killed process left is no lock.
    try Data("1\n".utf8).write(to: URL(fileURLWithPath: lockPath))
    try withLock(ofFile: path, patience: 0) {}
  }

  @Test func `of many edits at once each happens alone`() throws {
    let (path, count) = (path, path + ".count")
    try Data("0".utf8).write(to: URL(fileURLWithPath: count))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5 {
        try? withLock(ofFile: path, patience: 60_000) {
          let number = Int(String(decoding: try readFile(count, limit: 9), as: UTF8.self)) ?? 0
          try Data("\(number + 1)".utf8).write(to: URL(fileURLWithPath: count))
        }
      }
    }
    try #expect(readFile(count, limit: 9) == Array("40".utf8))
  }
}
