internal import Catalog
internal import Diagnostics
internal import Settings

/// The hosts of one list, kept by the same rules as the names of a folder: if a host is missing
/// from the file, it is still served for `withdrawAfter`, and a large loss is held until it is
/// confirmed.
struct KeptHosts: Sendable {
  /// The hosts that are served although the file no longer names them.
  private(set) var kept: [DomainName] = []
  private var absence = Absence<DomainName>()
  /// The hosts whose loss is held; nil if none is.
  private var lost: HoldNames?
  private var size = (lost: 0, known: 0)
  private var path = ""
  /// Whether an operator can confirm the loss.
  private var canConfirm = true
  /// Whether an operator has confirmed the loss.
  private var isConfirmed = false
  /// Whether somebody may still be writing the file, because its last line has no line end. Until
  /// it has one, nothing is withdrawn.
  private var isOpen = false
  /// Whether the last attempt to read the file succeeded. Until the next one that does, nothing is
  /// withdrawn, because the file may name the missing hosts again.
  private var isRead = true

  /// The changes that a decision makes.
  struct Change {
    var added: [DomainName] = []
    var withdrawn: [DomainName] = []

    var isEmpty: Bool { added.isEmpty && withdrawn.isEmpty }
  }

  /// Returns when to check again, in milliseconds of the monotonic clock; nil if there is nothing to
  /// wait for: no host is missing, the loss is held, or the file is being written or cannot be
  /// read.
  func next(withdrawAfter: Int64) -> Int64? {
    lost == nil && !isOpen && isRead ? absence.next(withdrawAfter: withdrawAfter) : nil
  }

  /// Decides which hosts are served from now on.
  ///
  /// - Parameters:
  ///   - file: The version that is served.
  ///   - isRead: Whether the file could be read just now.
  mutating func decide(
    _ file: HostsFile, after before: HostsFile?, isRead: Bool, _ time: Circumstances
  ) -> Change {
    var change = Change()
    if isRead && !self.isRead { absence.restart(now: time.now) }
    self.isRead = isRead
    canConfirm = time.canConfirm
    isOpen = file.isLastLineOpen
    if let before, before !== file { note(file, before, time, &change) }
    if absence.isEmpty {
      (lost, isConfirmed) = (nil, false)
      return change
    }
    if isOpen || !isRead && !isConfirmed { return change }
    let overdue =
      isConfirmed
      ? Array(absence.names)
      : absence.overdue(now: time.now, withdrawAfter: time.withdrawAfter)
    if !isConfirmed, lost != nil || absence.isLarge {
      if !overdue.isEmpty || lost != nil { hold(at: file.path) }
      return change
    }
    if overdue.isEmpty { return change }
    for host in overdue { absence.withdraw(host) }
    let gone = Set(overdue)
    change.withdrawn = kept.filter(gone.contains)
    kept.removeAll(where: gone.contains)
    if absence.isEmpty { (lost, isConfirmed) = (nil, false) }
    return change
  }

  private mutating func hold(at path: String) {
    size = absence.size
    self.path = path
    let names = Set(absence.names.map(\.description))
    if lost == nil { lost = HoldNames(path, names) } else { lost?.cover(names) }
  }

  private mutating func note(
    _ file: HostsFile, _ before: HostsFile, _ time: Circumstances, _ change: inout Change
  ) {
    // A list that only grew has lost nothing, so its first hosts need not be compared.
    let isLonger = file.hosts.starts(with: before.hosts)
    let new = isLonger ? file.hosts[before.hosts.count...] : file.hosts[...]
    if isLonger && new.isEmpty { return }
    let known = before.hosts.count + kept.count
    if !isLonger {
      let present = Set(file.hosts)
      for host in before.hosts where !present.contains(host) {
        absence.miss(host, known: known, now: time.now, withdrawAfter: time.youth)
        kept.append(host)
      }
    }
    let missing = Set(absence.names)
    let back = missing.isEmpty ? [] : new.filter(missing.contains)
    for host in back { absence.find(host, now: time.now) }
    if !back.isEmpty {
      let found = Set(back)
      kept.removeAll(where: found.contains)
    }
    let old = isLonger ? [] : Set(before.hosts)
    change.added = new.filter { !missing.contains($0) && !old.contains($0) }
    for host in change.added {
      absence.add(host, now: time.now, withdrawAfter: time.youth)
    }
  }

  /// Whether so many hosts are missing that the loss is held, or will be.
  var isLossLarge: Bool { lost != nil || absence.isLarge }

  /// The loss that is held; nil if none is.
  var hold: Hold? {
    guard let lost else { return nil }
    return Hold(
      id: lost.id,
      fault: Diagnostic(
        .hostsLost, "\(share(size.lost, of: size.known, "hosts")) missing from this list at once",
        at: .init(path: path), help: "put them back; \(confirming(lost.id, canConfirm))",
        note: "they are still served"))
  }

  /// Lets the next decision apply the loss.
  mutating func confirm() { isConfirmed = lost != nil }
}
