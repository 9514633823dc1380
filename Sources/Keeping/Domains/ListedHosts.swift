internal import Diagnostics
internal import Settings

/// Decides which hosts of one list are served, by the same rules as for the names of a folder.
struct ListedHosts: Sendable {
  /// The hosts that are still served although they are no longer in the file, sorted.
  private(set) var kept: [DomainName] = []
  private var names: Names<DomainName>
  private let path: String
  /// Whether an operator can confirm a loss.
  private let canConfirm: Bool
  private var known = 0
  /// Whether somebody may still be writing the file, because the last line has no line end. If so,
  /// no host is withdrawn.
  private var isOpen = false
  /// Whether the last attempt to read the file succeeded. After a failed attempt, no host is
  /// withdrawn, because the file may contain the missing hosts again.
  private var isRead = true

  init(path: String, canConfirm: Bool = true) {
    self.path = path
    self.canConfirm = canConfirm
    names = Names(of: path, naming: \.description)
  }

  /// The hosts that a decision adds and withdraws.
  struct Change {
    var added: [DomainName] = []
    var withdrawn: [DomainName] = []

    var isEmpty: Bool { added.isEmpty && withdrawn.isEmpty }
  }

  /// Returns when to check again whether missing hosts must be withdrawn, in milliseconds of the
  /// monotonic clock. Returns nil if no host is missing, if the loss awaits confirmation, or if the
  /// file is being written or cannot be read.
  func next(withdrawAfter: Int64) -> Int64? {
    isOpen || !isRead ? nil : names.next(withdrawAfter: withdrawAfter)
  }

  /// Decides which hosts are served from now on.
  ///
  /// - Parameters:
  ///   - file: The version that is served.
  ///   - before: The version that was served before.
  ///   - isRead: Whether the file was read successfully just now.
  mutating func decide(
    _ file: HostsFile, after before: HostsFile?, isRead: Bool, at now: Int64, withdrawAfter: Int64
  ) -> Change {
    var change = Change()
    if isRead && !self.isRead { names.restart(at: now) }
    self.isRead = isRead
    isOpen = file.isLastLineOpen
    if let before, before !== file {
      change.added = note(file, before, at: now, withdrawAfter: withdrawAfter)
    }
    known = file.hosts.count + names.missing.count
    if !isOpen && isRead {
      change.withdrawn = names.decide(known: known, at: now, withdrawAfter: withdrawAfter)
        .sorted { $0.description < $1.description }
      for host in change.withdrawn { names.withdraw(host, at: now) }
      known -= change.withdrawn.count
    }
    if kept.count != names.missing.count || !change.isEmpty || before !== file {
      kept = sorted()
    }
    return change
  }

  private func sorted() -> [DomainName] {
    names.missing.keys.sorted { $0.description < $1.description }
  }

  /// Stores the differences between two versions of the list. Returns the hosts that are new.
  private mutating func note(
    _ file: HostsFile, _ before: HostsFile, at now: Int64, withdrawAfter: Int64
  ) -> [DomainName] {
    // If hosts were only added at the end, no host was lost, and only the added hosts need
    // processing.
    let isLonger = file.hosts.starts(with: before.hosts)
    let new = isLonger ? file.hosts[before.hosts.count...] : file.hosts[...]
    if isLonger && new.isEmpty { return [] }
    if !isLonger {
      let present = Set(file.hosts)
      for host in before.hosts where !present.contains(host) {
        names.miss(host, at: now, withdrawAfter: withdrawAfter)
      }
    }
    let old = isLonger ? [] : Set(before.hosts)
    var added: [DomainName] = []
    for host in new where !old.contains(host) {
      if names.isMissing(host) {
        names.find(host, at: now)
      } else {
        names.add(host, at: now, withdrawAfter: withdrawAfter)
        added.append(host)
      }
    }
    return added
  }

