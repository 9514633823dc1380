internal import Hosting

/// Serves until a signal ends it. Returns the exit code.
func serve(_ configuration: Configuration) -> Int32 {
  0
}
