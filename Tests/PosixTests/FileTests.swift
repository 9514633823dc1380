import Foundation
import Testing

@testable import Posix

@Suite struct FileReadingTests {
  struct LimitCase: CustomTestStringConvertible {
    let size: Int
    let limit: Int
    let read: Int
    let isTruncated: Bool
    var testDescription: String { "\(size) bytes, limit \(limit)" }
  }

  static let limits = [
    // nothing in it
    LimitCase(size: 0, limit: 10, read: 0, isTruncated: false),
    // below the limit
    LimitCase(size: 9, limit: 10, read: 9, isTruncated: false),
    // at the limit
    LimitCase(size: 10, limit: 10, read: 10, isTruncated: false),
    // one past it: one byte more than the limit shows it
    LimitCase(size: 11, limit: 10, read: 11, isTruncated: true),
    // far past it: no more is read
    LimitCase(size: 100_000, limit: 10, read: 11, isTruncated: true),
    // the limit of association files
    LimitCase(size: 131_072, limit: 131_072, read: 131_072, isTruncated: false),
    LimitCase(size: 131_073, limit: 131_072, read: 131_073, isTruncated: true),
    // no byte allowed
    LimitCase(size: 1, limit: 0, read: 1, isTruncated: true),
  ]

  @Test(arguments: limits)
  func `a file is read up to one byte past the limit`(_ row: LimitCase) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", repeatElement(7, count: row.size))
    let content = try readContent(path, limit: row.limit)
    #expect(content.bytes.count == row.read)
    #expect(content.bytes.allSatisfy { $0 == 7 })
    #expect(content.isTruncated == row.isTruncated)
    #expect(content.status.kind == .regular)
    #expect(content.status.size == Int64(row.size))
  }

  @Test func `a file whose size says nothing is read to its end`() throws {
    // Files of procfs say that they are empty.
    let bytes = try readFile("/proc/self/status", limit: 1 << 20)
    #expect(String(decoding: bytes, as: UTF8.self).contains("Name:"))
  }

  /// Files of sysfs say that they have 4096 bytes, and end early, as on a share that lost its server.
  static let early = "/sys/devices/system/cpu/online"

  @Test(.enabled(if: (try? status(early).size) ?? 0 > 100))
  func `a read that ends before the end of the file shows`() throws {
    let content = try readContent(Self.early, limit: 1 << 20)
    #expect(content.isCut && !content.bytes.isEmpty && !content.isTruncated)
    let folder = try TemporaryFolder()
    let path = try folder.write("file", [1, 2, 3])
    for limit in 0...4 { try #expect(!readContent(path, limit: limit).isCut) }
  }

  @Test func `a file for another program takes the place of a link, and not of its target`() throws
  {
    let folder = try TemporaryFolder()
    let target = try folder.write("target", [1])
    let path = parentFolder(target) + "/left"
    #expect(symlink(target, path) == 0)
    try leaveFile("left", in: parentFolder(target), [2])
    #expect(try readFile(path, limit: 3) == [2] && readFile(target, limit: 3) == [1])
    #expect(try linkStatus(path).mode == 0o600)
  }

  @Test(.enabled(if: isSuperuser))
  func `a file that root leaves belongs to the owner of the folder`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFolder("state")
    #expect(chown(path, 1234, 1235) == 0)
    try leaveFile("confirm", in: path, [1])
    var found = stat()
    #expect(stat(path + "/confirm", &found) == 0 && found.st_uid == 1234)
    #expect(found.st_mode & 0o777 == 0o600)
  }

  @Test func `a whole file over the limit is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", [1, 2, 3])
    #expect(try readFile(path, limit: 3) == [1, 2, 3])
    #expect(throws: SystemError("read", path, code: EFBIG)) { try readFile(path, limit: 2) }
  }

  @Test func `anything but a regular file is refused at once`() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.makeFolder("directory")
    let pipe = folder.makePipe("pipe")
    let socket = folder.path + "/socket"
    #expect(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
    let missing = folder.path + "/missing"
    let dangling = try folder.link("dangling", to: "missing")
    let loop = try folder.link("loop", to: "loop")
    let file = try folder.write("file", [1])
    let cases: [(path: String, call: String, code: Int32)] = [
      (directory, "read", EISDIR),
      // a named pipe without a writer: it must not hang
      (pipe, "read", EINVAL),
      (socket, "read", EINVAL),
      (missing, "open", ENOENT),
      (dangling, "open", ENOENT),
      (loop, "open", ELOOP),
      // a file where a folder should be
      (file + "/below", "open", ENOTDIR),
    ]
    for (path, call, code) in cases {
      #expect(throws: SystemError(call, path, code: code)) { try readContent(path, limit: 10) }
    }
  }

  @Test func `links are followed, and their status is that of the end`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", [1, 2])
    let link = try folder.link("link", to: "file")
    #expect(try readFile(link, limit: 10) == [1, 2])
    #expect(try status(link) == status(file))
    #expect(try linkStatus(link).kind == .symbolicLink)
    #expect(readLink(link) == "file")
    #expect(readLink(file) == nil)
    #expect(readLink(folder.path + "/missing") == nil)
  }

  @Test func `a file that is replaced has another status`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", [1, 2])
    let before = try status(file)
    rename(try folder.write("other", [1, 2]), file)
    #expect(try status(file) != before)
  }

  struct TimeCase: CustomTestStringConvertible {
    let seconds: Int
    let expected: Int64
    var testDescription: String { "\(seconds)" }
  }

  static let times = [
    TimeCase(seconds: 0, expected: 0),
    TimeCase(seconds: 1_700_000_000, expected: 1_700_000_000),
    // before 1970
    TimeCase(seconds: -5, expected: -5),
    // the year 2300: its nanoseconds do not fit into 64 bits
    TimeCase(seconds: 10_413_792_000, expected: Int64.max / 1_000_000_000),
  ]

  @Test(arguments: times)
  func `any time that a file can have is taken`(_ row: TimeCase) throws {
    var raw = stat()
    raw.st_mtim = timespec(tv_sec: row.seconds, tv_nsec: 0)
    raw.st_ctim = raw.st_mtim
    #expect(FileStatus(raw).modifiedSeconds == row.expected)
  }

  @Test func `a directory's entries say which of them are directories`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("file", [])
    _ = try folder.write(".hidden", [])
    _ = try folder.makeFolder("directory")
    _ = try folder.link("link", to: "directory")
    _ = try folder.link("dangling", to: "missing")
    _ = folder.makePipe("pipe")
    let entries = try listEntries(folder.path).sorted { $0.name < $1.name }
    let expected: [DirectoryEntry] = [
      DirectoryEntry(name: ".hidden", isDirectory: false),
      DirectoryEntry(name: "dangling", isDirectory: nil),
      DirectoryEntry(name: "directory", isDirectory: true),
      DirectoryEntry(name: "file", isDirectory: false),
      DirectoryEntry(name: "link", isDirectory: nil),
      DirectoryEntry(name: "pipe", isDirectory: false),
    ]
    #expect(entries == expected)
    #expect(try listDirectory(folder.path).sorted() == expected.map(\.name))
  }

  @Test func `anything but a directory has no entries`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", [])
    #expect(throws: SystemError("open", file, code: ENOTDIR)) { try listEntries(file) }
    let missing = folder.path + "/missing"
    #expect(throws: SystemError("open", missing, code: ENOENT)) { try listEntries(missing) }
  }

  @Test func `a directory of many entries is listed whole`() throws {
    let folder = try TemporaryFolder()
    // Of all lengths that the system allows.
    let names = (0..<2_000).map { "name-\($0)-" + String(repeating: "x", count: $0 % 246) }
    for name in names { _ = try folder.write(name, []) }
    #expect(Set(try listDirectory(folder.path)) == Set(names))
  }
}

