internal import Catalog
internal import Diagnostics

/// The state of one domain: its names, its files, and what is served from them.
///
/// It is a class because a dictionary's free slots are as large as its values.
final class DomainState {
  var entry: DomainFolder.Entry
  var site: Site
  var association = FileState<ServedFile>()
  var assetLinks = FileState<ServedFile>()
  /// Other well-known files, by their numbers in `WellKnownFiles`. Few domains have any.
  var others: [Int: FileState<ServedFile>] = [:]
  /// Nil without a page.
  var page: PageMatch?
  var hosts = FileState<HostsFile>()
  /// By path. Few domains have expectations.
  var cases: [String: FileState<SourceText>] = [:]
  /// The file systems of its folders when a file was last found in them.
  var devices = FolderDevices()
  /// See `DomainObservation`.
  var identity = 0
  var places = DomainPlaces()

  init(_ entry: DomainFolder.Entry) {
    self.entry = entry
    site = Site(name: entry.name, association: .absent, assetLinks: .absent)
  }

  /// When the first of the files was missing, in milliseconds of the monotonic clock.
  var missingSince: Int64? {
    var times = [association.missingSince, assetLinks.missingSince, hosts.missingSince]
    for state in cases.values { times.append(state.missingSince) }
    for state in others.values { times.append(state.missingSince) }
    return times.compactMap(\.self).min()
  }

  var hasAnswers: Bool {
    association.hasAnswer || assetLinks.hasAnswer || !others.isEmpty
  }

  /// Whether nothing is left of the domain.
  var isGone: Bool { !entry.servesFiles && !hasAnswers }

  /// The answers for other well-known files, in the order of their numbers.
  var otherAnswers: [WellKnownAnswer] {
    if others.isEmpty { return [] }
    return others.sorted { $0.key < $1.key }.map {
      WellKnownAnswer(number: $0.key, availability: $0.value.availability)
    }
  }

  /// Expectations that hold now, although their files may be missing for a short time.
  func rememberedCases(now: Int64, withdrawAfter: Int64) -> [String: SourceText] {
    if cases.isEmpty { return [:] }
    return cases.compactMapValues { state in
      if let since = state.missingSince, now - since >= withdrawAfter { return nil }
      return state.answer.version
    }
  }
}

extension FileState<ServedFile> {
  /// The answer in the catalog's form.
  var availability: Availability {
    switch answer {
    case .absent: .absent
    case .unavailable: .unavailable
    case .version(let file): .served(file)
    }
  }
}
