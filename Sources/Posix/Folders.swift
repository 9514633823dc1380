#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Makes a folder, and those on the way to it. One that exists is left as it is.
package func makeFolders(_ path: String) throws(SystemError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for name in path.split(separator: "/") {
    made += (made.isEmpty || made == "/" ? "" : "/") + name
    let (_, code) = retrying { unsafe mkdir(made, 0o777) }
    if code == 0 { continue }
    if (try? status(made))?.kind == .directory { continue }
    throw SystemError("mkdir", made, code: code)
  }
}
