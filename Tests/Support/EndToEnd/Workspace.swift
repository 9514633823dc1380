import Foundation

/// A folder of a test's own, with `domains/` and `certificates/` in it, removed at the end.
final class Workspace: Sendable {
  let root: String
  var domains: String { root + "/domains" }
  var certificates: String { root + "/certificates" }

  init() throws {
    var template = Array((NSTemporaryDirectory() + "/aasa-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil, let path = realpath(template, nil) else {
      throw Failure("no temporary folder: errno \(errno)")
    }
    defer { free(path) }
    root = String(cString: path)
    try makeFolder("domains")
    try makeFolder("certificates")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  func path(_ name: String) -> String { name.hasPrefix("/") ? name : root + "/" + name }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes into the file itself, as `echo … >` does; makes its folders.
  func write(_ name: String, _ content: some Collection<UInt8>) throws {
    let path = path(name)
    try makeFolder((path as NSString).deletingLastPathComponent)
    let file = try OpenFile(path)
    try file.append(content)
  }

  func write(_ name: String, _ content: String) throws { try write(name, content.utf8) }

  /// Writes beside the file and renames over it, as editors and deployment tools do.
  func replace(_ name: String, _ content: String) throws {
    let temporary = ".new-\(UUID().uuidString)"
    let folder = (path(name) as NSString).deletingLastPathComponent
    try write(folder + "/" + temporary, content)
    try move(folder + "/" + temporary, to: name)
  }

  func move(_ name: String, to other: String) throws {
    guard rename(path(name), path(other)) == 0 else {
      throw Failure("cannot rename \(name): errno \(errno)")
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// - Parameter target: as it is written into the link.
  func link(_ name: String, to target: String) throws {
    guard symlink(target, path(name)) == 0 else {
      throw Failure("cannot link \(name): errno \(errno)")
    }
  }

  func setMode(_ name: String, _ mode: mode_t) throws {
    guard chmod(path(name), mode) == 0 else { throw Failure("cannot chmod \(name)") }
  }

  /// Sets the time of the last modification, to the second.
  func setModified(_ name: String, _ seconds: Int) throws {
    let times = [
      timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0),
    ]
    guard utimes(path(name), times) == 0 else { throw Failure("cannot set times of \(name)") }
  }
}

/// A file that is being written, piece by piece.
final class OpenFile {
  private let descriptor: Int32

  /// Creates the file, or empties it.
  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure("cannot write \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  func append(_ content: some Collection<UInt8>) throws {
    let bytes = Array(content)
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw Failure("cannot write: errno \(errno)") }
      offset += count
    }
  }
}

/// A small association file, right by all rules, that differs from those of other marks, all of the
/// same length.
func association(_ mark: Character = "A") -> String {
  let details = #"{"appIDs":["A1B2C3D4E5.com.example.\#(mark)"],"components":[{"/":"/*"}]}"#
  return #"{"applinks":{"details":[\#(details)]}}"#
}

/// A small `assetlinks.json` in which the rules find nothing.
let assetLinksList = #"[{"include":"https://example.com/links.json"}]"#

/// An association file of exactly this many bytes.
func association(ofBytes count: Int) -> String {
  association() + String(repeating: " ", count: count - association().utf8.count)
}
