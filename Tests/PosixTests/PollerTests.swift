import Foundation
import Posix
import Synchronization
import Testing

@Suite struct PollerTests {
  @Test func `an event comes with the token of its descriptor`() throws {
    let pair = try SocketPair()
    var poller = try Poller()
    try poller.add(pair.right, token: 0xFFFF_FFFF_0000_0007, interest: .read)
    #expect(ready(&poller, 0) == [])

    #expect(send(pair.left, [1]) == .moved(1))
    #expect(ready(&poller, 10_000) == [0xFFFF_FFFF_0000_0007])
    // Level-triggered: it is reported again until it is read.
    #expect(ready(&poller, 0) == [0xFFFF_FFFF_0000_0007])
    _ = drain(pair.right)
    #expect(ready(&poller, 0) == [])
  }

  @Test func `interest and token can be changed, and watching ends`() throws {
    let pair = try SocketPair()
    var poller = try Poller()
    try poller.add(pair.right, token: 1, interest: .read)
    try poller.modify(pair.right, token: 2, interest: .write)
    #expect(ready(&poller, 0) == [2])
    poller.remove(pair.right)
    #expect(ready(&poller, 0) == [])
    withExtendedLifetime(pair) {}
  }

  @Test func `the end of the peer is reported for any interest`() throws {
    for interest in [Interest.read, .write] {
      let pair = try SocketPair()
      var poller = try Poller()
      try poller.add(pair.right, token: 1, interest: interest)
      close(pair.left.release())
      #expect(ready(&poller, 10_000) == [1])
    }
  }

  @Test func `closing a descriptor ends its watching`() throws {
    let pair = try SocketPair()
    var poller = try Poller()
    try poller.add(pair.right, token: 1, interest: .write)
    close(pair.right.release())
    #expect(ready(&poller, 0) == [])
    withExtendedLifetime(pair.left) {}
  }

  @Test func `one wait returns no more events than its capacity`() throws {
    var poller = try Poller(capacity: 1)
    let first = try Wakeup()
    let second = try Wakeup()
    try poller.add(first.descriptor, token: 1, interest: .read)
    try poller.add(second.descriptor, token: 2, interest: .read)
    first.signal()
    second.signal()
    var seen: Set<UInt64> = []
    for _ in 0..<4 {
      let tokens = ready(&poller, 0)
      #expect(tokens.count == 1)
      seen.formUnion(tokens)
    }
    #expect(seen == [1, 2])
  }

  @Test func `one acknowledgement answers all signals`() throws {
    var poller = try Poller()
    let wakeup = try Wakeup()
    try poller.add(wakeup.descriptor, token: 1, interest: .read)
    for _ in 0..<1_000 { wakeup.signal() }
    #expect(ready(&poller, 0) == [1])
    wakeup.acknowledge()
    #expect(ready(&poller, 0) == [])
    // Without a signal it does not wait.
    wakeup.acknowledge()
    wakeup.signal()
    #expect(ready(&poller, 0) == [1])
  }

  @Test func `a signal from another thread ends the waiting`() throws {
    let shared = try Wakeup()
    var poller = try Poller()
    try poller.add(shared.descriptor, token: 5, interest: .read)
    let thread = try Posix.Thread(named: "signaller") { shared.signal() }
    #expect(ready(&poller, 10_000) == [5])
    thread.join()
  }

  private func ready(_ poller: inout Poller, _ milliseconds: Int32) -> [UInt64] {
    var tokens: [UInt64] = []
    for index in 0..<poller.wait(milliseconds: milliseconds) {
      tokens.append(poller.token(at: index))
    }
    return tokens
  }
}

private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

@Suite struct ThreadTests {
  @Test func `joining waits for the end of the body`() throws {
    let counter = Counter()
    let threads = try (0..<8).map { index in
      try Posix.Thread(named: "worker-\(index)-with-a-long-name") {
        for _ in 0..<1_000 { counter.value.add(1, ordering: .relaxed) }
      }
    }
    for thread in threads { thread.join() }
    #expect(counter.value.load(ordering: .relaxed) == 8_000)
    // A second time at once.
    for thread in threads { thread.join() }
  }

