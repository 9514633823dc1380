package import ArgumentParser
internal import Gzip
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

  @Flag(help: "also print what the program is made of: versions and licences")
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

/// What the program is linked with. The libraries of the system tell their versions themselves, for
/// they are found when the program starts; the others are those of Package.resolved.
let components: [(name: String, version: String, licence: String)] = [
  ("OpenSSL", openSSLVersion, "Apache-2.0"),
  ("zlib", zlibVersion, "Zlib"),
  ("swift-argument-parser", "1.8.2", "Apache-2.0 with the Swift runtime library exception"),
  ("swift-log", "1.16.2", "Apache-2.0"),
  ("Swift standard library", swiftVersion, "Apache-2.0 with the Swift runtime library exception"),
]

/// The compiler's, which the standard library comes with.
private var swiftVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}
