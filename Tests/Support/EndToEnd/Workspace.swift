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

  /// The same, with files in `domains/`, by their names without `.json`.
  convenience init(serving files: [String: String]) throws {
    try self.init()
    for (name, file) in files { try write("domains/\(name).json", file) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  func path(_ name: String) -> String { name.hasPrefix("/") ? name : root + "/" + name }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes beside the file and renames over it, as editors and deployment tools do; makes its
  /// folders.
  ///
  /// So a server sees the old file or the new one, however late this process gets its next turn.
  ///
  /// - Parameter mode: that of the file that it replaces, unless it is given.
  func write(_ name: String, _ content: some Collection<UInt8>, mode: mode_t? = nil) throws {
    let folder = (path(name) as NSString).deletingLastPathComponent
    let temporary = folder + "/.new-\(UUID().uuidString)"
    try overwrite(temporary, content)
    var old = stat()
    if let mode = mode ?? (stat(path(name), &old) == 0 ? old.st_mode & 0o7777 : nil) {
      try setMode(temporary, mode)
    }
    try move(temporary, to: name)
  }

  func write(_ name: String, _ content: String, mode: mode_t? = nil) throws {
    try write(name, content.utf8, mode: mode)
  }

  /// Writes into the file itself, as `echo … >` does; makes its folders.
  ///
  /// On a busy machine a server may find the file empty and report it.
  func overwrite(_ name: String, _ content: some Collection<UInt8>) throws {
    let path = path(name)
    try makeFolder((path as NSString).deletingLastPathComponent)
    let file = try OpenFile(path)
    try file.append(content)
  }

  func overwrite(_ name: String, _ content: String) throws { try overwrite(name, content.utf8) }

  func move(_ name: String, to other: String) throws {
    guard rename(path(name), path(other)) == 0 else {
      throw Failure("cannot rename \(name): errno \(errno)")
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// Removes a folder into which a program may write meanwhile: under another name, because a file
  /// that comes after the folder was listed would keep it there.
  func removeAtOnce(_ folder: String) throws {
    let other = ".removed-\(UUID().uuidString)"
    try move(folder, to: other)
    try? remove(other)
  }

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

  /// Opens a file as it is.
  init(existing path: String) throws {
    descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("cannot open \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sets the time of the last modification, as `touch` does.
  func touch() throws {
    guard futimens(descriptor, nil) == 0 else { throw Failure("cannot touch: errno \(errno)") }
  }

  /// Writes other content into the file.
  func replace(_ content: String) throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Failure("cannot truncate: errno \(errno)")
    }
    try append(content.utf8)
  }

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
