package import Posix

/// The reason why an app's file could not be used.
package enum AppFileFault: Error, Equatable {
  /// It cannot be read.
  case system(SystemError)
  /// It is something else, or broken: one lower-case sentence without a full stop.
  case content(String)

  init(_ fault: PropertyListFault) { self = .content(fault.message) }

  /// The message, with the path as it was given.
  package func line(_ path: String) -> String {
    switch self {
    case .system(let error): "cannot read \(path): \(error.reason)"
    case .content(let message): "\(path): \(message)"
    }
  }
}
