extension BidirectionalCollection {
  /// Returns the elements without those at either end that `isBlank` accepts.
  package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
    guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
    return self[...last].drop(while: isBlank)
  }
}
