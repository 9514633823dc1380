package import Posix

/// Why a file says nothing of an app.
package enum AppFileFault: Error, Equatable {
  /// It cannot be read.
  case system(SystemError)
  /// It is something else, or broken: one lower-case sentence without a full stop.
  case content(String)

  init(_ fault: PropertyListFault) { self = .content(fault.message) }

  /// For people, with the path as they gave it.
  package func line(_ path: String) -> String {
    switch self {
    case .system(let error): "cannot read \(path): \(error.reason)"
    case .content(let message): "\(path): \(message)"
    }
  }
}
