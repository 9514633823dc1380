package import Posix

/// The reason why an app's file could not be used.
package enum AppFileFault: Error, Equatable {
  /// The file cannot be read.
  case system(SystemError)
  /// The content is of another kind or broken: one lower-case sentence without a full stop.
  case content(String)

  /// The message, with the path as the user gave it.
  package func line(_ path: String) -> String {
    switch self {
    case .system(let error): "cannot read \(path): \(error.reason)"
    case .content(let message): "\(path): \(message)"
    }
  }
}
