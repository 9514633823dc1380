import Foundation
import Synchronization
public import Testing

/// Runs the tests of a suite on threads of their own. By themselves as many tests run beside each
/// other as there are processors, and one that waits for a server keeps its processor from the
/// others.
public struct ManyAtOnce: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == ManyAtOnce {
  /// Mostly waits: for a program, a file system, a connection.
  public static var manyAtOnce: Self { Self() }
}

/// Threads that take one job after the other, and may be blocked by it.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads(6 * ProcessInfo.processInfo.activeProcessorCount)

  private let jobs = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)

  private init(_ threads: Int) {
    for _ in 0..<threads { Thread { [self] in work() }.start() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.signal()
  }

  private func work() {
    while true {
      count.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
