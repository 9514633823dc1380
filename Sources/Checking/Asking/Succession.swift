internal import Client
internal import Posix

/// Makes requests to one server in turn over one connection, because a handshake costs more than a
/// request. If the server is slow, makes the rest in parallel.
///
/// - Parameters:
///   - milliseconds: The time after which the rest are made in parallel.
///   - ask: Makes a request, given its number and the connection; nil for a connection of its own.
func inSuccession<Result: Sendable>(
  _ count: Int, within milliseconds: Int64 = CheckLimits.succession,
  _ ask: @escaping @Sendable (Int, KeptConnection?) -> Result
) -> [Result] {
  let kept = KeptConnection()
  let start = Clock.monotonicMilliseconds()
  var results: [Result] = []
  while results.count < count, Clock.monotonicMilliseconds() - start < milliseconds {
    results.append(ask(results.count, kept))
  }
  let done = results.count
  return results
    + inParallel(count - done, slice: 1, threads: count - done) { range in
      range.map { ask(done + $0, nil) }
    }.flatMap(\.self)
}
