internal import CSystem

/// The process's environment variables. If a name is repeated, the first one counts, as for
/// getenv(3). Call it before threads are made: nothing may change the environment then.
package func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  guard var next = unsafe aasa_environment() else { return variables }
  while let entry = unsafe next.pointee {
    let text = unsafe String(cString: entry)
    unsafe next += 1
    guard let sign = text.firstIndex(of: "=") else { continue }
    let name = String(text[..<sign])
    if variables[name] == nil { variables[name] = String(text[text.index(after: sign)...]) }
  }
  return variables
}