@Suite struct SystemErrorTests {
  @Test func `an error says which call failed on what and why`() {
    let cases: [(error: SystemError, text: String)] = [
      (SystemError("bind", "[::]:443", code: EACCES), "bind [::]:443: Permission denied"),
      // nothing names it
      (SystemError("epoll_create1", code: EMFILE), "epoll_create1: Too many open files"),
      // a code that does not exist
      (SystemError("open", "x", code: 99_999), "open x: Unknown error 99999"),
    ]
    for (error, text) in cases { #expect(error.description == text) }
  }

  @Test func `the reasons that callers check are distinguished`() {
    func error(_ code: Int32) -> SystemError { SystemError("call", code: code) }
    #expect(error(EACCES).isPermissionDenied && error(EPERM).isPermissionDenied)
    #expect(error(ENOENT).isNotFound && error(ENOTDIR).isNotFound && !error(EACCES).isNotFound)
    #expect(error(EADDRINUSE).isAddressInUse && !error(EADDRINUSE).isNoSuchAddress)
    #expect(error(EADDRNOTAVAIL).isNoSuchAddress && error(EAFNOSUPPORT).isNoSuchAddress)
    #expect(error(EMFILE).isOutOfDescriptors && error(ENFILE).isOutOfDescriptors)
    #expect(error(ELOOP).isLinkLoop && error(ENOSPC).isOutOfSpace)
  }
}
