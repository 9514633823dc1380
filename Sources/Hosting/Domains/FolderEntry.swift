extension DomainFolder {
  /// What makes one entry: at most one file and one folder, and at most one asset links file.
  ///
  /// Small, for there may be a hundred thousand: names that follow from the host are not kept.
  package struct Entry: Sendable, Equatable {
    package let name: DomainName
    /// The parts that have their usual names.
    private var usual: Usual = []
    private var others: Others?

    fileprivate struct Usual: OptionSet {
      let rawValue: UInt8
    }

    /// The names of the other parts.
    private final class Others: Sendable, Equatable {
      let names: [Part: String]

      init(_ names: [Part: String]) { self.names = names }

      static func == (left: Others, right: Others) -> Bool { left.names == right.names }
    }

    init(name: DomainName) { self.name = name }

    /// The name of `HOST.json`.
    package var file: String? { name(of: .file) }
    /// The name of the folder `HOST/`.
    package var folder: String? { name(of: .folder) }
    /// The name of `HOST.assetlinks.json`.
    package var assetLinksFile: String? { name(of: .assetLinks) }

    /// The names in the folder that make it.
    var names: [String] { [file, folder, assetLinksFile].compactMap(\.self) }

    private func name(of part: Part) -> String? {
      usual.contains(part.option) ? usualName(part) : others?.names[part]
    }

    private func usualName(_ part: Part) -> String? {
      guard case .host(let host) = name else { return nil }
      switch part {
      case .file: return host + ".json"
      case .folder: return host
      case .assetLinks: return host + ".assetlinks.json"
      case .cases: return nil
      }
    }

    /// Adds a part. Returns the name of that part when there is one already: nothing changes then.
    mutating func add(_ name: String, as part: Part) -> String? {
      if let before = self.name(of: part) { return before }
      replace(part, by: name)
      return nil
    }

    mutating func replace(_ part: Part, by name: String) {
      if others == nil && isUsual(name, part) {
        usual.insert(part.option)
        return
      }
      var names = others?.names ?? [:]
      if isUsual(name, part) {
        usual.insert(part.option)
        names[part] = nil
      } else {
        usual.remove(part.option)
        names[part] = name
      }
      others = names.isEmpty ? nil : Others(names)
    }

    /// Without a text being made.
    private func isUsual(_ text: String, _ part: Part) -> Bool {
      guard case .host(let host) = name else { return false }
      if part == .folder { return text == host }
      let suffix = part == .file ? ".json" : part == .assetLinks ? ".assetlinks.json" : ""
      return text.utf8.count == host.utf8.count + suffix.utf8.count
        && text.utf8.starts(with: host.utf8) && text.hasSuffix(suffix)
    }
  }
}

extension DomainFolder.Part {
  fileprivate var option: DomainFolder.Entry.Usual {
    switch self {
    case .file: .init(rawValue: 1)
    case .folder: .init(rawValue: 2)
    case .assetLinks: .init(rawValue: 4)
    case .cases: []
    }
  }
}
