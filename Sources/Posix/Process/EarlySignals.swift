#if canImport(Glibc)
  internal import LibC

  /// Blocks the signals that end `aasa serve` before `main`, so that a signal during runtime
  /// startup waits until the server takes it. A signal that comes even earlier, during dynamic
  /// linking, cannot be caught.
  ///
  /// The dynamic linker calls this function with the program's arguments (ELF's `.init_array`, as
  /// glibc does).
  @section(".init_array") @used
  private let blockSignalsEarly:
    @convention(c) (Int32, UnsafePointer<UnsafePointer<CChar>?>?) -> Void = { count, arguments in
      guard count > 1, let command = unsafe arguments?[1], unsafe strcmp(command, "serve") == 0
      else { return }
      Signal.blockAll()
    }
#endif
