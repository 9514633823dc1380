internal import Posix

/// What looking at one name gave, before anybody judged the content.
enum FileSight: Sendable {
  /// A file that was read whole, or up to one byte more than its limit.
  case present(path: String, FileContent)
  /// The very name is missing, in a folder that can be read.
  case absent
  /// The file may be there, and the system does not let the server read it.
  case unreadable(path: String, SystemError)

  /// Where it was found.
  var path: String? {
    switch self {
    case .present(let path, _), .unreadable(let path, _): path
    case .absent: nil
    }
  }

  var isAbsent: Bool {
    if case .absent = self { return true }
    return false
  }
}
