internal import Client
internal import Posix

/// Makes requests to one server one after the other, over one connection, because its handshake costs
/// more than they do. As soon as the server is slow, the rest do not wait for each other.
///
/// - Parameters:
///   - milliseconds: After which they no longer wait.
///   - ask: Is given the number of a request, and the connection; nil to make one of its own.
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
