import Foundation
import Synchronization
import Testing

/// A well-behaved client during an attack: it sends one request after the other, each on a new
/// connection, alternately to the attacked server and to one that is not attacked.
///
/// An answer may take a second. On a slow machine it may take twenty times the time of answers
/// before the attack. If the server has to work for the attackers' requests, one answer may wait
/// for all of that work, once. On a busy machine all limits grow by the factor that the other
/// server shows at the same time.
final class HealthyClient: Sendable {
  private struct State {
    var longest = Duration.zero
    var longestElsewhere = Duration.zero
    var sumElsewhere = Duration.zero
    var count = 0
    var failures: [String] = []
    var isRunning = true
  }

  private let ports: (attacked: Int, other: Int)
  private let usual: Duration
  private let work: Duration
  private let state = Mutex(State())
  private let isStopping = Atomic(false)

  /// - Parameter work: The time for answering everything that all attackers can request at once.
  init(port: Int, other: Int, work: Duration) throws {
    ports = (port, other)
    self.work = work
    var times: [Duration] = []
    for _ in 0..<21 { times.append(try Self.time(port)) }
    usual = times.sorted()[10]
    Thread { [self] in run() }.start()
  }

  /// Ends it, and checks its results.
  func stop(at location: SourceLocation = #_sourceLocation) {
    // After a short attack it must have some results too.
    _ = eventually { state.withLock { $0.count >= 3 || !$0.isRunning } }
    isStopping.store(true, ordering: .releasing)
    let hasEnded = eventually(within: .seconds(90)) { !state.withLock { $0.isRunning } }
    let seen = state.withLock { $0 }
    #expect(hasEnded && seen.failures == [], sourceLocation: location)
    let slowdown = max(1, 2 * (seen.sumElsewhere / max(1, seen.count) / usual))
    let allowance = .seconds(1) + seen.longestElsewhere + (usual * 20 + work) * slowdown
    #expect(
      seen.longest <= allowance,
      "\(seen.longest) of \(allowance); \(usual) before, \(work) of work; \(seen)",
      sourceLocation: location)
  }

  private func run() {
    while !isStopping.load(ordering: .acquiring) {
      do {
        let time = try Self.time(ports.attacked)
        let elsewhere = try Self.time(ports.other)
        state.withLock { state in
          state.longest = max(state.longest, time)
          state.longestElsewhere = max(state.longestElsewhere, elsewhere)
          state.sumElsewhere += elsewhere
          state.count += 1
        }
      } catch {
        state.withLock { $0.failures.append("\(error)") }
        break
      }
      // Not an attack itself.
      poll(nil, 0, 20)
    }
    state.withLock { $0.isRunning = false }
  }

  private static func time(_ port: Int) throws -> Duration {
    let start = ContinuousClock.now
    let client = try RawClient(port: port, within: .seconds(60))
    try client.send(request())
    let status = try client.receive().status
    guard status == 200 else { throw Failure("status \(status)") }
    return .now - start
  }
}

extension Server {
  /// Attacks this server while a healthy client sends requests.
  func attacked(
    work: Duration = .zero, at location: SourceLocation = #_sourceLocation,
    _ attack: () throws -> Void
  ) throws {
    try attackedAt(http, work: work, at: location, attack)
  }
}

/// The same for any port at which example.com is served.
func attackedAt(
  _ port: Int, work: Duration = .zero, at location: SourceLocation = #_sourceLocation,
  _ attack: () throws -> Void
) throws {
  let workspace = try Workspace()
  try workspace.write("domains/example.com.json", association())
  try withServer(workspace) { other in
    let client = try HealthyClient(port: port, other: other.http, work: work)
    do {
      try attack()
    } catch {
      client.stop(at: location)
      throw error
    }
    client.stop(at: location)
  }
}
