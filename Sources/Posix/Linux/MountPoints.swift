/// The paths of all mount points that this process sees; empty if the system does not list them.
package func mountPoints() -> [String] {
  #if os(Linux)
    guard let table = try? readContent("/proc/self/mountinfo", limit: 4 << 20) else { return [] }
    return mountPoints(in: table.bytes)
  #else
    return []
  #endif
}

/// Returns the path of the mount point in each line, which is the fifth word (proc(5)). In a path,
/// `\040` stands for a space and `\134` for a backslash.
func mountPoints(in table: [UInt8]) -> [String] {
  table.split(separator: UInt8(ascii: "\n")).compactMap { line in
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard words.count > 4 else { return nil }
    var path: [UInt8] = []
    var rest = words[4]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        path.append(number)
        rest = rest.dropFirst(3)
      } else {
        path.append(byte)
      }
    }
    return String(decoding: path, as: UTF8.self)
  }
}

/// Whether `/` belongs to a container of Docker or Podman with a storage driver that does not use
/// overlayfs (vfs, btrfs, devicemapper, zfs, fuse-overlayfs). The engine's marker file alone does
/// not prove this, because a virtual machine's disk that was made from an image contains the file
/// too.
func isFolderOfContainerEngine() -> Bool {
  #if os(Linux)
    let isMarked = ["/.dockerenv", "/run/.containerenv"].contains { (try? status($0)) != nil }
    guard isMarked, let table = try? readContent("/proc/self/mountinfo", limit: 4 << 20) else {
      return false
    }
    return isRootPartOfFileSystem(in: table.bytes)
  #else
    return false
  #endif
}

/// Whether `/` is a subfolder of a file system, or a whole file system that a container engine
/// made. In the table's line for `/`, the fourth word is the subfolder, and the word after ` - ` is
/// the type of the file system. With ZFS and fuse-overlayfs, the engine makes a whole file system
/// for each container.
func isRootPartOfFileSystem(in table: [UInt8]) -> Bool {
  table.split(separator: UInt8(ascii: "\n")).contains { line in
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count > 4, words[4] == "/", let dash = words.firstIndex(of: "-") else {
      return false
    }
    return words[3] != "/"
      || ["zfs", "fuse.fuse-overlayfs"].contains(words.dropFirst(dash + 1).first)
  }
}
