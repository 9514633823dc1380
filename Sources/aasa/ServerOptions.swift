internal import ArgumentParser
internal import Keeping
internal import Settings

/// One flag for each setting in the table of settings.
///
/// ArgumentParser finds flags by reflection, and sets their values by decoding. This type
/// implements reflection and decoding itself. A test checks that each setting has a flag.
struct ServerOptions: ParsableArguments, CustomReflectable {
  /// The values of the flags that the user gave, by setting key.
  private(set) var flags: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    for settings in options { try decode(settings, from: decoder) }
  }

  fileprivate mutating func decode(
    _ settings: [(key: String, option: any Sendable)], from decoder: any Decoder
  ) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for (key, option) in settings {
      let place = Key(stringValue: key)
      if option is Option<[String]> {
        let values = try container.decode(Option<[String]>.self, forKey: place).wrappedValue
        flags[key] = values.isEmpty ? nil : values
      } else if let value = try container.decode(Option<String?>.self, forKey: place).wrappedValue {
        flags[key] = [value]
      }
    }
  }

  var customMirror: Mirror { Mirror(self, children: options.joined().map { ($0.key, $0.option) }) }

  /// The key of a setting, or of another option, in ArgumentParser's decoder.
  struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

// MARK: Headings

extension ServerOptions {
  private static let headings: [any SettingHeading.Type] = [
    Heading<0>.self, Heading<1>.self, Heading<2>.self, Heading<3>.self, Heading<4>.self,
    Heading<5>.self, Heading<6>.self,
  ]

  /// The flags, grouped by the headings of the table. A debug build of ArgumentParser checks each
  /// group repeatedly, so commands that hide these flags do not group them.
  static var groups: [Mirror.Child] { headings.map { $0.child } }

  /// Decodes grouped flags.
  init(groupsFrom decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for heading in Self.headings { flags.merge(try heading.flags(in: container)) { $1 } }
  }
}

/// Each heading is a type, because ArgumentParser supports only one title per type.
private protocol SettingHeading: ParsableArguments {
  static var number: Int { get }
  var values: ServerOptions { get }
}

extension SettingHeading {
  fileprivate static var child: Mirror.Child {
    (label: "heading\(number)", value: OptionGroup<Self>(title: Setting.groups[number].title))
  }

  fileprivate static func flags(
    in container: KeyedDecodingContainer<ServerOptions.Key>
  ) throws -> [String: [String]] {
    try container.decode(OptionGroup<Self>.self, forKey: .init(stringValue: "heading\(number)"))
      .wrappedValue.values.flags
  }
}

/// The flags of one heading.
private struct Heading<let index: Int>: SettingHeading, CustomReflectable {
  private(set) var values = ServerOptions()

  static var number: Int { index }

  init() {}

  init(from decoder: any Decoder) throws { try values.decode(options[index], from: decoder) }

  var customMirror: Mirror {
    Mirror(self, children: options[index].map { ($0.key, $0.option) })
  }
}

/// Created once, because ArgumentParser reads them many times.
private let options = Setting.groups.map {
  $0.settings.map { (key: $0.key, option: option(for: $0)) }
}

private func option(for setting: Setting) -> any Sendable {
  let name = NameSpecification.customLong(setting.flagName)
  let repeatable = setting.isRepeatable ? ", repeatable" : ""
  let help = ArgumentHelp(
    "\(setting.help) (default: \(setting.defaultDescription)\(repeatable))",
    valueName: setting.valueName)
  if setting.isRepeatable { return Option<[String]>(wrappedValue: [], name: name, help: help) }
  let completion: CompletionKind =
    switch setting.valueKind {
    case .file: .file()
    case .folder: .directory
    case .words(let words): .list(words)
    case .other: .default
    }
  // Accept values that begin with a hyphen, because a value in base64url may.
  let parsing: SingleValueParsingStrategy =
    setting.valueName == "THUMBPRINT" ? .unconditional : .next
  return Option<String?>(name: name, parsing: parsing, help: help, completion: completion)
}