  /// Whether so many hosts are missing that their loss must be confirmed, now or after the missing
  /// hosts have been missing for longer.
  var isLossLarge: Bool {
    if names.held != nil { return true }
    let size = names.size(known: known)
    return FolderGuard.isLarge(size.lost, of: size.of)
  }

  /// The loss that awaits confirmation; nil if there is no such loss.
  var hold: Hold? {
    guard let held = names.held else { return nil }
    let size = names.size(known: known)
    return Hold(
      id: held.id,
      fault: Diagnostic(
        .hostsLost,
        "\(share(size.lost, of: size.of, "hosts")) suddenly missing from this list",
        at: .init(path: path), help: "put the hosts back; \(confirming(held.id, canConfirm))",
        note: "the missing hosts are still served"))
  }

  /// Withdraws the hosts whose loss an operator has confirmed. Returns these hosts.
  mutating func confirm(at now: Int64) -> [DomainName] {
    guard let held = names.held else { return [] }
    let gone = names.missing.keys.filter { held.contains($0.description) }
    for host in gone { names.withdraw(host, at: now) }
    names.endHold()
    kept = sorted()
    return gone
  }
}

/// Decides which hosts in the lists of entries are served.
extension DomainKeeper {
  /// Decides which hosts of a list are served, and reports hosts that were added or withdrawn.
  mutating func decideHosts(
    _ state: DomainState, _ decision: inout DomainDecision, _ reading: DomainReading,
    isNew: Bool, isStart: Bool, at now: Moment, _ outcome: inout Outcome
  ) {
    if case .absent = reading.hosts, !state.hosts.hasAnswer { return }
    let before = state.hosts.answer.version
    let name = state.entry.name
    // Include the hosts whose loss awaits confirmation. Otherwise, their number would grow without
    // limit if a list were replaced again and again.
    let taken = lists.reduce(0) { sum, list in
      let own = list.key == name ? nil : items[list.key]?.hosts.answer.version
      return sum + list.value.kept.count + (own?.weight ?? 0)
    }
    state.hosts = decision.decideHosts(
      state.hosts, reading.hosts, room: HostsFile.mostHosts - taken, isStart: isNew && isStart)
    if state.hosts.answer.isUnavailable {
      unreadLists.insert(name)
    } else {
      unreadLists.remove(name)
    }
    var list =
      lists[name]
      ?? ListedHosts(
        path: reading.hostsPath ?? "\(root)/\(name.entryName).hosts",
        canConfirm: options.canConfirm)
    let change = decision.keepHosts(
      of: &list, state.hosts.answer.version, after: before, isRead: !reading.hosts.isUnreadable,
      at: now.milliseconds, withdrawAfter: options.withdrawAfter)
    lists[name] = state.hosts.answer.version == nil ? nil : list
    if let time = list.next(withdrawAfter: options.withdrawAfter) {
      outcome.again.append((.domain(name), time))
    }
    if reading.openLinePause > 0 {
      outcome.again.append((.domain(name), now.milliseconds + reading.openLinePause))
    }
    if isNew { return }
    outcome.report.added += change.added
    outcome.report.removed += change.withdrawn.map(\.description)
  }

  /// Withdraws the lost hosts of each list whose hold has one of these IDs. The returned pass reads
  /// the entries of these lists again. Returns nil if no list has such a hold.
  mutating func confirmOthers(
    _ ids: Set<String>, at now: Moment, _ outcome: inout Outcome
  ) -> Pass<DomainName>? {
    var pass = Pass<DomainName>(isListing: false, isFinal: true)
    for (name, list) in lists {
      guard let hold = list.hold, ids.contains(hold.id) else { continue }
      let gone = lists[name]?.confirm(at: now.milliseconds) ?? []
      outcome.report.removed += gone.map(\.description)
      outcome.changes.namesChanged = true
      outcome.confirmed.insert(hold.id)
      pass.names[name] = []
    }
    return pass.names.isEmpty ? nil : pass
  }
}
