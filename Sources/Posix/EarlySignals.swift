#if canImport(Glibc)
  internal import Glibc

  /// Blocks the signals that end `aasa serve` before `main`: what comes while the runtime begins
  /// waits until the server takes it. What comes even earlier, while the dynamic linker works, no
  /// instruction of the program can catch.
  ///
  /// The dynamic linker calls it with the program's arguments (ELF's `.init_array`, as glibc does it).
  @section(".init_array") @used
  private let blockSignalsEarly:
    @convention(c) (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Void = { count, arguments in
      guard count > 1, let command = unsafe arguments?[1], unsafe strcmp(command, "serve") == 0
      else { return }
      Signal.blockAll()
    }
#endif
