internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// The associated domains of an app, as its entitlements name them.
struct AssociatedDomains {
  private(set) var subjects: [CheckSubject] = []
  /// With its prefix; nil when the file leaves it to the build.
  private(set) var app: String?
  /// What is wrong with the entries.
  private(set) var diagnostics: [Diagnostic] = []

  private let path: String

  /// Throws an exit code when the file cannot be read; then that was told.
  init(entitlements path: String) throws {
    self.path = path
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readNamedInput(path, limit: Self.largestFile).bytes
    } catch {
      printError(escapingControls("error: cannot read \(path): \(error.reason)"))
      throw ExitCode.usage
    }
    let entries = try PropertyList.read(bytes, path)
    for key in ["application-identifier", "com.apple.application-identifier"] {
      if case .text(let identifier) = entries[key], !identifier.contains("$") { app = identifier }
    }
    guard case .list(let domains) = entries["com.apple.developer.associated-domains"] else {
      report(
        .error, "F086", "the file names no associated domains",
        "add com.apple.developer.associated-domains, an array of entries such as "
          + "applinks:example.com")
      return
    }
    var seen: Set<String> = []
    for entry in domains {
      guard seen.insert(entry).inserted else {
        report(.warning, "F085", "\(entry) stands twice", "leave one out")
        continue
      }
      take(entry)
    }
  }

  private static let largestFile = 1_048_576
  private static let services = [
    "applinks", "webcredentials", "appclips", "activitycontinuation",
  ]
  private static let modes = ["developer", "managed", "developer+managed", "managed+developer"]

  /// `service:domain`, `service:*.domain`, `service:domain?mode=developer`.
  private mutating func take(_ entry: String) {
    if entry.contains("$(") { return }
    let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let service = String(parts[0])
    guard parts.count == 2, service != "https", service != "http" else {
      report(
        .error, "F080", "\(entry) names no service",
        "write the service before the domain: applinks:\(hostAlone(entry))")
      return
    }
    guard Self.services.contains(service) else {
      let near = nearest(to: service, among: Self.services)
      report(
        .error, "F081", "\(entry): there is no service \(service)",
        near.map { "did you mean \($0)?" }
          ?? "the services are \(Self.services.joined(separator: ", "))")
      return
    }
    let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let host = String(halves[0])
    guard !host.contains("/"), !host.contains("@"),
      var subject = try? CheckSubject(host)
    else {
      report(
        .error, "F082", "\(entry): after \(service): stands a host alone, and nothing else",
        "write \(service):\(hostAlone(host)): no https://, no path, no slash at the end")
      return
    }
    if host.hasPrefix("*."), service == "appclips" {
      report(
        .error, "F084", "\(entry): App Clips have no wildcards",
        "name each host, such as appclips:\(host.dropFirst(2))")
      return
    }
    if halves.count == 2 {
      let mode = halves[1].hasPrefix("mode=") ? String(halves[1].dropFirst(5)) : nil
      guard let mode, Self.modes.contains(mode) else {
        report(
          .error, "F083", "\(entry): there is no mode \"\(halves[1])\"",
          "write ?mode=developer, ?mode=managed or ?mode=developer+managed, or leave it out")
        return
      }
      subject.isDirect = true
    }
    add(subject, service)
  }

  private mutating func add(_ subject: CheckSubject, _ service: String) {
    let index = subjects.firstIndex {
      $0.target.host == subject.target.host && $0.target.port == subject.target.port
    }
    guard let index else {
      var subject = subject
      subject.services = [service]
      subjects.append(subject)
      return
    }
    if !subjects[index].services.contains(service) { subjects[index].services.append(service) }
    // Some of its entries go by the CDN.
    if !subject.isDirect { subjects[index].isDirect = false }
  }

  /// The host in what was meant as one.
  private func hostAlone(_ text: String) -> String {
    var rest = text[...]
    for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
    }
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "@" }
    return host.isEmpty ? "example.com" : String(host)
  }

  private mutating func report(
    _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ help: String
  ) {
    diagnostics.append(
      Diagnostic(severity, code: code, message, at: .init(path: path), help: help))
  }
}

extension PropertyList {
  /// The dictionary of a file; otherwise it is told what is wrong.
  fileprivate static func read(_ bytes: [UInt8], _ path: String) throws -> [String: PropertyList] {
    do throws(PropertyListFault) {
      return try dictionary(bytes)
    } catch {
      printError(escapingControls("error: \(path): \(error.message)"))
      throw ExitCode.usage
    }
  }
}
