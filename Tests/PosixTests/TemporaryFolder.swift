import Foundation
import Posix

/// A folder of its own for a test, which goes with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "aasa-posix-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  func makeFolder(_ name: String) throws -> String {
    let folder = path + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Makes a symbolic link and returns its path.
  func link(_ name: String, to target: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
    return file
  }

  /// Makes a named pipe and returns its path.
  func makePipe(_ name: String) -> String {
    let file = path + "/" + name
    mkfifo(file, 0o600)
    return file
  }
}
