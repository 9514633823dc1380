import Diagnostics
import Foundation
import Posix
import Settings
import TLS
import Testing

@testable import Issuance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that are written.
@Suite final class StateFolderTests {
  private let folder: StateFolder
  private let authority = Authority(name: "x", url: "https://ca.example:14000/dir")

  init() throws {
    folder = StateFolder(try temporaryFolder())
    try folder.make()
  }

  private func permissions(_ name: String) -> UInt32? { folder.store.status(name)?.mode }

  @Test func `two CAs never share a folder`() {
    let other = Authority(name: "x", url: "https://ca.example:14000/dir2")
    #expect(folder.orders(authority) != folder.orders(other))
    #expect(!authority.folder.contains("/"))
  }

  @Test func `an order under way is read as it was written, with its key`() throws {
    let order = OpenOrder(authority: authority.url, challenge: .tls, begun: 77)
    var record = OrderRecord(host: "example.com", order: order, key: try SigningKey.generate())
    try folder.write(record, authority)
    #expect(folder.records(authority).first?.order.url == nil)
    (record.order.url, record.order.replaces) = ("https://ca.example/order/1", "a.b")
    try folder.write(record, authority)
    let found = try #require(folder.records(authority).first)
    #expect(found.host == "example.com" && found.key.pem() == record.key.pem())
    #expect(found.order.begun == 77 && found.order.url == record.order.url)
    #expect(found.order.authority == authority.url && found.order.challenge == .tls)
    #expect(found.order.replaces == "a.b")
    #expect(permissions(folder.order("example.com", authority)) == 0o600)
    try folder.store.remove(folder.order("example.com", authority))
    #expect(folder.records(authority).isEmpty)
  }

  @Test(arguments: ["2", "1.5", "\"1\"", "null", "10000000000000000000"])
  func `a file of a later version is found, wherever it is, and not read`(version: String) throws {
    let text = #"{"version":\#(version),"serial":"0a","next":5,"authority":"x","begun":1}"# + "\n"
    let paths = [
      folder.accountFile(authority), folder.limitsFile(authority), folder.waiting,
      folder.window("a.example"), folder.order("a.example", authority),
      folder.certificate("a.example"),
    ]
    for path in paths {
      #expect(folder.newerFile([authority]) == nil)
      try folder.write((path.hasSuffix(".pem") ? "# " : "") + text, to: path)
      #expect(folder.newerFile([authority]) == path && folder.read(path) == nil)
      try folder.write("", to: path)
    }
    // What has no version, or is no object, is damage.
    for text in ["{}", "{", "{\"version\":", ""] {
      try folder.write(text, to: folder.waiting)
      #expect(folder.newerFile([authority]) == nil)
    }
  }

  @Test(arguments: ["-1", "253402300800", "9223372036854775807", "1e3", "1.5", "\"7\"", "null"])
  func `a number that cannot be a time is passed over`(number: String) throws {
    let key = try SigningKey.generate()
    let text = #"{"version":1,"authority":"x","begun":\#(number)}"# + "\n"
    let path = folder.order("a.example", authority)
    try folder.store.write(path, Array(text.utf8) + key.pem())
    #expect(folder.records(authority).isEmpty)
  }

  @Test func `what a kill left is removed, unless it may still be written`() throws {
    let folders = [".", folder.renewals, folder.certificates, folder.orders(authority)]
    for path in folders {
      for name in [".aasa-old", ".aasa-new", "kept"] {
        try folder.write("x", to: "\(path)/\(name)")
      }
      var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
      for name in [".aasa-old", "kept"] {
        #expect(utimes(folder.path("\(path)/\(name)"), &times) == 0)
      }
    }
    folder.removeTemporaryFiles()
    for path in folders {
      let left = try listDirectory(folder.path(path)).filter {
        $0.hasPrefix(".aasa-") || $0 == "kept"
      }
      #expect(left.sorted() == [".aasa-new", "kept"])
    }
  }

  @Test func `a revocation is remembered for as long as a certificate can be valid`() throws {
    for leaf in [1, 2] as [UInt8] { try folder.noteRevocation(of: [leaf]) }
    let names = try listDirectory(folder.path(folder.revoked))
    let past = Int(Posix.Clock.wallSeconds()) - 401 * 86_400
    var times = [timeval(tv_sec: past, tv_usec: 0), timeval(tv_sec: past, tv_usec: 0)]
    #expect(names.count == 2 && utimes(folder.path("\(folder.revoked)/\(names[0])"), &times) == 0)
    try folder.noteRevocation(of: [3])
    let left = try listDirectory(folder.path(folder.revoked))
    #expect(left.count == 2 && left.contains(names[1]) && !left.contains(names[0]))
  }