  @Test func `a thread that nobody joins runs nevertheless`() throws {
    let counter = Counter()
    _ = try Posix.Thread(named: "") { counter.value.add(1, ordering: .releasing) }
    #expect(eventually { counter.value.load(ordering: .acquiring) == 1 })
  }
}

@Suite struct ProcessTests {
  @Test func `there is at least one processor, and no more than the machine has`() {
    let count = availableProcessors()
    #expect(count >= 1)
    #expect(count <= max(1, sysconf(Int32(_SC_NPROCESSORS_CONF))))
  }

  @Test func `the monotonic clock does not go back, and the wall clock is this century's`() {
    let first = Posix.Clock.monotonicMilliseconds()
    #expect(Posix.Clock.monotonicMilliseconds() >= first)
    #expect(Posix.Clock.wallSeconds() > 1_700_000_000)
  }

  @Test func `the limit of descriptors is the system's after raising it`() {
    let limit = raiseDescriptorLimit()
    #expect(limit >= 64)
    #expect(raiseDescriptorLimit() == limit)
  }

  @Test func `the environment is read`() {
    #expect(environmentVariables()["PATH"] == ProcessInfo.processInfo.environment["PATH"])
  }
}

@Suite(.enabled(if: DirectoryWatcher.isAvailable)) struct DirectoryWatcherTests {
  @Test func `changes are reported by name and kind`() throws {
    let folder = try TemporaryFolder()
    let watcher = try DirectoryWatcher()
    let number = try watcher.watch(folder.path)
    #expect(try watcher.watch(folder.path) == number)
    let path = folder.path
    // The change, its name, and the reported kinds.
    typealias Change = DirectoryWatcher.Event.Change
    let rows: [(change: () -> Void, name: String, reported: [Change])] = [
      // a file is made, written and closed
      ({ writeFile(path + "/a", [1], closes: true) }, "a", [.created, .writing, .written]),
      // the same with a writer that continues
      ({ writeFile(path + "/b", [1], closes: false) }, "b", [.created, .writing]),
      ({ rename(path + "/a", path + "/c") }, "c", [.movedIn]),
      ({ rename(path + "/c", path + "/d") }, "c", [.removed]),
      ({ chmod(path + "/d", 0o600) }, "d", [.attributes]),
      ({ mkdir(path + "/e", 0o700) }, "e", [.created]),
      ({ symlink("e", path + "/f") }, "f", [.created]),
      ({ unlink(path + "/f") }, "f", [.removed]),
      ({ link(path + "/d", path + "/g") }, "g", [.created]),
    ]
    for (change, name, reported) in rows {
      change()
      let events = watcher.takeEvents()
      #expect(events.allSatisfy { $0.directory == number })
      #expect(events.filter { $0.name == name }.map(\.change) == reported, "\(name)")
    }
    #expect(watcher.takeEvents().isEmpty)
  }

  @Test func `a directory that is moved or removed is reported`() throws {
    let folder = try TemporaryFolder()
    let watcher = try DirectoryWatcher()
    let moved = try watcher.watch(folder.makeFolder("moved"))
    rename(folder.path + "/moved", folder.path + "/elsewhere")
    #expect(watcher.takeEvents().map(\.directory) == [moved])
    let removed = try watcher.watch(folder.makeFolder("removed"))
    rmdir(folder.path + "/removed")
    let events = watcher.takeEvents()
    #expect(events.contains { $0.directory == removed && $0.change == .directoryGone })
  }

  @Test func `only directories are watched`() throws {
    let folder = try TemporaryFolder()
    let watcher = try DirectoryWatcher()
    let file = try folder.write("file", [])
    #expect(throws: SystemError("inotify_add_watch", file, code: ENOTDIR)) {
      _ = try watcher.watch(file)
    }
    let missing = folder.path + "/missing"
    #expect(throws: SystemError("inotify_add_watch", missing, code: ENOENT)) {
      _ = try watcher.watch(missing)
    }
  }
}

/// Writes by the plain system calls; a file that is not closed stays open until the process ends.
private func writeFile(_ path: String, _ bytes: [UInt8], closes: Bool) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  _ = write(descriptor, bytes, bytes.count)
  if closes { close(descriptor) }
}
