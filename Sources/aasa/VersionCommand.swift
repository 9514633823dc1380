package import ArgumentParser

/// `aasa version`
package struct VersionCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  package init() {}

  package func run() { print("aasa \(programVersion)") }
}
