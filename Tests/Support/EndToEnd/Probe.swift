import Foundation
import Synchronization
import TLSTestSupport
import TestRunning
import Testing

/// Requests names in turn, in a thread of its own, and counts the answers.
final class Probe: Sendable {
  struct Seen: Sendable {
    /// How often all names have been asked for.
    var rounds = 0
    /// The answers to each name, and how often each came.
    var answers: [String: [String: Int]] = [:]
    fileprivate var isRunning = true
  }

  private let state = Mutex(Seen())
  private let isStopping = Atomic(false)

  /// - Parameters:
  ///   - pause: Milliseconds after each request, which are left for the tests beside it.
  ///   - asker: Makes the client, in its thread.
  init(
    _ names: [String], pause: Int32, _ asker: @escaping @Sendable () -> (String) -> String
  ) {
    Thread { [self] in
      let ask = asker()
      while !isStopping.load(ordering: .acquiring) {
        for name in names {
          let answer = ask(name)
          state.withLock { $0.answers[name, default: [:]][answer, default: 0] += 1 }
          poll(nil, 0, pause)
        }
        state.withLock { $0.rounds += 1 }
      }
      state.withLock { $0.isRunning = false }
    }.start()
  }

  var now: Seen { state.withLock { $0 } }

  /// Stops after one more round.
  func stop() throws -> Seen {
    let rounds = now.rounds
    let isDone = eventually { now.rounds > rounds + 1 }
    isStopping.store(true, ordering: .releasing)
    guard isDone, eventually({ !now.isRunning }) else { throw Failure("a probe does not stop") }
    return now
  }
}

extension Server {
  /// Every answer to these hosts must be one of these bodies, while `body` runs and a moment longer.
  func keepsServing(
    _ hosts: [String], only permitted: [String], at location: SourceLocation = #_sourceLocation,
    while body: () throws -> Void
  ) throws {
    let port = http
    let probe = Probe(hosts, pause: Int32(isStress ? 4 : 12)) {
      var kept: RawClient?
      var count = 0
      // Every other request comes on a connection of its own.
      return { host in
        do {
          count += 1
          let client =
            try count.isMultiple(of: 2) ? kept ?? RawClient(port: port) : RawClient(port: port)
          if count.isMultiple(of: 2) { kept = client }
          try client.send(request(host: host))
          let response = try client.receive()
          return response.status == 200 ? response.text : String(response.status)
        } catch {
          kept = nil
          return "\(error)"
        }
      }
    }
    try judge(
      probe, Dictionary(uniqueKeysWithValues: hosts.map { ($0, permitted) }), location, body)
  }

  /// Every handshake for these names must show one of the certificates that belong to the name.
  func keepsShowing(
    _ permitted: [String: [String]], at location: SourceLocation = #_sourceLocation,
    while body: () throws -> Void
  ) throws {
    let port = https
    // A handshake costs ten times as much as a request.
    let probe = Probe(Array(permitted.keys), pause: Int32(isStress ? 10 : 30)) {
      { shownCertificate($0, port: port) }
    }
    try judge(probe, permitted, location, body)
  }

  /// The common name and the length of the chain that a client gets for this name: `first, chain of
  /// 2`; or why the handshake failed.
  func shown(_ name: String) -> String { shownCertificate(name, port: https) }

  private func judge(
    _ probe: Probe, _ permitted: [String: [String]], _ location: SourceLocation,
    _ body: () throws -> Void
  ) throws {
    let result = Result { try body() }
    let seen = try probe.stop()
    let wrong = seen.answers.compactMap { name, answers -> String? in
      var others: [String: Int] = [:]
      for (answer, count) in answers where permitted[name]?.contains(answer) != true {
        // The beginning and the end identify it.
        let text = answer.count < 80 ? answer : "\(answer.prefix(20))…\(answer.suffix(50))"
        others[text, default: 0] += count
      }
      return others.isEmpty ? nil : "\(name): \(others) of \(answers.values.reduce(0, +))"
    }
    let examples = wrong.sorted().prefix(4)
    #expect(wrong.isEmpty, "\(wrong.count) names: \(examples)", sourceLocation: location)
    try result.get()
  }
}

/// Lets a probe ask for this long.
func goOn(for duration: Duration) {
  let deadline = Deadline(within: duration)
  while !deadline.isOver { poll(nil, 0, min(20, deadline.milliseconds)) }
}

private func shownCertificate(_ name: String, port: Int) -> String {
  var options = TestClient.Options()
  options.serverName = name
  do {
    let (client, _) = try connectedClient(port: port, options)
    return "\(client.serverCommonName), chain of \(client.chainLength)"
  } catch {
    return "\(error)"
  }
}
