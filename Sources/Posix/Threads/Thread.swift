internal import LibC
internal import Synchronization

/// An operating system thread that can be joined.
package final class Thread: Sendable {
  private let handle: pthread_t
  private let isJoined = Atomic<Bool>(false)

  /// Starts an operating system thread that runs `body`.
  ///
  /// - Parameter name: The name that `top -H` and debuggers show. The system uses only the first 15
  ///   bytes.
  package init(
    named name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let work = ThreadBody(name: name, run: body)
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    #if os(Linux)
      var started = pthread_t()
    #else
      var started: pthread_t?
    #endif
    let code = unsafe pthread_create(&started, nil, runBody, context)
    #if os(Linux)
      let handle: pthread_t? = started
    #else
      let handle = started
    #endif
    guard code == 0, let handle else {
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).release()
      throw SystemError("pthread_create", name, code: code)
    }
    self.handle = handle
  }

  deinit {
    if !isJoined.load(ordering: .acquiring) { _ = pthread_detach(handle) }
  }

  /// Pauses the calling thread.
  package static func pause(milliseconds: Int32) {
    var wanted = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    var left = timespec()
    while unsafe nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
  }

  /// Waits until the thread has ended. Returns immediately if the thread has already been joined.
  package func join() {
    if isJoined.exchange(true, ordering: .acquiringAndReleasing) { return }
    _ = pthread_join(handle, nil)
  }
}

private final class ThreadBody: Sendable {
  let name: String
  let run: @Sendable () -> Void

  init(name: String, run: @escaping @Sendable () -> Void) {
    self.name = name
    self.run = run
  }
}

/// The function that the new thread runs. This function takes ownership of the reference that
/// `Thread.init` made.
#if os(Linux)
  private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let work = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    _ = unsafe pthread_setname_np(pthread_self(), String(work.name.prefix(15)))
    work.run()
    return nil
  }
#else
  private func runBody(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    _ = unsafe pthread_setname_np(String(work.name.prefix(15)))
    work.run()
    return nil
  }
#endif
