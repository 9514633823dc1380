internal import Diagnostics

/// What is remembered of an entry's files, besides the certificate: little, for there may be very
/// many.
struct CertificateRecord {
  /// Stands for the files as they were read; see `CertificateReader.fingerprint`.
  var fingerprint: Int
  /// The files as they were last read cannot be served.
  var isFaulty = false
  /// Only its outline was judged yet.
  var isUnchecked = false
  var told = Told()

  /// What was told of an entry, as numbers that stand for it: the texts would take more than the
  /// certificates. Hardly ever more than two.
  struct Told {
    /// Zero stands for nothing.
    private var first = 0
    private var second = 0
    private var others: [Int] = []

    init(_ diagnostics: [Diagnostic] = []) {
      for diagnostic in diagnostics { add(diagnostic) }
    }

    mutating func add(_ diagnostic: Diagnostic) {
      let mark = mark(diagnostic)
      if first == 0 {
        first = mark
      } else if second == 0 {
        second = mark
      } else {
        others.append(mark)
      }
    }

    func contains(_ diagnostic: Diagnostic) -> Bool {
      let mark = mark(diagnostic)
      return first == mark || second == mark || others.contains(mark)
    }
  }
}

/// Stands for a diagnostic; never zero.
private func mark(_ diagnostic: Diagnostic) -> Int {
  var hasher = Hasher()
  hasher.combine(diagnostic.code)
  hasher.combine(diagnostic.message)
  hasher.combine(diagnostic.note)
  hasher.combine(diagnostic.location?.path)
  hasher.combine(diagnostic.location?.place?.range)
  return hasher.finalize() | 1
}
