package import Posix

/// Why a request to the running server failed.
package enum AdminFault: Error {
  case settings([String])
  case unknownAddress(String, help: String)
  case unreachable([(address: SocketAddress, reason: String)])
  /// The changes that the user wants to confirm cannot be confirmed.
  case unconfirmable(String, help: String)
  /// The server answered that it is not ready.
  case notReady
  /// The server's version is too old: its response lacks the field `StatusDocument.stateField`.
  case old(SocketAddress)
  /// The program that answered is not `aasa serve`.
  case unexpected(SocketAddress, String)

  /// The lines to print: the messages, and then the help.
  package var lines: [String] {
    switch self {
    case .settings(let lines): return lines
    case .notReady: return []
    case .old(let address):
      return [
        "error: the server at \(address) runs an older version than this command",
        "help: restart the server with this version",
      ]
    case .unknownAddress(let what, let help), .unconfirmable(let what, let help):
      return ["error: " + what, "help: " + help]
    case .unreachable(let attempts):
      return attempts.map { "error: cannot reach the server at \($0.address): \($0.reason)" } + [
        "help: check that the server runs; a running server prints a line that begins with"
          + " \"admin\": pass the address in this line with --admin (as a service: systemctl status"
          + " aasa; in a container, run aasa inside it: docker exec CONTAINER /aasa status)"
      ]
    case .unexpected(let address, let what):
      return [
        "error: the listener at \(address) is not aasa's admin listener: \(what)",
        "help: pass the right address with --admin; the server prints it in a line that begins"
          + " with \"admin\"",
      ]
    }
  }
}
