import Posix
import Testing

@testable import Server
@testable import Settings

/// How many connections are allowed, and what decides it.
@Suite struct MaximumConnectionsTests {
  private func connectionLimit(
    megabytes: Int?, used: Int = 14, https: Bool = true, maxConnections: Int = 0
  ) -> ConnectionLimit {
    var configuration = Configuration()
    configuration.maxConnections = maxConnections
    if !https { configuration.https = [] }
    let limit = megabytes.map { MemoryLimit(bytes: $0 << 20, path: "/sys/fs/cgroup/memory.max") }
    return ConnectionLimit(configuration, limit: limit, used: used << 20)
  }

  @Test func `memory decides what is left of it after the start`() {
    let connectionLimit = connectionLimit(megabytes: 64)
    #expect(
      connectionLimit.announcement
        == "at most 2,560 connections, because the memory limit is 64 MB "
        + "(/sys/fs/cgroup/memory.max)")
    #expect(connectionLimit.memory == 50 << 20)
    // A connection without TLS takes a fifth.
    #expect(self.connectionLimit(megabytes: 64, https: false).most == 12_800)
  }

  @Test func `memory decides nothing where there is enough, or where there is no limit`() {
    #expect(connectionLimit(megabytes: 64, maxConnections: 500).announcement == nil)
    #expect(connectionLimit(megabytes: nil, maxConnections: 500).most == 500)
    #expect(connectionLimit(megabytes: 256).most >= 10_000)
  }

  @Test func `a few connections are possible in however little memory`() {
    #expect(connectionLimit(megabytes: 8).most == 16)
  }
}
