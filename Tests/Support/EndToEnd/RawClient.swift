import Foundation
import Synchronization

/// A TCP connection that sends exactly the given bytes and has a deadline for everything.
final class RawClient {
  private let descriptor: Int32
  private let allowance: Duration
  /// Received and not yet read as a response.
  private var pending: [UInt8] = []

  /// How a connection ended.
  enum End: Equatable { case closed, reset, stillOpen }

  init(port: Int, within allowance: Duration = patience) throws {
    self.allowance = allowance
    descriptor = try Self.connectedSocket(port: port)
  }

  /// A connection whose owner the caller becomes.
  static func connectedSocket(port: Int) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      let code = errno
      close(descriptor)
      throw Failure("cannot connect to \(port): errno \(code)")
    }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
    return descriptor
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure("cannot send: errno \(errno)") }
      offset += count
    }
  }

  /// Tells the server that nothing more will come.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The connection ends with a reset: sent bytes may be lost.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// A port without a listener, which no other call returns and which the kernel chooses for nobody:
  /// it is below the range of ports that are chosen by themselves.
  static func freePort() throws -> Int {
    for _ in ports {
      let port = nextPort.wrappingAdd(1, ordering: .relaxed).oldValue % ports.count
      if reserve(ports.lowerBound + port) { return ports.lowerBound + port }
    }
    throw Failure("no free port")
  }

  private static let ports = 16_000..<31_000
  private static let nextPort = Atomic(Int(getpid()) * 101)

  /// Binds a socket to the port, which stays open as long as this process: until the server that the
  /// port is for listens, neither another process of tests nor the kernel can take it. Linux lets a
  /// listener with SO_REUSEADDR, as servers set it, share a port with a socket that does not listen.
  private static func reserve(_ port: Int) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { return false }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    #if os(Linux)
      // Set after the bind, which fails so if anybody has the port.
      var yes: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      if !isBound { close(number) }
    #else
      close(number)
    #endif
    return isBound
  }

  /// Makes the kernel accept only a little of the server's bytes; call it before receiving.
  func shrinkReceiveBuffer() {
    var size: Int32 = 65_536
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(4))
  }

  /// Takes one byte from the kernel, if there is one, and forgets it.
  func takeByte() {
    var byte: UInt8 = 0
    recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
  }

  /// Reads one response, and not a byte more: the rest stays for the next call.
  ///
  /// - Parameter method: of the request that it answers.
  func receive(to method: String = "GET") throws -> Response {
    let deadline = Deadline(within: allowance)
    while true {
      if var (response, length) = try Response.head(in: pending) {
        let count = try response.bodyLength(method: method)
        if pending.count >= length + count {
          response.body = Array(pending[length..<(length + count)])
          length += count
          pending.removeFirst(length)
          return response
        }
      }
      let end = try receiveMore(deadline)
      guard end == .stillOpen, !deadline.isOver else {
        throw Failure(
          "no whole response (\(end)), only: \(String(decoding: pending, as: UTF8.self))")
      }
    }
  }

  /// Reads until the server closes. Returns the bytes, and how the connection ended.
  func receiveAll(within duration: Duration? = nil) throws -> (bytes: [UInt8], end: End) {
    let deadline = Deadline(within: duration ?? allowance)
    while true {
      let end = try receiveMore(deadline)
      if end != .stillOpen || deadline.isOver {
        defer { pending = [] }
        return (pending, end)
      }
    }
  }

  /// Reads whatever comes first; empty when nothing does before the end.
  func receiveSome() throws -> [UInt8] {
    let deadline = Deadline(within: allowance)
    while pending.isEmpty, !deadline.isOver {
      if try receiveMore(deadline) != .stillOpen { break }
    }
    defer { pending = [] }
    return pending
  }

  /// Puts bytes back, to be read first.
  func unread(_ bytes: [UInt8]) { pending = bytes + pending }

  /// Whether nothing comes and the connection stays open for this long.
  func isQuiet(for duration: Duration) throws -> Bool {
    let deadline = Deadline(within: duration)
    while !deadline.isOver {
      if try receiveMore(deadline) != .stillOpen || !pending.isEmpty { return false }
    }
    return true
  }

  private func receiveMore(_ deadline: Deadline) throws -> End {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, deadline.milliseconds) > 0 else { return .stillOpen }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 {
      pending += buffer[..<count]
      return .stillOpen
    }
    if count == 0 { return .closed }
    if errno == EINTR { return .stillOpen }
    return .reset
  }
}

/// The two paths at which an association file is served.
let associationPaths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

/// A request in the usual form.
func request(
  _ method: String = "GET", _ path: String = "/.well-known/apple-app-site-association",
  host: String? = "example.com", version: String = "HTTP/1.1", fields: [String] = []
) -> String {
  let lines = ["\(method) \(path) \(version)"] + (host.map { ["Host: \($0)"] } ?? []) + fields
  return lines.joined(separator: "\r\n") + "\r\n\r\n"
}

/// A request of exactly this many bytes.
func request(ofBytes count: Int) -> String {
  let rest = count - request(fields: ["X: "]).utf8.count
  return request(fields: ["X: " + String(repeating: "x", count: rest)])
}