  @Test func `a certificate in the file of another host is not that host's`() throws {
    let (chain, key) = try #require(IssuedChain.served(try selfSigned(names: ["a.example"])))
    let file = IssuedFile(chain, authority: "x", account: "", profile: nil, issued: 5)
    try folder.install(file, chain, key, for: "a.example")
    #expect(folder.issuedFiles() == ["a.example": file])
    try folder.store.rename(folder.certificate("a.example"), to: folder.certificate("b.example"))
    #expect(folder.issuedFile("b.example") == nil)
  }

  @Test func `a file that is half written or of another program is not an order`() throws {
    try folder.write(
      #"{"version":1,"authority":"x","begun":1}"#, to: folder.order("a.example", authority))
    try folder.write("", to: folder.order("b.example", authority))
    #expect(folder.records(authority).isEmpty)
  }

  @Test func `the account's key is made once and only its owner reads it`() throws {
    try #expect(folder.readKey() == nil)
    let key = try SigningKey.generate()
    try folder.write(key, to: folder.accountKey)
    try #expect(folder.readKey()?.pem() == key.pem())
    #expect(permissions(folder.accountKey) == 0o600)
    // Never written over.
    #expect(throws: StoreFault.self) {
      try folder.write(try SigningKey.generate(), to: folder.accountKey)
    }
    try #expect(folder.readKey()?.pem() == key.pem())
  }

  @Test(arguments: ["", "garbage", "-----BEGIN EC PRIVATE KEY-----\nMHc"])
  func `a file that should have the account's key and does not is named, not replaced`(
    text: String
  ) throws {
    try folder.write(text, to: folder.accountKey)
    #expect(throws: KeyFault.self) { try folder.readKey() }
  }

  @Test func `a file that everybody could read is not readable by everybody when it is renewed`()
    throws
  {
    let path = folder.order("example.com", authority)
    try folder.write("old", to: path)
    try #require(chmod(folder.path(path), 0o664) == 0)
    try folder.write("new", to: path)
    // Whom the owner has let read it on purpose still may.
    #expect(permissions(path) == 0o660)
  }

  @Test(arguments: [
    (ENOSPC, "free space on the folder's file system"),
    (EDQUOT, "free space on the folder's file system"),
    (EROFS, "let the server's user write to the folder"),
    (EIO, "let the server's user write to the folder"),
  ])
  func `a fault of the folder names the call and the file, and a full disk has its own cure`(
    code: Int32, help: String
  ) {
    let error = SystemError("write", "/s/x", code: code)
    let diagnostic = Diagnostic.stateUnusable("/s", StoreFault(error))
    #expect(diagnostic.message == "the state folder cannot be used: \(error)")
    #expect(diagnostic.help?.hasPrefix(help) == true)
  }

  @Test(arguments: [
    ("/state", "-v aasa-state:/state"),
    ("Config/state", "-v aasa-state:/var/lib/aasa, and pass --acme-state /var/lib/aasa"),
  ])
  func `the volume that a container lacks is one that its engine takes`(
    folder: String, words: String
  ) {
    #expect(Diagnostic.lostWithContainer(folder).help?.hasSuffix(words) == true)
  }

  @Test func `the journal is read back, broken lines left out, and begun anew when it is long`()
    throws
  {
    let journal = folder.journal
    for index in 0..<3 {
      try journal.write(.ordered, "a\"b.example", at: "x", "é\n", time: Int64(index))
    }
    try appendToFile(folder.path(journal.name), Array("{\"time\":".utf8), mode: 0o600)
    #expect(journal.entries().map(\.time) == [0, 1, 2])
    #expect(journal.entries().first?.host == "a\"b.example")
    let long = String(repeating: "x", count: 60_000)
    for index in 0..<40 {
      try journal.write(.failed, "", at: "", long, time: Int64(index))
    }
    try #expect(status(folder.path(journal.name)).size < 2 * 1_048_576)
    try #expect(status(folder.path(journal.name + ".1")).size > 1_048_576)
    #expect(journal.entries().last?.time == 39)
  }

  @Test func `only one holds the lock, and it goes with its holder`() throws {
    func isTaken() throws -> Bool {
      let lock = try FileLock(folder.path(folder.lock))
      return lock != nil
    }
    do {
      let lock = try FileLock(folder.path(folder.lock))
      let isHeld = lock != nil
      #expect(isHeld)
      try #expect(!isTaken())
      _ = consume lock
    }
    try #expect(isTaken())
  }

  #if os(Linux)
    /// As when another program is being started while the lock is released.
    @Test func `a copy of its descriptor does not keep the lock`() throws {
      var copy: Int32 = -1
      do {
        let lock = try FileLock(folder.path(folder.lock))
        let found = (0..<1024).first { number in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))
            == folder.path(folder.lock)
        }
        copy = dup(Int32(try #require(found)))
        _ = consume lock
      }
      let again = try FileLock(folder.path(folder.lock))
      let isTaken = again != nil
      #expect(isTaken)
      close(copy)
    }
  #endif
}
