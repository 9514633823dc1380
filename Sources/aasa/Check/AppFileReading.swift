internal import AppFiles
internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// Reads an app's file. If it cannot be read, reports the fault and throws an exit code.
func readAppFile(_ path: String, orExit code: ExitCode = .usage) throws(ExitCode) -> AppFile {
  do throws(AppFileFault) {
    return try AppFile(reading: path)
  } catch {
    throw failure(error.line(path), code)
  }
}
