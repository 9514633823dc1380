internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import Gzip
internal import JSON
internal import TLS

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the version.",
    discussion: """
      EXAMPLES:
        aasa version
        aasa version --verbose
      """)

  @Flag(
    help: "also print the commit, its date, the target, and the linked libraries with licenses")
  var verbose = false

  func run() {
    print("aasa \(programVersion)")
    if !verbose { return }
    print("  commit  \(ownRevision?.commit ?? "unknown")")
    print("  date    \(ownRevision?.date ?? "unknown")")
    print("  target  \(target)")
    let names = components.map(\.name.count).max() ?? 0
    let versions = components.map(\.version.count).max() ?? 0
    for (name, version, licence) in components {
      print("  \(padded(name, names))  \(padded(version, versions))  \(licence)")
    }
  }
}

/// The commit from which the program was built, and the date of the commit; nil if the commit was
/// not known during the build.
private let ownRevision = revision(from: PackageResources.Revision)

/// Parses the file `Revision`. `git archive` writes the commit and the date to the file (see
/// .gitattributes). The Dockerfile writes the commit and the date if the user gives them as build
/// arguments.
func revision(from bytes: [UInt8]) -> (commit: String, date: String)? {
  let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
  guard words.count == 2, words[0].utf8.allSatisfy({ $0.hexValue != nil }) else { return nil }
  return (String(words[0]), String(words[1]))
}

private var target: String {
  #if arch(x86_64)
    let architecture = "x86_64"
  #elseif arch(arm64) && canImport(Darwin)
    let architecture = "arm64"
  #elseif arch(arm64)
    let architecture = "aarch64"
  #else
    let architecture = "unknown"
  #endif
  #if canImport(Darwin)
    return architecture + "-apple-macosx"
  #elseif canImport(Musl)
    return architecture + "-unknown-linux-musl"
  #elseif canImport(Glibc)
    return architecture + "-unknown-linux-gnu"
  #else
    return architecture + "-unknown"
  #endif
}

/// The linked libraries. System libraries are loaded when the program starts, so their versions are
/// determined at run time. The other versions are from Package.resolved.
let components: [(name: String, version: String, licence: String)] =
  [("OpenSSL", openSSLVersion, "Apache-2.0"), ("zlib", zlibVersion, "Zlib")]
  + resolvedPackages.map { ($0.name, $0.version, swiftLicence) }
  + [("Swift standard library", swiftVersion, swiftLicence)]

private let swiftLicence = "Apache-2.0 with the Swift runtime library exception"

private let resolvedPackages: [(name: String, version: String)] = {
  let source = SourceText(path: "Package.resolved", bytes: PackageResources.Package_resolved)
  guard let document = try? Document(parsing: source),
    let pins = document.root.member("pins")
  else { return [] }
  return pins.elements.compactMap { pin in
    guard let name = pin.member("identity")?.string,
      let version = pin.member("state")?.member("version")?.string
    else { return nil }
    return (name, version)
  }
}()

private var swiftVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}
