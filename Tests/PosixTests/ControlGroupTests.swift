#if os(Linux)
  import Foundation
  import Testing

  @testable import Posix

  /// The limits of containers and services, with folders in the place of the kernel's.
  @Suite struct ControlGroupTests {
    private let folder: TemporaryFolder
    private var root: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ file: String, _ text: String) throws {
      let path = root + "/" + file
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test func `the least limit counts, of the group and of those that it is in`() throws {
      try write("a/b/memory.max", "max\n")
      try write("a/memory.max", "67108864\n")
      try write("memory.max", "268435456\n")
      try write("a/b/cpu.max", "max 100000\n")
      try write("a/cpu.max", "150000 100000\n")
      let groups = ControlGroups(root: root, membership: "0::/a/b\n")
      #expect(groups.memory == MemoryLimit(bytes: 67_108_864, path: root + "/a/memory.max"))
      #expect(groups.processors == 2)
    }

    @Test func `a container of version 1 sees its own group as the root`() throws {
      try write("memory/memory.limit_in_bytes", "67108864\n")
      try write("cpu/cpu.cfs_quota_us", "50000\n")
      try write("cpu/cpu.cfs_period_us", "100000\n")
      let membership =
        "12:memory:/docker/0123\n4:cpu,cpuacct:/docker/0123\n1:name=systemd:/x\n0::/\n"
      let groups = ControlGroups(root: root, membership: membership)
      #expect(groups.memory?.bytes == 67_108_864)
      #expect(groups.processors == 1)
    }

    @Test func `without a limit there is none`() throws {
      try write("memory/memory.limit_in_bytes", "9223372036854771712\n")
      try write("cpu/cpu.cfs_quota_us", "-1\n")
      try write("cpu/cpu.cfs_period_us", "100000\n")
      try write("memory.max", "max\n")
      try write("cpu.max", "max 100000\n")
      for membership in ["0::/\n", "3:memory:/\n2:cpu:/\n", "", "garbage", "0::/../..\n"] {
        let groups = ControlGroups(root: root, membership: membership)
        #expect(groups.memory == nil && groups.processors == nil)
      }
    }

    @Test func `mount points are read with their spaces`() {
      let table = """
        21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
        36 35 98:0 /mnt1 /etc/my\\040site/a\\134b.json rw,noatime master:1 - ext3 /dev/root rw
        broken
        """
      #expect(mountPoints(in: Array(table.utf8)) == ["/", "/etc/my site/a\\b.json"])
      #expect(mountPoints().contains("/proc"))
    }

    @Test(
      "a root that a container engine made without layers is known by its mount",
      arguments: [
        ("22 1 254:0 / / rw - ext4 /dev/vda rw\n", false),
        ("22 1 254:0 / /srv rw - zfs pool rw\n22 1 254:0 / / rw - ext4 /dev/vda rw\n", false),
        ("22 1 8:1 /var/lib/docker/vfs/dir/5f / rw master:1 - ext4 /dev/sda1 rw\n", true),
        ("22 1 253:3 /rootfs / rw - xfs /dev/mapper/docker-8:1 rw\n", true),
        ("22 1 0:45 / / rw - zfs pool/docker/5f rw\n", true),
        ("22 1 0:45 / / rw,nodev - fuse.fuse-overlayfs fuse-overlayfs rw\n", true),
        ("22 1 0:45 /docker/btrfs/subvolumes/5f / rw - btrfs /dev/sda rw\n", true),
        ("garbage\n\n1 2 3 / /\n", false),
      ])
    func rootOfEngine(table: String, isRoot: Bool) {
      #expect(isRootPartOfFileSystem(in: Array(table.utf8)) == isRoot)
    }

    @Test func `a connection that nobody can accept yet is found by its port`() {
      let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
           1: 0100007F:1F90 0100007F:D431 03 00000000:00000000 01:00000063 00000000     0
           2: 0100007F:0050 0100007F:1F90 01 00000000:00000000 03:00000000 00000000     3
        """
      let bytes = Array(table.utf8)
      // The kernel may cut the table anywhere.
      for cut in bytes.indices {
        func isFound(_ port: UInt16) -> Bool {
          var search = UnacceptedSearch(ports: [443, port])
          search.take(bytes[..<cut])
          search.take(bytes[cut...])
          return search.isFound
        }
        #expect(isFound(8080) && !isFound(80) && !isFound(0x0100))
      }
    }
  }
#endif
