internal import ArgumentParser
internal import Keeping
internal import Settings

/// One flag for each setting, made from the table of settings.
///
/// ArgumentParser finds flags by reflection and their values by decoding, so both are provided
/// here. A test checks that each setting has its flag.
struct ServerOptions: ParsableArguments, CustomReflectable {
  /// The given flags with their values, by the keys of their settings.
  private(set) var flags: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for setting in Setting.all {
      let key = Key(stringValue: setting.key)
      if setting.isRepeatable {
        flags[setting.key] = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
      } else if let value = try container.decode(Option<String?>.self, forKey: key).wrappedValue {
        flags[setting.key] = [value]
      }
    }
    flags = flags.filter { !$0.value.isEmpty }
  }

  var customMirror: Mirror {
    Mirror(self, children: Self.options.map { (label: $0.key, value: $0.option) })
  }

  /// Created once, because ArgumentParser reads them many times.
  private static let options = Setting.all.map { (key: $0.key, option: option(for: $0)) }

  private static func option(for setting: Setting) -> any Sendable {
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
    // Base64 for URLs may begin with a hyphen.
    let parsing: SingleValueParsingStrategy =
      setting.valueName == "THUMBPRINT" ? .unconditional : .next
    return Option<String?>(name: name, parsing: parsing, help: help, completion: completion)
  }

  /// The key of a setting, or of another option, in ArgumentParser's decoder.
  struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
