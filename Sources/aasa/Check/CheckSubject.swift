internal import AppSiteAssociation
internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// A domain that is to be checked, with what is known of the app that needs it.
struct CheckSubject: Sendable {
  let target: HostTarget
  /// The services for which an app names the domain; empty when no app is known to.
  var services: [String] = []
  /// Whether devices with this app ask the domain itself and not Apple's CDN.
  var isDirect = false

  /// Reads a domain as people write it. A wildcard is answered by its root.
  init(_ text: String) throws {
    target = try HostTarget(text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
  }
}

/// How much is read of lists of domains.
enum CheckLimits {
  static let listBytes = 1_048_576
  static let domains = 10_000
  /// Domains that are looked at beside each other: enough to hide waiting, too few to be a burden
  /// for Apple's CDN.
  static let parallel = 4
  static let mostParallel = 32
  /// Findings of one kind about wishes of the user; the rest is counted.
  static let wishFindings = 10
}

/// Reads a list of domains, one on each line; what stands behind a blank or comma, or a `#`, does not
/// count. `-` is the standard input.
func readDomainList(_ path: String) throws -> [String] {
  var bytes: [UInt8] = []
  do throws(SystemError) {
    if path == "-" {
      while bytes.count <= CheckLimits.listBytes, try readStandardInput(appendingTo: &bytes) {}
    } else {
      bytes = try readNamedInput(path, limit: CheckLimits.listBytes).bytes
    }
  } catch {
    printError(escapingControls("error: cannot read \(path): \(error.reason)"))
    throw ExitCode.usage
  }
  guard bytes.count <= CheckLimits.listBytes else {
    printError(
      escapingControls("error: \(path): a list of domains has at most 1 MiB; split it"))
    throw ExitCode.usage
  }
  var names: [String] = []
  for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
    let name = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," }.first
    if let name { names.append(String(name)) }
  }
  return names
}
