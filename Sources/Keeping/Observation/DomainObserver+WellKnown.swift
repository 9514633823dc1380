internal import Posix
internal import Rules
internal import Settings

/// Finds the names in a host's folder `.well-known`.
///
/// Nearly all hosts have few names in this folder. Therefore, a read lists the folder instead of
/// looking up each possible name, and the regular scan checks only the names that the listing
/// contained.
extension DomainObserver {
  enum WellKnownNames {
    /// The folder cannot be searched, or its path is that of a file.
    case closed
    /// The recognized names; empty if there is no folder.
    case listed([String])
    /// The folder can be searched but not listed, so each name is looked up.
    case unlisted

    func mayContain(_ name: String) -> Bool {
      switch self {
      case .closed: false
      case .listed(let names): names.contains(name)
      case .unlisted: true
      }
    }

    var areListed: Bool {
      if case .listed = self { true } else { false }
    }

    var maySearch: Bool {
      if case .closed = self { false } else { true }
    }
  }

  /// Observes the folder `.well-known` itself, and returns its names.
  func names(
    in path: String, of entry: DomainFolder.Entry, _ host: Host, _ directory: borrowing Directory,
    _ observation: inout DomainObservation
  ) -> WellKnownNames {
    do throws(SystemError) {
      let (status, names) = try directory.list(path)
      observation.hasher.combine(status)
      let own = [VerdictPolicy.fileName] + casesNames(of: entry)
      var known: [String] = []
      for name in names {
        if own.contains(name) || wellKnown.numbers[name] != nil {
          known.append(name)
        } else {
          observation.unknownNames.append(name)
        }
      }
      return .listed(known)
    } catch {
      let status = enter(path, host.path + ".well-known", in: directory, &observation)
      if let status { return status.kind == .directory ? .unlisted : .closed }
      return observation.facts.isFolderClosed ? .closed : .listed([])
    }
  }

  /// Returns the numbers of the files that may be in `.well-known`, in ascending order.
  func numbers(_ names: WellKnownNames) -> [Int] {
    switch names {
    case .closed: []
    case .listed(let names): names.flatMap { wellKnown.numbers[$0] ?? [] }.sorted()
    case .unlisted: Array(wellKnown.files.indices)
    }
  }

  /// If folders below `.well-known` may exist, adds the identities of these folders to the
  /// observation.
  func addFolders(
    _ names: WellKnownNames, in path: String, _ directory: borrowing Directory,
    _ observation: inout DomainObservation
  ) {
    guard wellKnown.folders.contains(where: names.mayContain) else { return }
    observation.facts.places.insert(.folders)
    for folder in wellKnown.folders {
      observation.hasher.addIdentity(of: "\(path)/\(folder)", in: directory)
    }
  }

  /// Returns the paths of the folders below `.well-known` that may have files to serve.
  func folders(below folder: String, _ known: FileLocations) -> [String] {
    known.contains(.folders) ? wellKnown.folders.map { "\(folder)/.well-known/\($0)" } : []
  }
}
