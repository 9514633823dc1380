internal import ArgumentParser
internal import Settings

/// One flag for each setting in the table of settings. Help shows the flags under the headings of
/// the table.
///
/// ArgumentParser finds flags by reflection, and sets their values by decoding. This type
/// implements reflection and decoding itself. A test checks that each setting has a flag.
struct ServerOptions: ParsableArguments, CustomReflectable {
  /// Whether the flags are grouped by heading. Only help needs the groups. In a debug build,
  /// ArgumentParser checks each group many times, so other commands start faster without groups.
  @TaskLocal static var isGrouped = true

  /// The values of the flags that the user gave, keyed by setting.
  private(set) var flags: [String: [String]] = [:]

  private static let headings: [any SettingHeading.Type] = [
    Heading<0>.self, Heading<1>.self, Heading<2>.self, Heading<3>.self, Heading<4>.self,
    Heading<5>.self, Heading<6>.self,
  ]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard Self.isGrouped else {
      flags = try decodedFlags(of: Setting.groups.flatMap(\.settings), in: container)
      return
    }
    for heading in Self.headings { flags.merge(try heading.flags(in: container)) { $1 } }
  }

  var customMirror: Mirror {
    if Self.isGrouped { return Mirror(self, children: Self.headings.map { $0.child }) }
    return mirror(self, options.flatMap { $0 })
  }

  /// The key of a setting, or of another option, in ArgumentParser's decoder.
  struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// The options under one heading. Each heading is a type, because ArgumentParser supports only one
/// title per type.
private protocol SettingHeading: ParsableArguments {
  static var number: Int { get }
  var flags: [String: [String]] { get }
}

extension SettingHeading {
  fileprivate static var child: Mirror.Child {
    (label: "heading\(number)", value: OptionGroup<Self>(title: Setting.groups[number].title))
  }

  fileprivate static func flags(
    in container: KeyedDecodingContainer<ServerOptions.Key>
  ) throws -> [String: [String]] {
    try container.decode(OptionGroup<Self>.self, forKey: .init(stringValue: "heading\(number)"))
      .wrappedValue.flags
  }
}

/// The flags below the heading with this index.
private struct Heading<let index: Int>: SettingHeading, CustomReflectable {
  private(set) var flags: [String: [String]] = [:]

  static var number: Int { index }

  init() {}

  init(from decoder: any Decoder) throws {
    flags = try decodedFlags(
      of: Setting.groups[index].settings,
      in: decoder.container(keyedBy: ServerOptions.Key.self))
  }

  var customMirror: Mirror { mirror(self, options[index]) }
}

private func decodedFlags(
  of settings: [Setting], in container: KeyedDecodingContainer<ServerOptions.Key>
) throws -> [String: [String]] {
  var flags: [String: [String]] = [:]
  for setting in settings {
    let key = ServerOptions.Key(stringValue: setting.key)
    if setting.isRepeatable {
      let values = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
      flags[setting.key] = values.isEmpty ? nil : values
    } else if let value = try container.decode(Option<String?>.self, forKey: key).wrappedValue {
      flags[setting.key] = [value]
    }
  }
  return flags
}

/// The options by heading. These options are created only once, because ArgumentParser reads them
/// many times.
private let options = Setting.groups.map {
  $0.settings.map { (key: $0.key, option: option(for: $0)) }
}

private func mirror<Group>(_ group: Group, _ options: [(key: String, option: any Sendable)])
  -> Mirror
{
  Mirror(group, children: options.map { (label: $0.key, value: $0.option) })
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
  // Accept a thumbprint that begins with a hyphen, because base64url uses hyphens.
  let parsing: SingleValueParsingStrategy =
    setting.valueName == "THUMBPRINT" ? .unconditional : .next
  return Option<String?>(name: name, parsing: parsing, help: help, completion: completion)
}
