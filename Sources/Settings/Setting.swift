internal import JSON

/// A setting of the program: one row of the table that generates flags, variables, keys of
/// server.json, help, manual pages and the table in the documentation. The default of the setting
/// is the initial value of the setting's field in `Configuration`.
package struct Setting: Sendable, CustomStringConvertible {
  /// When a new value in server.json takes effect: as soon as the server reads server.json again
  /// after SIGHUP, or only after a restart.
  package enum Change: String, Sendable {
    case atOnce = "at once"
    case afterRestart = "after a restart"
  }

  /// The completions that a shell can offer for the value.
  package enum ValueKind: Sendable {
    case file, folder
    /// The value must be one of these words.
    case words([String])
    case other
  }

  /// The key in server.json.
  package let key: String
  /// The flag without its leading hyphens. If the flag may be repeated, each use adds entries to
  /// the list.
  package let flagName: String
  /// The placeholder of the value in help, for example `ADDRESS:PORT`.
  package let valueName: String
  package let valueKind: ValueKind
  /// Whether the flag may be given several times to add entries to a list.
  package let isRepeatable: Bool
  package let change: Change
  /// One sentence that starts in lower case and has no full stop.
  package let help: String
  /// The default as a user would write it. Empty if the default is an empty list, and for the
  /// setting `config`.
  package let defaultText: String
  /// The default in words, for help and documentation, if `defaultText` is not clear by itself.
  package let defaultDescription: String

  /// The setting's field in `Configuration`.
  let path: any PartialKeyPath<Configuration> & Sendable
  let text: @Sendable (Configuration) -> String
  let parse: @Sendable (inout Configuration, [String]) throws(Fault) -> Void
  let read: @Sendable (inout Configuration, Value) throws(LocatedFault) -> Void
  let copy: @Sendable (_ source: Configuration, inout Configuration) -> Void
  /// If the setting is a relative path, puts `folder` in front of the path.
  let place: @Sendable (inout Configuration, _ folder: String) -> Void

  /// - Parameters:
  ///   - defaultDescription: The default in words, if `defaultText` is not clear by itself.
  ///   - flag: The flag's name, if it differs from the key with hyphens.
  init<Content>(
    _ key: String, _ path: any WritableKeyPath<Configuration, Content> & Sendable,
    _ form: Form<Content>, _ valueName: String, default defaultDescription: String? = nil,
    flag: String? = nil, changes change: Change, _ help: String
  ) {
    let defaultText = form.text(Configuration()[keyPath: path])
    let member = Form<Content>.Member(
      key: key, example: form.example ?? (form.isNumber ? defaultText : "\"\(defaultText)\""))
    self.key = key
    self.path = path
    self.valueName = valueName
    self.change = change
    self.help = help
    self.defaultText = defaultText
    self.defaultDescription = defaultDescription ?? (defaultText.isEmpty ? "none" : defaultText)
    flagName = flag ?? words(of: key, separator: "-")
    valueKind = form.kind
    isRepeatable = form.isList
    text = { form.text($0[keyPath: path]) }
    parse = { (configuration, texts) throws(Fault) in
      configuration[keyPath: path] = try form.parse(texts)
    }
    read = { (configuration, value) throws(LocatedFault) in
      configuration[keyPath: path] = try form.read(value, member)
    }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    place = { configuration, folder in
      guard let place = form.place else { return }
      configuration[keyPath: path] = place(configuration[keyPath: path], folder)
    }
  }

  package static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

  /// The flag with its hyphens, for example `--head-bytes`.
  package var flag: String { "--" + flagName }

  /// The environment variable, for example `AASA_HEAD_BYTES`.
  package var variable: String { "AASA_" + words(of: key, separator: "_").uppercased() }

  package var description: String { key }
}

/// Splits a key into words: `headBytes` becomes `head-bytes`.
private func words(of key: String, separator: Character) -> String {
  var result = ""
  for character in key {
    if character.isUppercase { result.append(separator) }
    result += character.lowercased()
  }
  return result
}
