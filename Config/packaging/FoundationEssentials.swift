// Stands in for the module of the same name in packages and in the image, of whose programs the real
// one would be a third. This is all that ArgumentParser 1.8 uses of it, for what `aasa man` reads and
// for errors with a description of their own, which nothing here throws. The compiler says if a later
// version uses more.

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public struct Data {
  fileprivate let text: String
}

extension String {
  public struct Encoding: Sendable { public static let utf8 = Encoding() }

  public init?(data: Data, encoding: Encoding) { self = data.text }
}

public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// Has no effect.
  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode(_ value: some Encodable) -> Data { Data(text: json(value)) }
}

/// Structures, lists, texts, numbers and names of cases, as `Codable` writes them by itself.
private func json(_ value: Any) -> String {
  switch value {
  case let text as String: return quoted(text)
  case is Int, is Bool: return "\(value)"
  default: break
  }
  let mirror = Mirror(reflecting: value)
  let children = mirror.children
  switch mirror.displayStyle {
  case .optional: return children.first.map { json($0.value) } ?? "null"
  case .collection: return "[" + children.map { json($0.value) }.joined(separator: ",") + "]"
  case .enum where children.isEmpty: return quoted("\(value)")
  default:
    let members = children.map { (quoted($0.label ?? ""), json($0.value)) }
    let present = members.filter { $0.1 != "null" }
    return "{" + present.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
  }
}

private func quoted(_ text: String) -> String {
  let characters = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    default: String(scalar)
    }
  }
  return "\"" + characters.joined() + "\""
}
