internal import Bytes
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix
internal import Settings

/// The user's settings. Lines up to an empty one: `NAME=value` for a variable, `key=value` for a
/// flag; then server.json.
///
/// The settings in force can be printed, and have the same effect when written as flags.
@Sendable func fuzzConfiguration(_ bytes: [UInt8]) {
  let given = Given(bytes)
  let resolution = given.resolution
  let hasError = resolution.diagnostics.contains { $0.severity == .error }
  precondition((resolution.configuration == nil) == hasError)
  for diagnostic in resolution.diagnostics { check(diagnostic, given.file.count) }
  guard let configuration = resolution.configuration else { return }
  visit(configuration)

  let settings = Setting.all.filter { $0.key != "config" && !configuration.text(of: $0).isEmpty }
  let flags = settings.map { ($0.key, [configuration.text(of: $0)]) }
  let again = Configuration.resolve(
    flags: Dictionary(uniqueKeysWithValues: flags), environment: [:]
  ) { (path: String) throws(SystemError) -> [UInt8] in
    throw SystemError("open", path, code: 2)
  }
  guard let again = again.configuration else {
    preconditionFailure("\(again.diagnostics.map(\.line))")
  }
  for setting in settings {
    precondition(again.text(of: setting) == configuration.text(of: setting), setting.key)
  }
  precondition(again.http == configuration.http && again.https == configuration.https)
}

/// The bytes as sources of settings.
private struct Given {
  var flags: [String: [String]] = [:]
  var environment: [String: String] = [:]
  let file: [UInt8]

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A), flags.count + environment.count < 20 {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if line.isEmpty { break }
      let equals = line.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
      let name = String(decoding: line[..<equals], as: UTF8.self)
      let value = String(decoding: line[equals...].dropFirst(), as: UTF8.self)
      if Setting.named(name) != nil {
        flags[name, default: []].append(value)
      } else {
        environment[name] = value
      }
    }
    file = Array(rest)
  }

  var resolution: Resolution {
    Configuration.resolve(flags: flags, environment: environment) {
      (path: String) throws(SystemError) -> [UInt8] in
      // One of the default places has it, and so has every other path but those that begin with x.
      if path == Configuration.defaultFiles[0] || path.hasPrefix("x") {
        throw SystemError("open", path, code: 2)
      }
      return file
    }
  }
}

private func check(_ diagnostic: Diagnostic, _ count: Int) {
  precondition(isOneLine(diagnostic.line) && !diagnostic.message.isEmpty)
  if let range = diagnostic.location?.place?.range {
    precondition(0 <= range.lowerBound && range.upperBound <= count + 1)
  }
}

private func visit(_ configuration: Configuration) {
  precondition(!(configuration.http.isEmpty && configuration.https.isEmpty))
  let connections = configuration.connections
  precondition(connections.request.targetBytes < connections.request.headBytes)
  precondition(connections.headTimeout > 0 && connections.idleTimeout > 0)
  // It is in every answer, so it must not contain anything that ends a field.
  precondition(configuration.hosting.cacheControl.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  for alias in configuration.hosting.aliases {
    precondition(isHostName(alias.from.description) && isHostName(alias.to))
  }
  for address in configuration.http + configuration.https {
    precondition(!address.addresses.isEmpty)
  }
  precondition(configuration.lines.allSatisfy(isOneLine))
  let text = SourceText(path: "fuzz", bytes: Array(configuration.json.utf8))
  guard let members = try? Document(parsing: text).root.members else {
    preconditionFailure("the printed JSON can be parsed")
  }
  precondition(Array(members).count == Setting.all.count)
}

/// Its content must not end a line of a log, or control a terminal.
func isOneLine(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
}
