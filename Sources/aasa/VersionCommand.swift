package import ArgumentParser
internal import Diagnostics
internal import Gzip
internal import JSON
internal import TLS

/// `aasa version`
package struct VersionCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the version.",
    discussion: """
      EXAMPLES:
        aasa version
        aasa version --verbose
      """)

  @Flag(help: "also print the parts of the program: versions and licences")
  var verbose = false

  package init() {}

  package func run() {
    print("aasa \(programVersion)")
    if !verbose { return }
    let names = components.map(\.name.count).max() ?? 0
    let versions = components.map(\.version.count).max() ?? 0
    for (name, version, licence) in components {
      print("  \(padded(name, names))  \(padded(version, versions))  \(licence)")
    }
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// The linked libraries. The system's report their versions at run time, because they are found
/// when the program starts; the others are those of Package.resolved.
let components: [(name: String, version: String, licence: String)] =
  [("OpenSSL", openSSLVersion, "Apache-2.0"), ("zlib", zlibVersion, "Zlib")]
  + resolvedPackages.map { ($0.name, $0.version, swiftLicence) }
  + [("Swift standard library", swiftVersion, swiftLicence)]

/// The licence of Swift and of Apple's packages for it.
private let swiftLicence = "Apache-2.0 with the Swift runtime library exception"

/// The packages that the program was built with.
private let resolvedPackages: [(name: String, version: String)] = {
  let source = SourceText(path: "Package.resolved", bytes: PackageResources.Package_resolved)
  guard let document = try? Document(parsing: source),
    let pins = document.root.members.first(where: { $0.key == "pins" })?.value
  else { return [] }
  return pins.elements.compactMap { pin in
    func member(_ value: Value, _ key: String) -> Value? {
      value.members.first { $0.key == key }?.value
    }
    guard let name = member(pin, "identity")?.string,
      let version = member(pin, "state").flatMap({ member($0, "version")?.string })
    else { return nil }
    return (name, version)
  }
}()

/// The compiler's version, which is also that of the standard library.
private var swiftVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}
