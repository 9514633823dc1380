internal import AppFiles
internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// What a file says of an app. Throws an exit code when it cannot be read; then that was reported.
func readAppFile(_ path: String, orExit code: ExitCode = .usage) throws(ExitCode) -> AppFile {
  do throws(AppFileFault) {
    return try AppFile(reading: path)
  } catch {
    printError(escapingControls("error: " + error.line(path)))
    throw code
  }
}
