import TestRunning
import Testing

@testable import Server

@Suite struct DeadlineQueueTests {
  /// The same by lists, slow and plain.
  struct Model {
    var queues: [[(slot: Int, deadline: Int64)]]

    mutating func enter(_ queue: Int, _ slot: Int, _ deadline: Int64) {
      leave(slot)
      queues[queue].append((slot, deadline))
    }

    mutating func leave(_ slot: Int) {
      for queue in queues.indices { queues[queue].removeAll { $0.slot == slot } }
    }

    mutating func move(_ queue: Int, by change: Int64) {
      for index in queues[queue].indices { queues[queue][index].deadline += change }
    }

    var nextDeadline: Int64? { queues.compactMap { $0.first?.deadline }.min() }

    func expired(_ now: Int64) -> Int? {
      for queue in queues {
        if let first = queue.first, first.deadline <= now { return first.slot }
      }
      return nil
    }
  }

  struct Generator {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test(arguments: sample([1, 2, 3, 4, 5] as [UInt64], of: 2))
  func `it behaves like plain lists`(_ seed: UInt64) {
    var random = Generator(state: seed)
    let count = 6
    var queues = DeadlineQueues(queues: count)
    var model = Model(queues: Array(repeating: [], count: count))
    var slots = 0
    var allowances = (0..<count).map { Int64($0 * 50) }
    var now: Int64 = 1_000
    for _ in 0..<20_000 {
      switch random.next(10) {
      case 0 where slots < 40:
        queues.addSlot()
        slots += 1
      case 1 where random.next(50) == 0:
        let queue = random.next(count)
        let allowance = Int64(random.next(500))
        queues.move(queue, by: allowance - allowances[queue])
        model.move(queue, by: allowance - allowances[queue])
        allowances[queue] = allowance
      case 1...5:
        if slots == 0 { continue }
        // All of one queue have the same allowance, and time does not go back.
        let queue = random.next(count)
        let slot = random.next(slots)
        let deadline = now + allowances[queue]
        queues.enter(queue, slot: slot, deadline: deadline)
        model.enter(queue, slot, deadline)
      case 6 where slots > 0:
        let slot = random.next(slots)
        queues.leave(slot: slot)
        model.leave(slot)
      case 7:
        while let slot = queues.expired(now: now) {
          #expect(slot == model.expired(now))
          queues.leave(slot: slot)
          model.leave(slot)
        }
        #expect(model.expired(now) == nil)
      default:
        now += Int64(random.next(30))
      }
      #expect(queues.nextDeadline == model.nextDeadline)
      for queue in 0..<count {
        #expect(queues.first(in: queue) == model.queues[queue].first?.slot)
      }
    }
  }

  @Test func `a time is over at its deadline, not before`() {
    var queues = DeadlineQueues(queues: 2)
    queues.addSlot()
    #expect(queues.nextDeadline == nil)
    #expect(queues.expired(now: .max) == nil)
    queues.enter(1, slot: 0, deadline: 100)
    #expect(queues.nextDeadline == 100)
    #expect(queues.expired(now: 99) == nil)
    #expect(queues.expired(now: 100) == 0)
    // Entering again starts anew.
    queues.enter(1, slot: 0, deadline: 200)
    #expect(queues.expired(now: 100) == nil)
    queues.leave(slot: 0)
    queues.leave(slot: 0)
    #expect(queues.nextDeadline == nil)
  }
}

@Suite struct TokenTests {
  @Test func `a token keeps its slot and generation`() {
    let cases: [(slot: UInt32, generation: UInt32)] = [
      (0, 0), (1, 0), (0, 1), (0xFFFE_FFFF, .max), (123_456, 0x8000_0000),
    ]
    for (slot, generation) in cases {
      let token = Token(Token(slot: slot, generation: generation).rawValue)
      #expect(token.slot == slot && token.generation == generation)
      #expect(!token.isWakeup && token.listenerIndex == nil)
    }
  }

  @Test func `the wakeup and listeners are not slots`() {
    #expect(Token(Token.wakeup.rawValue).isWakeup)
    #expect(Token(Token.wakeup.rawValue).listenerIndex == nil)
    for index in [0, 1, 1_000] {
      let token = Token(Token.listener(index).rawValue)
      #expect(token.listenerIndex == index)
      #expect(!token.isWakeup)
    }
  }

  @Test func `within the tolerance a slot stays, and is still known to be the last that came`() {
    var queues = DeadlineQueues(queues: 1)
    for slot in 0..<3 {
      queues.addSlot()
      queues.enter(0, slot: slot, deadline: 1_000, tolerance: 20)
    }
    queues.enter(0, slot: 0, deadline: 1_010, tolerance: 20)
    #expect(queues.nextDeadline == 1_000)
    #expect(queues.first(in: 0) == 1)
    queues.enter(0, slot: 1, deadline: 1_010, tolerance: 20)
    queues.enter(0, slot: 2, deadline: 1_010, tolerance: 20)
    #expect(queues.first(in: 0) == 0)
    // Beyond it the slot moves.
    queues.enter(0, slot: 0, deadline: 1_020, tolerance: 20)
    #expect(queues.first(in: 0) == 1)
    #expect(queues.expired(now: 1_000) == 1)
    queues.leave(slot: 1)
    queues.leave(slot: 2)
    #expect(queues.nextDeadline == 1_020)
  }
}
