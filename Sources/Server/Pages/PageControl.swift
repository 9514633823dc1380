internal import Posix
internal import Synchronization

/// How other threads reach the thread of a listener of pages.
final class PageControl: Sendable {
  let wakeup: Wakeup
  let isStopping = Atomic<Bool>(false)
  private let workers = Atomic<Int>(0)
  private let finished = Mutex<[(token: Token, answer: PageAnswer)]>([])

  init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  /// Lets a thread make an answer, which `takeFinished` then yields. False when there are so many
  /// already, or no thread can be had.
  func start(
    _ make: @escaping @Sendable () -> PageAnswer, for token: Token, limit: Int
  ) -> Bool {
    guard workers.add(1, ordering: .acquiringAndReleasing).newValue <= limit else {
      workers.subtract(1, ordering: .acquiringAndReleasing)
      return false
    }
    do throws(SystemError) {
      _ = try Thread(named: "page") { [self] in
        let answer = make()
        finished.withLock { $0.append((token, answer)) }
        workers.subtract(1, ordering: .acquiringAndReleasing)
        wakeup.signal()
      }
      return true
    } catch {
      workers.subtract(1, ordering: .acquiringAndReleasing)
      return false
    }
  }

  func takeFinished() -> [(token: Token, answer: PageAnswer)] {
    finished.withLock { finished in
      let all = finished
      finished = []
      return all
    }
  }
}
