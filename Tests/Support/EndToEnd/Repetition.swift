import Foundation
import Synchronization

/// Does something again and again, in a thread of its own, until it is stopped.
final class Repetition: Sendable {
  private let count = Atomic(0)
  private let isStopping = Atomic(false)
  private let hasStopped = Atomic(false)

  init(every pause: Duration, _ body: @escaping @Sendable (_ round: Int) -> Void) {
    Thread { [self] in
      while !isStopping.load(ordering: .acquiring) {
        body(count.load(ordering: .relaxed))
        count.wrappingAdd(1, ordering: .relaxed)
        goOn(for: pause)
      }
      hasStopped.store(true, ordering: .releasing)
    }.start()
  }

  var rounds: Int { count.load(ordering: .relaxed) }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    _ = eventually { hasStopped.load(ordering: .acquiring) }
  }
}
