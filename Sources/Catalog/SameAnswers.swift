extension Site {
  /// Whether both sites give the same answers.
  package func isSame(as other: Site) -> Bool {
    answers.elementsEqual(other.answers) { $0.isSame(as: $1) }
  }
}

extension Availability {
  /// Whether both have the same content, whatever its modification time.
  func isSameVersion(as other: Availability) -> Bool {
    switch (self, other) {
    case (.absent, .absent), (.unavailable, .unavailable): true
    case (.served(let left), .served(let right)): left.content === right.content
    default: false
    }
  }

  func isSame(as other: Availability) -> Bool {
    if case .served(let left) = self, case .served(let right) = other,
      left.lastModified != right.lastModified
    {
      return false
    }
    return isSameVersion(as: other)
  }
}
