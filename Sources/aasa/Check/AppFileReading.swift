internal import AppFiles
internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// Reads an app's file. Throws an exit code if it cannot be read, after reporting that.
func readAppFile(_ path: String, orExit code: ExitCode = .usage) throws(ExitCode) -> AppFile {
  do throws(AppFileFault) {
    return try AppFile(reading: path)
  } catch {
    throw failure(error.line(path), code)
  }
}
