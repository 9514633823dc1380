#if canImport(Glibc)
  internal import LibC

  /// Blocks the signals that end `aasa serve` before `main`: a signal during the start of the
  /// runtime waits until the server takes it. A signal that comes even earlier, during the work of
  /// the dynamic linker, cannot be caught by the program.
  ///
  /// The dynamic linker calls it with the program's arguments (ELF's `.init_array`, with glibc's
  /// convention).
  @section(".init_array") @used
  private let blockSignalsEarly:
    @convention(c) (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Void = { count, arguments in
      guard count > 1, let command = unsafe arguments?[1], unsafe strcmp(command, "serve") == 0
      else { return }
      Signal.blockAll()
    }
#endif
