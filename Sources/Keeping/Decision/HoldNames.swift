internal import Bytes

/// The missing names that an operator must confirm together, and the ID for the confirmation.
///
/// If some of the missing names come back, the ID stays the same. If more names go missing, the ID
/// changes.
struct HoldNames: Equatable, Sendable {
  private(set) var id: String
  private let subject: String
  private var names: Set<String>

  /// - Parameter subject: The folder or list from which the names are missing, for example its
  ///   path.
  init(_ subject: String, _ names: Set<String>) {
    self.subject = subject
    self.names = names
    id = Self.id(subject, names)
  }

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Adds missing names to the hold. Does nothing if the hold already covers all of them.
  mutating func cover(_ names: Set<String>) {
    if names.isSubset(of: self.names) { return }
    self = HoldNames(subject, names)
  }

  /// Eight hexadecimal digits are enough to distinguish the few holds of a server.
  private static func id(_ subject: String, _ names: Set<String>) -> String {
    // A set has no order. Add the hashes, because a sum does not depend on the order.
    let sum = names.reduce(hash(subject)) { $0 &+ hash($1) }
    let digits = String(UInt32(truncatingIfNeeded: sum ^ sum >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns a hash of a text. The bits of the hash are well mixed. Therefore, the sums of the
  /// hashes of different names differ even if the names are similar.
  private static func hash(_ text: String) -> UInt64 {
    var hash = stableHash(text)
    hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
    return hash ^ hash >> 32
  }
}

/// Returns the part of a help text that says how an operator confirms an intended loss.
///
/// - Parameter canConfirm: Whether there is a state folder in which an operator can confirm the
///   hold.
func confirming(_ id: String, _ canConfirm: Bool) -> String {
  canConfirm
    ? "to accept the change: aasa confirm \(id)"
    : "to accept the change: restart the server; a server with a state folder (--state DIR) needs "
      + "only aasa confirm"
}

/// Returns the subject and verb of a message: `1 of 4 hosts is`, `3 of 4 hosts are`.
///
/// - Parameter what: The noun in the plural.
func share(_ count: Int, of all: Int, _ what: String) -> String {
  "\(count) of \(all) \(all == 1 ? String(what.dropLast()) : what) \(count == 1 ? "is" : "are")"
}
