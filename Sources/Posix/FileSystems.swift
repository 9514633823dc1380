#if os(Linux)
  internal import CSystem
  internal import Glibc

  /// Whether a path lies on a file system on which others change files without the kernel here
  /// being told, so that inotify(7) stays silent: network file systems and those of user space,
  /// as container engines use for folders of the host.
  package func isOnNetwork(_ path: String) -> Bool {
    var result = statfs()
    guard unsafe statfs(path, &result) == 0 else { return false }
    return silentFileSystems.contains(UInt32(truncatingIfNeeded: result.f_type))
  }

  /// Magic numbers from statfs(2) and linux/magic.h.
  private let silentFileSystems: Set<UInt32> = [
    0x6969,  // NFS
    0x517B,  // SMB
    0xFF53_4D42,  // CIFS
    0xFE53_4D42,  // SMB 2
    0x0102_1997,  // 9P
    0x6573_5546,  // FUSE, virtiofs
    0x00C3_6400,  // Ceph
    0x5346_414F,  // AFS
    0x7461_636F,  // OCFS2
    0x0116_1970,  // GFS2
    0x786F_4256,  // VirtualBox shared folders
    0x0BD0_0BD0,  // Lustre
  ]
#endif
