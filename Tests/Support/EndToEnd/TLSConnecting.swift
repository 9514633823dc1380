import Foundation
import TLSTestSupport

/// A connection over TLS, its handshake done.
func connectedClient(
  port: Int, _ options: TestClient.Options = .init()
) throws -> (client: TestClient, descriptor: Int32) {
  // OpenSSL writes without MSG_NOSIGNAL.
  signal(SIGPIPE, SIG_IGN)
  let descriptor = try RawClient.connectedSocket(port: port)
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  let client = TestClient(options, owning: descriptor)
  let deadline = Deadline(within: .seconds(30))
  while true {
    switch client.handshake() {
    case .done: return (client, descriptor)
    case .failed(let reason): throw Failure("the handshake failed: \(reason)")
    case .waiting:
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, deadline.milliseconds)
      if deadline.isOver { throw Failure("the handshake does not end") }
    }
  }
}

/// The same after an answered request; only the idle connection is left, without the client's side
/// of TLS.
func idleConnection(port: Int) throws -> OpenDescriptor {
  let (client, descriptor) = try connectedClient(port: port)
  _ = client.write(Array(request().utf8))
  let deadline = Deadline(within: .seconds(30))
  var received: [UInt8] = []
  while !String(decoding: received, as: UTF8.self).contains("HTTP/1.1 200 OK") {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, deadline.milliseconds)
    received += client.read().bytes
    if deadline.isOver { throw Failure("no answer over TLS") }
  }
  // Programs that other tests start meanwhile must not keep it open.
  return OpenDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
}

/// Closed when the last reference is released.
final class OpenDescriptor {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Whether the other side has closed it.
  func isClosed(within duration: Duration) -> Bool {
    let deadline = Deadline(within: duration)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, deadline.milliseconds) > 0 {
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN { return true }
      }
      if deadline.isOver { return false }
    }
  }
}

/// Lets this process and its children open this many files. Returns false if the system forbids it.
func raiseDescriptorLimit(to count: Int) -> Bool {
  #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  guard getrlimit(resource, &limit) == 0 else { return false }
  if limit.rlim_cur >= rlim_t(count) { return true }
  limit.rlim_cur = rlim_t(count)
  limit.rlim_max = max(limit.rlim_max, rlim_t(count))
  return setrlimit(resource, &limit) == 0
}
