#if os(Linux)
  /// The control groups of this process. Control groups limit the resources of a container or a
  /// service (cgroups(7)).
  struct ControlGroups {
    /// The directory at which the hierarchies of control groups are mounted.
    private let root: String
    /// The path of the process's group in each hierarchy. The key is the controller in version 1 of
    /// control groups, and the empty string in version 2.
    private var paths: [String: String] = [:]

    static var own: ControlGroups {
      let content = try? readContent("/proc/self/cgroup", limit: 65_536).bytes
      return ControlGroups(
        root: "/sys/fs/cgroup", membership: String(decoding: content ?? [], as: UTF8.self))
    }

    /// - Parameter membership: The lines of `/proc/self/cgroup`, such as `4:memory:/docker/0123` or
    ///   `0::/`.
    init(root: String, membership: String) {
      self.root = root
      for line in membership.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { continue }
        for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
          paths[String(controller)] = String(parts[2])
        }
      }
    }

    /// Returns the folder of the process's group, followed by the folders of the group's ancestors
    /// up to the root. Inside a container, some of these folders may be absent, because the kernel
    /// may report the path that the group has on the host.
    ///
    /// - Parameter controller: The controller in version 1 of control groups; empty for version 2.
    func folders(_ controller: String) -> [String] {
      let mount = controller.isEmpty ? root : root + "/" + controller
      let names = (paths[controller] ?? "").split(separator: "/").filter { $0 != ".." }
      return (0...names.count).reversed().map { count in
        ([mount] + names.prefix(count).map(String.init)).joined(separator: "/")
      }
    }

    /// Returns the words of a file; nil if the file does not exist.
    static func words(of path: String) -> [String]? {
      // Files of cgroupfs report a size of 0, so they are read with a fixed limit.
      guard let content = try? readContent(path, limit: 4096) else { return nil }
      return String(decoding: content.bytes, as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// The lowest processor limit of the groups; nil if there is no limit. The limit is rounded up,
    /// because two threads make the best use of 1.5 processors.
    var processors: Int? {
      let version2 = folders("").compactMap { folder -> Int? in
        guard let words = Self.words(of: folder + "/cpu.max"), words.count == 2 else { return nil }
        return Self.processors(quota: words[0], period: words[1])
      }
      let version1 = folders("cpu").compactMap { folder -> Int? in
        guard let quota = Self.words(of: folder + "/cpu.cfs_quota_us")?.first,
          let period = Self.words(of: folder + "/cpu.cfs_period_us")?.first
        else { return nil }
        return Self.processors(quota: quota, period: period)
      }
      return (version2 + version1).min()
    }

    private static func processors(quota: String, period: String) -> Int? {
      // `max` or -1 means no limit.
      guard let quota = Int(quota), let period = Int(period), quota > 0, period > 0 else {
        return nil
      }
      return (quota + period - 1) / period
    }

    /// The lowest memory limit of the groups; nil if there is no limit.
    var memory: MemoryLimit? {
      let files =
        folders("").map { $0 + "/memory.max" }
        + folders("memory").map { $0 + "/memory.limit_in_bytes" }
      return files.compactMap { file in
        // `max`, or a number above any machine's memory, means no limit.
        guard let bytes = Self.words(of: file)?.first.flatMap({ Int($0) }), bytes < 1 << 50 else {
          return nil
        }
        return MemoryLimit(bytes: bytes, path: file)
      }.min { $0.bytes < $1.bytes }
    }
  }
#endif
