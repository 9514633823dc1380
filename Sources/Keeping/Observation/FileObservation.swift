internal import Posix

/// One observation of a name, before its content is judged.
enum FileObservation: Sendable {
  /// A file that was read whole, or up to one byte more than its limit.
  case present(path: String, FileContent)
  /// The name is missing from a folder that can be read.
  case absent
  /// The file may exist, but the system does not let the server read it.
  case unreadable(path: String, SystemError)

  /// The path where the file was found.
  var path: String? {
    switch self {
    case .present(let path, _), .unreadable(let path, _): path
    case .absent: nil
    }
  }
}
