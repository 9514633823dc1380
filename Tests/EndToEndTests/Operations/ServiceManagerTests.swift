import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The notifications to systemd, over both kinds of socket (sd_notify(3)).
@Suite("service manager", .manyAtOnce) struct ServiceManagerTests {
  @Test(arguments: [false, true])
  func `the end of loading and the end of the server are notified`(isAbstract: Bool) throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    let name = isAbstract ? "@aasa-\(UUID().uuidString)" : workspace.path("notify")
    let manager = try DatagramSocket(name)
    try withServer(workspace, environment: ["NOTIFY_SOCKET": name]) { _ in
      #expect(manager.receive() == "READY=1")
    }
    #expect(manager.receive() == "STOPPING=1")
  }

  @Test(arguments: [
    "relative", "", "/nonexistent/socket", "/" + String(repeating: "x", count: 200),
  ])
  func `a manager that does not listen does not keep the server from serving`(name: String) throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace, environment: ["NOTIFY_SOCKET": name]) { server in
      try #expect(server.get().status == 200)
    }
  }
}

/// A socket on which whole messages arrive.
private final class DatagramSocket {
  private let descriptor: Int32

  init(_ name: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    guard isBound else { throw Failure("cannot bind \(name): errno \(errno)") }
  }

  deinit { close(descriptor) }

  func receive() -> String? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 45_000) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
