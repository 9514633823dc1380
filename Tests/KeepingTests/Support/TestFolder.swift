import Foundation

/// A folder of its own for a test, which goes with the last reference to it.
///
/// It writes with plain system calls: Foundation would write beside the file and rename.
final class TestFolder: Sendable {
  let path: String

  /// - Parameter names: Folders to make in it.
  init(_ names: String...) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "aasa-keeping-" + UUID().uuidString)
    let made: ()? = try? FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true)
    precondition(made != nil, "\(url.path) cannot be made")
    // Without links on the way, so that paths can be compared.
    path = url.resolvingSymlinksInPath().path
    for name in names { makeFolder(name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and the folders on the way to it.
  func write(_ name: String, _ text: String) { write(name, bytes: Array(text.utf8)) }

  func write(_ name: String, bytes: [UInt8]) {
    if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
    let descriptor = open(self(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    precondition(descriptor >= 0, "\(name): \(errno)")
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }

  func makeFolder(_ name: String) {
    try? FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
  }

  /// Makes a symbolic link, in the place of one that is there.
  func link(_ name: String, to target: String) {
    let beside = self(name) + ".new-link"
    symlink(target, beside)
    Glibc.rename(beside, self(name))
  }

  func makePipe(_ name: String) { mkfifo(self(name), 0o600) }

  func makeSocket(_ name: String) { mknod(self(name), S_IFSOCK | 0o600, 0) }

  func rename(_ name: String, to other: String) { Glibc.rename(self(name), self(other)) }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: self(name)) }

  /// Sets the time at which a file was last changed, in seconds since 1970.
  func touch(_ name: String, _ seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, self(name), [time, time], 0)
  }
}
