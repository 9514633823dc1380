internal import Catalog
internal import Diagnostics

/// The names that the last run knew or held, and that this run has not found yet. Pure.
///
/// They are not a new loss. They are held until their files are back, or an operator confirms the
/// loss.
struct NamesOfBefore<Key: Hashable & Sendable>: Sendable {
  /// The names that the last run knew; empty once the folder has been read.
  private(set) var known: Set<Key> = []
  private(set) var missing: Set<Key> = []
  private var covered: HoldNames?

  /// Notes the names that the last run knew.
  mutating func remember(_ names: Set<Key>) { known = names }

  /// Forgets the known names, because the folder has been read.
  mutating func forget() { known = [] }

  /// Holds names until they are found.
  mutating func hold(_ names: Set<Key>, in folder: String, naming: (Key) -> String) {
    missing.formUnion(names)
    let texts = Set(missing.map(naming))
    if covered == nil { covered = HoldNames("before the start \(folder)", texts) }
    covered?.cover(texts)
  }

  func isMissing(_ name: Key) -> Bool { !missing.isEmpty && missing.contains(name) }

  mutating func find(_ name: Key) { if !missing.isEmpty { missing.remove(name) } }

  /// Returns the hold; nil if nothing is missing.
  ///
  /// - Parameters:
  ///   - what: The kind of the names, such as `domains`.
  ///   - kind: The kind of the hold's diagnostic.
  ///   - canConfirm: See `confirming`.
  func hold(
    of what: String, _ kind: Kind, in folder: String, _ canConfirm: Bool = true
  ) -> Hold? {
    guard !missing.isEmpty, let id = covered?.id else { return nil }
    let subject =
      missing.count == 1
      ? "a \(what.dropLast()) that was known before the start is"
      : "\(missing.count) \(what) that were known before the start are"
    return Hold(
      id: id,
      fault: Diagnostic(
        kind, "\(subject) missing", at: .init(path: folder),
        help: "put the files back; \(confirming(id, canConfirm))",
        note: "what was kept of them is served"))
  }

  /// Applies the loss if its ID is among these. Returns the ID and the names; nil if none is held.
  mutating func confirm(_ ids: Set<String>) -> (id: String, names: Set<Key>)? {
    guard !missing.isEmpty, let id = covered?.id, ids.contains(id) else { return nil }
    defer { missing = [] }
    return (id, missing)
  }
}
