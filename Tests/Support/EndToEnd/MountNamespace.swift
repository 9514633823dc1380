import Foundation
import Testing

/// A server with mounts of its own, which other processes do not see.
enum MountNamespace {
  static let isPermitted: Bool = {
    guard geteuid() == 0, OrdinaryUser.runner != nil else { return false }
    let trial = "mount -t tmpfs none /mnt && nsenter -t $$ -m true"
    return (try? run("/usr/bin/env", ["unshare", "-m", "sh", "-c", trial]).exitCode) == 0
  }()

  /// The words before a command that runs as an ordinary user, after root has run `script` in a
  /// namespace whose mounts only the command sees.
  static func runner(_ script: String = "true") -> [String] {
    ["/usr/bin/env", "unshare", "-m", "sh", "-ec", script + #"; exec "$@""#, "sh"]
      + (OrdinaryUser.runner ?? [])
  }
}

extension Server {
  /// Runs a script as root where this server's mounts are.
  func amongMounts(_ script: String) throws {
    let finished = try run(
      "/usr/bin/env", ["nsenter", "-t", "\(process.identifier)", "-m", "sh", "-ec", script])
    guard finished.exitCode == 0 else { throw Failure("\(script): \(finished.errors)") }
  }
}

extension Trait where Self == ConditionTrait {
  static var needsMounts: Self {
    .enabled(if: MountNamespace.isPermitted, "only root can mount, where namespaces are permitted")
  }
}
