/// Returns the candidate that is most similar to a word, for messages such as "did you mean …".
///
/// The most similar candidate needs the fewest edits: insertions, deletions, substitutions and
/// swaps of adjacent characters. Letter case is ignored. Nil if more than a third of the word
/// differs, or if the word has more than a hundred characters. Only the first thousand candidates
/// are compared.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  guard word.utf8.count <= 400 else { return nil }
  let letters = word.lowercased().unicodeScalars.map(\.value)
  guard letters.count <= 100 else { return nil }
  let limit = max(1, letters.count / 3)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates.prefix(1_000) where candidate.utf8.count <= 1_000 {
    let other = candidate.lowercased().unicodeScalars.map(\.value)
    if abs(other.count - letters.count) > limit { continue }
    let distance = editDistance(letters, other)
    if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  return best?.candidate
}

/// The optimal string alignment distance of two words.
private func editDistance(_ left: [UInt32], _ right: [UInt32]) -> Int {
  if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for i in 1...left.count {
    var current = [i]
    current.reserveCapacity(right.count + 1)
    for j in 1...right.count {
      let substitution = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
      var cost = min(substitution, previous[j] + 1, current[j - 1] + 1)
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        cost = min(cost, beforePrevious[j - 2] + 1)
      }
      current.append(cost)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[right.count]
}
