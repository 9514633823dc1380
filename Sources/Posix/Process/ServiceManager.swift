internal import LibC

/// Notifies the service manager that started this process (sd_notify(3)). Sends a datagram to the
/// socket in the environment variable NOTIFY_SOCKET. Does nothing if the variable is not set.
package enum ServiceManager {
  package enum State: String, Sendable {
    /// Everything is loaded, and connections are accepted.
    case ready = "READY=1"
    /// No more connections are accepted.
    case stopping = "STOPPING=1"
  }

  /// If the manager does not receive the datagram, the server continues.
  ///
  /// - Parameter socket: A path, or `@` followed by a name in the abstract namespace (unix(7)).
  package static func notify(_ state: State, socket path: String?) {
    guard let path, let first = path.utf8.first else { return }
    guard first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    if first == UInt8(ascii: "@") { name[0] = 0 }
    // In the address, a path ends with a NUL byte, which must fit into the field too.
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    #if os(Linux)
      let number = LibC.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let number = LibC.socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard number >= 0 else { return }
    let descriptor = FileDescriptor(owning: number)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let message = Array(state.rawValue.utf8)
    _ = unsafe withUnsafeBytes(of: &address) { address in
      unsafe sendto(
        descriptor.rawValue, message, message.count, 0,
        address.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
