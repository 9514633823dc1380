internal import ArgumentParser
internal import Posix

struct OutputFile: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("write into this file instead of standard output", valueName: "FILE"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the output file if it exists") var force = false

  /// Writes to the output file, or to standard output if the user gave no file. A file is written
  /// completely or not at all. If writing fails, prints the reason and throws the exit code.
  ///
  /// - Parameter endingLine: Whether to add a line feed if the output is standard output.
  func write(
    _ bytes: [UInt8], endingLine: Bool, orFailWith code: ExitCode = .usage
  ) throws {
    let bytes = output == nil && endingLine ? bytes + [UInt8(ascii: "\n")] : bytes
    try writeOutput(bytes, to: output, replacing: force, orFailWith: code)
  }
}

/// Writes to the file at `output`, or to standard output if `output` is nil. A file is written
/// completely or not at all. If writing fails, prints the reason and throws the exit code.
func writeOutput(
  _ bytes: [UInt8], to output: String?, replacing: Bool, orFailWith code: ExitCode = .found
) throws {
  do throws(SystemError) {
    if let output {
      try writeFileAtomically(output, bytes, replacing: replacing)
    } else {
      try writeToStandardOutput(bytes)
    }
  } catch {
    let name = output ?? "standard output"
    if error.isExisting {
      throw failure(
        "\(name) exists already; to replace the file, add --force")
    }
    let folder = parentFolder(name)
    let isFolderMissing = error.isNotFound && isMissing(folder)
    throw failure(
      "cannot write \(name): "
        + (isFolderMissing
          ? "there is no folder \(folder); make it: mkdir -p \(folder)" : error.reason),
      code)
  }
}
