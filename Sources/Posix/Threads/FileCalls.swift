internal import LibC
internal import Synchronization

/// Records when one thread's current call to a file system began. A call may never return, for
/// example because the server of a network mount is down.
final class FileCalls: Sendable {
  /// The time at which the current call began, in milliseconds of the monotonic clock; 0 if the
  /// thread is not in a call.
  private let begun = Atomic<Int64>(0)

  /// The time at which the current call began; nil if the thread is not in a call.
  var since: Int64? {
    let begun = begun.load(ordering: .relaxed)
    return begun == 0 ? nil : begun
  }

  /// Each thread whose calls are recorded stores its own `FileCalls` under this key
  /// (pthread_key_create(3)).
  private static let key = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "the system has no free key for thread-specific data")
    return key
  }()

  /// Runs `body` on the calling thread, and records the calls that it makes.
  func noting(_ body: () -> Void) {
    _ = unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    body()
    _ = pthread_setspecific(Self.key, nil)
  }

  /// Makes a call to a file system, and records when it begins and ends. Preserves errno.
  static func during<Result>(_ call: () -> Result) -> Result {
    guard let found = unsafe pthread_getspecific(key) else { return call() }
    let calls = unsafe Unmanaged<FileCalls>.fromOpaque(found).takeUnretainedValue()
    calls.begun.store(Clock.monotonicMilliseconds(), ordering: .relaxed)
    defer { calls.begun.store(0, ordering: .relaxed) }
    return call()
  }
}

/// Repeats a call to a file system if a signal interrupts it, like `retrying`, and records the
/// call.
func asking<Result: FixedWidthInteger & SignedInteger>(
  _ body: () -> Result
) -> (result: Result, code: Int32) {
  FileCalls.during { retrying(body) }
}
