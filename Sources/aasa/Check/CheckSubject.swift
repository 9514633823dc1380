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
  /// The path of a link that was given in place of a domain.
  var link: String?

  /// Reads a domain as people write it: `example.com`, `*.example.com`, whose root answers for it,
  /// `applinks:example.com?mode=developer` as in entitlements, or a whole link.
  init(_ text: String) throws {
    var rest = text[...]
    for service in AssociatedDomains.services where rest.hasPrefix(service + ":") {
      services = [service]
      rest = rest.dropFirst(service.count + 1)
      if let question = rest.firstIndex(of: "?") {
        isDirect = rest[question...].contains("developer")
        rest = rest[..<question]
      }
    }
    let lower = rest.lowercased()
    for scheme in ["https://", "http://"] where lower.hasPrefix(scheme) {
      let behind = rest.dropFirst(scheme.count)
      guard let end = behind.firstIndex(where: { "/?#".contains($0) }) else { continue }
      let path = behind[end...]
      rest = rest[..<end]
      if path != "/" && !associationPaths.contains(String(path)) {
        link = path.hasPrefix("/") ? String(path) : "/" + path
      }
    }
    target = try HostTarget(rest.hasPrefix("*.") ? String(rest.dropFirst(2)) : String(rest))
  }

  /// Whether it is the same place.
  func isSame(as other: CheckSubject) -> Bool {
    target.host == other.target.host && target.port == other.target.port
      && target.scheme == other.target.scheme
  }
}

extension [CheckSubject] {
  /// Each place once, with all that is known of it.
  var merged: [CheckSubject] {
    var result: [CheckSubject] = []
    for subject in self {
      guard
        let index = result.firstIndex(where: { $0.isSame(as: subject) && $0.link == subject.link })
      else {
        result.append(subject)
        continue
      }
      result[index].services += subject.services.filter { !result[index].services.contains($0) }
      // Some of its entries go by the CDN.
      if !subject.isDirect { result[index].isDirect = false }
    }
    return result
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

/// A line of a list of domains.
struct ListedDomain {
  let text: String
  /// `domains.txt:3`
  let place: String
}

/// Reads a list of domains, separated by line ends, blanks or commas; what stands behind a `#` does
/// not count. `-` is the standard input.
func readDomainList(_ path: String) throws -> [ListedDomain] {
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
  let name = path == "-" ? "standard input" : path
  var domains: [ListedDomain] = []
  let lines = String(decoding: bytes, as: UTF8.self).split(
    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  for (index, line) in lines.enumerated() {
    // Behind the first word may be a remark.
    let words = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," }
    if let word = words.first {
      domains.append(ListedDomain(text: String(word), place: "\(name):\(index + 1)"))
    }
  }
  return domains
}
