internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// The option that names a command's output file.
struct OutputFile: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("write into this file instead of standard output", valueName: "FILE"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the output file if there is one") var force = false

  func validate() throws {
    if force && output == nil { throw ValidationError("--force needs -o FILE") }
  }

  /// Writes the complete file or nothing, and reports a failure.
  ///
  /// - Parameter endingLine: Whether to add a line feed on standard output.
  func write(_ bytes: [UInt8], endingLine: Bool) throws {
    guard let output else {
      print(String(decoding: bytes, as: UTF8.self), terminator: endingLine ? "\n" : "")
      return
    }
    do throws(SystemError) {
      try writeFileAtomically(output, bytes, replacing: force)
    } catch {
      if error.isExisting {
        throw failure("\(output) exists already; replace it with --force")
      }
      throw failure("cannot write \(output): \(error.reason)", .usage)
    }
  }
}

/// Writes the complete file or nothing, or writes to standard output, and reports a failure.
func writeOutput(_ bytes: [UInt8], to output: String?, replacing: Bool) throws {
  do throws(SystemError) {
    if let output {
      try writeFileAtomically(output, bytes, replacing: replacing)
    } else {
      try writeToStandardOutput(bytes)
    }
  } catch {
    let name = output ?? "standard output"
    throw failure(
      error.isExisting
        ? "\(name) exists already; replace it with --force"
        : "cannot write \(name): \(error.reason)")
  }
}
