internal import AppSiteAssociation
internal import Posix
internal import Settings

/// The well-known files besides those of app associations.
///
/// Nearly all hosts have none. So reading lists the folder once instead of looking up each name,
/// and the sweep checks only names that were there.
extension DomainObserver {
  /// The folder `.well-known` of an entry, with a slash at its end.
  private func wellKnownFolder(of entry: DomainFolder.Entry) -> String {
    (entry.folder ?? "") + "/.well-known/"
  }

  /// The names in `.well-known` that mean something.
  enum WellKnownNames {
    /// There is no such folder.
    case none
    case listed([String])
    /// The folder can be searched but not listed: each name is looked up.
    case unlisted

    func mayContain(_ name: String) -> Bool {
      switch self {
      case .none: false
      case .listed(let names): names.contains(name)
      case .unlisted: true
      }
    }

    var areListed: Bool {
      if case .listed = self { true } else { false }
    }
  }

  /// Observes the folder `.well-known` itself, and lists it.
  func names(
    in path: String, of entry: DomainFolder.Entry, _ host: Host, _ directory: borrowing Directory,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) -> WellKnownNames {
    do throws(SystemError) {
      let (status, names) = try directory.list(path)
      hasher.combine(status)
      observation.devices.wellKnown = UInt32(truncatingIfNeeded: status.device)
      let own = [
        "apple-app-site-association", "assetlinks.json", VerdictPolicy.fileName,
        "apple-app-site-association.cases", entry.name.entryName + ".cases",
      ]
      var known: [String] = []
      for name in names {
        if own.contains(name) || wellKnown.contains(name) {
          known.append(name)
        } else {
          observation.unknownNames.append(name)
        }
      }
      return .listed(known)
    } catch {
      let status = enter(path, host.path + ".well-known", in: directory, &observation, &hasher)
      return status?.kind == .directory ? .unlisted : .none
    }
  }

  /// The places of files that may exist, in their order. The page is the last one.
  func others(_ names: WellKnownNames, of entry: DomainFolder.Entry) -> [Place] {
    // `HOST.page.html` counts before it.
    let page =
      entry.pageFile != nil
      ? []
      : [
        Place(
          folder: .host, name: WellKnownFile.page.name, role: .other(wellKnown.page),
          position: DomainPlaces(wellKnown: wellKnown.page))
      ]
    switch names {
    case .none: return page
    case .listed(let names) where !names.contains(where: wellKnown.contains): return page
    default: break
    }
    return wellKnown.files.enumerated().filter {
      !$0.element.isPage && names.mayContain($0.element.folder ?? $0.element.name)
    }
    .map { number, file in
      Place(
        folder: .wellKnown, name: file.name, role: .other(number),
        position: DomainPlaces(wellKnown: number),
        isProbable: names.areListed && file.folder == nil)
    } + page
  }

  /// Adds the identities of the folders below `.well-known` that files may be in.
  func addFolders(
    of places: [Place], in path: String, _ directory: borrowing Directory,
    _ observation: inout DomainObservation, _ hasher: inout Hasher
  ) {
    for (number, folder) in wellKnown.folders.enumerated()
    where places.contains(where: { $0.name.hasPrefix(folder + "/") })
      && directory.find("\(path)/\(folder)") != .nothing
    {
      observation.places.insert(DomainPlaces(folder: number))
      Self.addIdentity(of: "\(path)/\(folder)", in: directory, to: &hasher)
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
      .compactMap { _, file in
        if !file.isPage { return wellKnownFolder(of: entry) + file.name }
        return entry.pageFile == nil ? entry.folder.map { "\($0)/\(file.name)" } : nil
      }
  }
}
