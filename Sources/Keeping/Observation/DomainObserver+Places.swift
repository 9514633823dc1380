internal import Settings

/// The places where the files of an entry may be.
extension DomainObserver {
  /// The role of the file at a place.
  enum Role: Equatable {
    /// The file with this number in `WellKnownFiles`.
    case file(Int)
    case cases, hosts
  }

  /// The folder that contains a file.
  enum Folder {
    /// The domains folder.
    case domains
    /// The folder of the host, and its folder `.well-known`.
    case host, wellKnown

    /// The path of this folder relative to the folder of the host.
    var prefix: String { self == .wellKnown ? ".well-known/" : "" }
    /// The place of the policy file in this folder.
    var policy: FileLocations { self == .wellKnown ? .wellKnownPolicy : .policy }
  }

  struct Place {
    let folder: Folder
    /// The name of the file. For a file in a folder below `.well-known`, the path relative to
    /// `.well-known`.
    let name: String
    let role: Role
    /// The bit that represents this place.
    let position: FileLocations
    /// Whether the file probably exists. Such a file is opened immediately. For any other file, the
    /// status is checked first, because this is cheaper if the file is missing.
    var isProbable = false
  }

  /// Returns the places of an entry in the domains folder itself.
  func flatPlaces(of entry: DomainFolder.Entry) -> [Place] {
    let parts: [(DomainFolder.Part, Role)] = [
      (.file, .file(WellKnownFiles.association)), (.assetLinks, .file(WellKnownFiles.assetLinks)),
      (.page, .file(wellKnown.page)), (.hosts, .hosts), (.cases, .cases),
    ]
    return parts.compactMap { part, role in
      entry.name(of: part).map {
        Place(
          folder: .domains, name: $0, role: role, position: FileLocations(flat: part),
          isProbable: true)
      }
    }
  }

  /// Returns the places of an entry in its own folders. Expectations come last. Therefore, if a new
  /// version of a file is read, expectations that were written earlier than this version are read
  /// too.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the files that may be in `.well-known`.
  ///   - areListed: Whether a listing of `.well-known` has just shown these files.
  func ownPlaces(
    of entry: DomainFolder.Entry, _ numbers: some Sequence<Int>, areListed: Bool = false
  ) -> [Place] {
    var places: [Place] = []
    for number in numbers where number != wellKnown.page {
      let file = wellKnown.files[number]
      places.append(
        Place(
          folder: .wellKnown, name: file.name, role: .file(number),
          position: FileLocations(file: number), isProbable: areListed && file.folder == nil))
    }
    for number in [WellKnownFiles.association, WellKnownFiles.assetLinks] {
      places.append(
        Place(
          folder: .host, name: wellKnown.files[number].name, role: .file(number),
          position: FileLocations(hostFile: number)))
    }
    // `HOST.page.html` takes precedence over `page.html`.
    if entry.pageFile == nil {
      places.append(
        Place(
          folder: .host, name: WellKnownFile.page.name, role: .file(wellKnown.page),
          position: FileLocations(file: wellKnown.page)))
    }
    for folder in [Folder.wellKnown, .host] {
      for (index, name) in casesNames(of: entry).enumerated() {
        places.append(
          Place(
            folder: folder, name: name, role: .cases,
            position: FileLocations(cases: index, in: folder)))
      }
    }
    return places
  }

  /// Returns the possible names of the files of expectations in the folders of an entry.
  func casesNames(of entry: DomainFolder.Entry) -> [String] {
    [WellKnownFile.association.name + ".cases", entry.name.entryName + ".cases"]
  }

  /// Returns the possible paths of the file with this number. The first existing file is served.
  func paths(of entry: DomainFolder.Entry, _ number: Int) -> [String] {
    let start = root.isEmpty ? "" : root + "/"
    let own = entry.folder.map { folder in
      ownPlaces(of: entry, [number]).filter { $0.role == .file(number) }
        .map { "\(folder)/\($0.folder.prefix)\($0.name)" }
    }
    let flat = flatPlaces(of: entry).filter { $0.role == .file(number) }.map(\.name)
    return (flat + (own ?? [])).map { start + $0 }
  }
}
