import Foundation

/// The JSON Schema of a command's output, of which `Documentation/schemas` has one for each. Every
/// JSON output of every test is compared with it.
struct OutputSchema {
  private let root: [String: Any]

  init(named name: String) throws {
    let path = repositoryFile("Documentation/schemas/\(name).json")
    let tree = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
    root = tree as? [String: Any] ?? [:]
  }

  /// Why the output of a command is not what its schema says.
  static func faults(in output: [UInt8], of arguments: [String]) throws -> [String] {
    let isJSON =
      arguments.contains("--json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    let words = arguments.prefix(2).joined(separator: "-")
    let names =
      ["validate", "check", "match", "test", "diff", "status", "onboard", "wait", "hosts"]
      + ["config"]
    guard isJSON, !output.isEmpty,
      let name = words == "acme-status" ? words : names.first(where: { $0 == arguments.first })
    else { return [] }
    // One value, or one on each line.
    let data = Data(output)
    let whole = try? JSONSerialization.jsonObject(with: data)
    let values =
      try whole.map { [$0] }
      ?? data.split(separator: 0x0A).map { try JSONSerialization.jsonObject(with: $0) }
    return try values.flatMap { value in
      let isOfSeveral = name == "status" && (value as? [String: Any])?["servers"] != nil
      let schema = try OutputSchema(named: isOfSeveral ? "status-of-several" : name)
      return schema.faults(value, schema.root, "")
    }
  }

  /// The part of JSON Schema that our schemas use.
  private func faults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last,
      let target = (root["$defs"] as? [String: Any])?[String(name)] as? [String: Any]
    {
      return faults(value, target, path)
    }
    if let allowed = schema["enum"] as? [String] {
      return (value as? String).map(allowed.contains) == true ? [] : ["\(path): \(value)"]
    }
    let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? ""]
    guard types.contains(type(of: value)) else { return ["\(path): no \(types): \(value)"] }
    if let items = schema["items"] as? [String: Any] {
      return (value as? [Any] ?? []).flatMap { faults($0, items, path + "[]") }
    }
    guard let object = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let required = schema["required"] as? [String] ?? []
    let missing = required.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
    return missing
      + object.flatMap { key, member in
        let other = schema["additionalProperties"] as? [String: Any]
        guard let rule = properties[key] ?? other else { return ["\(path).\(key) is unknown"] }
        return faults(member, rule, "\(path).\(key)")
      }
  }

  private func type(of value: Any) -> String {
    if value is [Any] { return "array" }
    if value is [String: Any] { return "object" }
    if value is String { return "string" }
    guard let number = value as? NSNumber else { return "null" }
    return String(cString: number.objCType) == "c" ? "boolean" : "integer"
  }
}
