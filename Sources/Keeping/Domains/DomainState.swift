internal import Catalog
internal import Diagnostics

/// The state of one domain: its names, its files, and what is served from them.
///
/// It is a class because a dictionary's free slots are as large as its values.
final class DomainState {
  var entry: DomainFolder.Entry
  var site: Site
  /// The states of its files that have answers.
  var files = ByFile<FileState<ServedFile>>()
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
    site = Site(name: entry.name, answers: [])
  }

  /// When the first of the files was missing, in milliseconds of the monotonic clock.
  var missingSince: Int64? {
    var times = [hosts.missingSince]
    for state in cases.values { times.append(state.missingSince) }
    for (_, state) in files.all { times.append(state.missingSince) }
    return times.compactMap(\.self).min()
  }

  /// Whether nothing is left of the domain.
  var isGone: Bool { !entry.servesFiles && files.isEmpty }

  /// The answers in the catalog's form.
  var answers: [Availability] { files.values.map { $0?.availability ?? .absent } }

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
