#if canImport(Glibc)
  internal import LibC

  /// Before `main`, blocks the signals that end `aasa serve`. A signal that arrives while the
  /// runtime starts then waits until the server handles it. A signal that arrives earlier, during
  /// dynamic linking, cannot be blocked.
  ///
  /// The dynamic linker calls this function through ELF's `.init_array`. The linker of glibc passes
  /// the program's arguments.
  @section(".init_array") @used
  private let blockSignalsEarly:
    @convention(c) (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Void = { count, arguments in
      guard count > 1, let command = unsafe arguments?[1], unsafe strcmp(command, "serve") == 0
      else { return }
      Signal.blockAll()
    }
#endif
