internal import Posix

/// Opens an address in the user's browser. Does nothing if this machine has no desktop.
func openOnDesktop(_ address: String) {
  let environment = environmentVariables()
  let folders = environment["PATH"] ?? ""
  #if os(macOS)
    guard let program = programPath("open", searching: folders) else { return }
    _ = try? ChildProgram(program, [address]).wait()
  #else
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDesktop, let program = programPath("xdg-open", searching: folders) else { return }
    // The browser may become a child process of the command in the script, but must outlive this
    // process. So the command gets its own session. This process waits until the session exists.
    let script = #"setsid sh -c 'echo; exec "$1" "$2" >/dev/null 2>&1' sh "$1" "$2" &"#
    guard let child = try? ChildProgram("/bin/sh", ["-c", script, "sh", program, address]) else {
      return
    }
    for _ in 0..<20 where child.read().isEmpty {}
    _ = child.wait()
  #endif
}
