/// For each vertex of a path pattern after a `/`: whether that `/` may begin an end that a path
/// need not have.
///
/// The ends are `/` (a trailing slash does not matter), `/*` (`/buy/*` also matches `/buy`), and
/// `/*/`, which is `/*` with a trailing slash. Runs of slashes and of stars count as one.
func optionalTails(of graph: TokenGraph) -> [Bool] {
  var slashes = [Bool](repeating: false, count: graph.vertices.count)
  var starsThenSlashes = slashes
  var tails = slashes
  for index in graph.vertices.indices.reversed() {
    switch graph.vertices[index] {
    case .end:
      slashes[index] = true
      starsThenSlashes[index] = true
      tails[index] = true
    case .branch(let targets):
      slashes[index] = targets.contains { slashes[$0] }
      starsThenSlashes[index] = targets.contains { starsThenSlashes[$0] }
      tails[index] = targets.contains { tails[$0] }
    case .slash(let next):
      slashes[index] = slashes[next]
      starsThenSlashes[index] = slashes[next]
      tails[index] = tails[next]
    case .anyRun(let next):
      starsThenSlashes[index] = starsThenSlashes[next]
      tails[index] = starsThenSlashes[next]
    case .symbols: break
    }
  }
  return tails
}
