internal import Diagnostics
internal import Settings

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

  /// Forgets the list of an entry.
  mutating func forgetList(_ state: DomainState) {
    state.hosts = FileState()
    lists[state.entry.name] = nil
    unreadLists.remove(state.entry.name)
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
