/// Decides whether a folder can be trusted, and whether what is missing in it may be withdrawn.
///
/// Names that vanish one by one were removed on purpose. A folder that vanishes whole, or most of it,
/// was more probably unmounted, or is being copied anew.
struct FolderGuard: Equatable, Sendable {
  /// Why everything stays as it is.
  enum Reason: Equatable, Sendable {
    /// The system does not let the server read the folder.
    case unreadable
    /// Another file system stands where the folder was: it was mounted or unmounted.
    case otherDevice
    /// The folder itself is missing.
    case missing
    case empty
    /// More than half of the names are missing at once.
    case mostMissing(Int, of: Int)
  }

  /// What a look at the folder gave.
  enum Sight: Equatable, Sendable {
    case readable(device: UInt64, isEmpty: Bool)
    case missing
    case unreadable
  }

  /// From so many names on, more than half of them missing at once counts as an accident.
  static let fewestNames = 4

  /// The file system on which the folder was when it was last trusted.
  private(set) var device: UInt64?
  private(set) var sight = Sight.missing

  /// Takes note of a look. Returns why nothing in the folder counts now; nil when it does.
  ///
  /// - Parameters:
  ///   - known: how many names have answers.
  ///   - isConfirmed: the operator said that the folder is as it is meant to be.
  mutating func distrust(_ sight: Sight, known: Int, isConfirmed: Bool) -> Reason? {
    self.sight = sight
    switch sight {
    case .unreadable: return .unreadable
    case .missing: return nil
    case .readable(let found, _):
      if let device, device != found, known > 0, !isConfirmed { return .otherDevice }
      device = found
      return nil
    }
  }

  /// Why missing names must not be withdrawn; nil when they may be.
  func reason(missing: Int, known: Int) -> Reason? {
    if missing == 0 { return nil }
    switch sight {
    case .missing: return .missing
    case .unreadable: return .unreadable
    case .readable(_, isEmpty: true): return .empty
    case .readable: break
    }
    return known >= Self.fewestNames && missing * 2 > known
      ? .mostMissing(missing, of: known) : nil
  }
}
