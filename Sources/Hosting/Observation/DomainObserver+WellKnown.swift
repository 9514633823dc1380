internal import Posix

/// The well-known files besides those of app associations.
///
/// Nearly all hosts have none, so the folder is listed once when it is read, instead of looking up
/// each name, and the sweep looks only at what was there.
extension DomainObserver {
  /// The folder `.well-known` of an entry, with a slash at its end.
  private func wellKnownFolder(of entry: DomainFolder.Entry) -> String {
    (entry.folder ?? "") + "/.well-known/"
  }

  /// The places of files that may exist, in their order.
  func others(
    of entry: DomainFolder.Entry, in directory: borrowing Directory,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) -> [(place: Place, position: DomainPlaces)] {
    let inner = wellKnownFolder(of: entry)
    // Nil if the folder can be searched but not listed: then each name is looked up.
    let names = (try? listDirectory(root + "/" + inner)).map {
      Set($0.filter(wellKnown.contains))
    }
    if let names, names.isEmpty { return [] }
    for (number, folder) in wellKnown.folders.enumerated()
    where names?.contains(folder) ?? (directory.find(inner + folder) != .nothing) {
      observation.places.insert(DomainPlaces(folder: number))
      Self.addIdentity(of: inner + folder, in: directory, to: &hasher)
    }
    return wellKnown.files.enumerated().filter { _, file in
      names?.contains(file.folder ?? file.name) ?? true
    }.map { number, file in
      let isProbable = names != nil && file.folder == nil
      return (
        Place(path: inner + file.name, role: .other(number), isProbable: isProbable),
        DomainPlaces(wellKnown: number)
      )
    }
  }

  /// Adds the identities of what `others` found when the entry was read, in the same order.
  func addIdentities(
    ofOthers known: DomainPlaces, of entry: DomainFolder.Entry, in directory: borrowing Directory,
    to hasher: inout Hasher
  ) {
    for path in folders(of: entry, known) + others(of: entry, known) {
      Self.addIdentity(of: path, in: directory, to: &hasher)
    }
  }

  /// The folders below `.well-known` that were there when the entry was read.
  func folders(of entry: DomainFolder.Entry, _ known: DomainPlaces) -> [String] {
    if !known.hasOthers { return [] }
    return wellKnown.folders.enumerated().filter { known.contains(DomainPlaces(folder: $0.offset)) }
      .map { wellKnownFolder(of: entry) + $0.element }
  }

  /// The files that were there when the entry was read.
  func others(of entry: DomainFolder.Entry, _ known: DomainPlaces) -> [String] {
    if !known.hasOthers { return [] }
    return wellKnown.files.enumerated()
      .filter { known.contains(DomainPlaces(wellKnown: $0.offset)) }
      .map { wellKnownFolder(of: entry) + $0.element.name }
  }
}
