internal import AppSiteAssociation
internal import Bytes
internal import Checking

/// Finds the public name in the output of a tunnel program.
struct TunnelOutput {
  private let choice: TunnelChoice
  private var line: [UInt8] = []
  /// The last line of the output that is not empty. If the tunnel program fails, this line often
  /// contains the reason.
  private(set) var lastLine = ""

  init(_ choice: TunnelChoice) { self.choice = choice }

  /// Processes more output. Returns the last public origin in the lines that are complete; nil if
  /// these lines contain no origin.
  mutating func take(_ bytes: [UInt8]) -> String? {
    var origin: String?
    for byte in bytes {
      if byte == 0x0A || byte == 0x0D {
        origin = endLine() ?? origin
      } else if line.count < DevLimits.tunnelLineBytes {
        line.append(byte)
      }
    }
    return origin
  }

  /// Processes the last line of the output. Returns the public origin in this line; nil if this
  /// line contains no public origin.
  mutating func end() -> String? { endLine() }

  private mutating func endLine() -> String? {
    defer { line = [] }
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(where: { !$0.isWhitespace }) { lastLine = text }
    return Self.origin(in: text, choice)
  }

  /// Returns the public origin in a line of output; nil if the line contains no public origin.
  static func origin(in line: String, _ choice: TunnelChoice) -> String? {
    let all = origins(in: line)
    switch choice {
    // cloudflared prints the origin in a box. Other lines contain links to documentation.
    case .cloudflared:
      return all.first {
        $0.hasSuffix(".trycloudflare.com") && $0 != "https://api.trycloudflare.com"
      }
    // ngrok prints the origin in logfmt, as url=https://….
    case .ngrok:
      return line.contains("url=https://") ? all.last : nil
    case .command: return all.first
    case .none: return nil
    }
  }

  /// Returns each origin `https://HOST[:PORT]` in a line if the origin's host is a public name.
  /// Omits URLs with a path, because these URLs are links to documentation.
  private static func origins(in line: String) -> [String] {
    var result: [String] = []
    let scheme = Array("https://".utf8)
    let bytes = Array(line.utf8)
    var index = 0
    while index + scheme.count < bytes.count {
      guard bytes[index...].starts(with: scheme) else {
        index += 1
        continue
      }
      index += scheme.count
      let name = bytes[index...].prefix(while: isOriginByte)
      index += name.count
      let rest = bytes[index...].prefix(while: isReferenceByte)
      guard rest.isEmpty || rest.elementsEqual([UInt8(ascii: "/")]) else { continue }
      let text = String(decoding: name, as: UTF8.self).lowercased()
      let bare = text.hasSuffix(":") || text.hasSuffix(".") ? String(text.dropLast()) : text
      if let target = try? HostTarget(bare), target.isPublicName {
        result.append("https://" + bare)
      }
    }
    return result
  }

  /// Whether a byte after an origin belongs to the same URL. False for punctuation at the end of a
  /// sentence.
  private static func isReferenceByte(_ byte: UInt8) -> Bool {
    isOriginByte(byte) || "/?#=_%&".utf8.contains(byte)
  }

  private static func isOriginByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-.:".utf8.contains(byte)
  }
}
