package import Diagnostics
internal import Reporting

/// The kinds of faults of the server as a whole.
extension Kind {
  static let runsAsSuperuser = Kind(
    "H016", "runs-as-superuser", "the server runs as root",
    "the server needs only to read its files and open its ports; an attacker who exploits a "
      + "fault in the server would control the whole machine", nil, severity: .warning,
    fix: "run the server as another user; for ports below 1024 give the binary "
      + "CAP_NET_BIND_SERVICE, or let the service manager or the container publish them")
  static let readUnfinished = Kind(
    "H018", "read-unfinished",
    "the server stopped while a file was still being read, written or checked",
    "the file system does not answer, for example because a network file server is gone, or a "
      + "large file takes long on a busy machine; the server answered clients until it stopped",
    nil, severity: .warning,
    fix: "check the mount, or serve from a folder of this machine; a large file needs no fix")
  static let domainRemoved = Kind(
    "H036", "domain-removed", "domains are no longer served",
    "the files of the domains were missing for longer than the setting withdrawAfter allows", nil,
    severity: .warning, fix: "if you did not remove the files on purpose, put them back")
  static let adminAddressUnusable = Kind(
    "H040", "admin-address-unusable", "the admin listener cannot listen on its address",
    "health, metrics and status are not available; if you chose the address, the server "
      + "does not start; with the default address, the server runs without an admin "
      + "listener", nil, severity: .warning,
    fix: "give each server on a machine its own admin address with --admin, or turn the admin "
      + "address off with --admin none")
  static let accessLogUnusable = Kind(
    "H041", "access-log-unusable", "the access log's file cannot be opened for writing",
    "the server does not start, because requests would not be logged as expected", nil,
    fix:
      "create the file's folder and let the server's user write to the file; if the file is a "
      + "named pipe, start its reader before the server; or choose stdout or "
      + "none", wrong: "--access-log missing/access.log",
    right: "--access-log /var/log/aasa/access.log")
  static let fileMountedAlone = Kind(
    "H053", "file-mounted-alone", "server.json, or a file of a domain, is mounted as a single file",
    "editors and most tools replace a file with a new one of the same name; the mount still shows "
      + "the old file, so even a reload does not see the change",
    nil, severity: .warning, fix: "mount the folder that contains the file",
    wrong: "docker run -v ./server.json:/etc/aasa/server.json:ro aasa",
    right: "docker run -v .:/etc/aasa:ro aasa")
  static let fewDescriptors = Kind(
    "H054", "few-descriptors", "the limit of open files is below 64",
    "the server may fail to read certificates and other files, and closes connections to accept "
      + "new connections",
    nil, severity: .warning,
    fix:
      "allow at least 64 open files, and one more for each connection: ulimit -n, LimitNOFILE= of "
      + "systemd, or docker run --ulimit nofile=16384")
}

/// All kinds of faults of the server as a whole.
package let serveKinds: [Kind] = [
  .runsAsSuperuser, .readUnfinished, .domainRemoved, .adminAddressUnusable, .accessLogUnusable,
  .fileMountedAlone, .fewDescriptors, .needsAttention,
]
