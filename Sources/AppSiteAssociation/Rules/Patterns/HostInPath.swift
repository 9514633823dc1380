internal import Diagnostics

struct HostInPath: ValidationRule {
  static let code = "A093"
  static let severity = Diagnostic.Severity.warning
  static let name = "host-in-path"
  static let documentation = RuleDocumentation(
    what: "a path pattern begins with what looks like a host",
    consequence:
      "a pattern is compared with the path alone: the host would have to be in the path again",
    grade: .reasoned,
    wrong: #"{ "/": "www.example.com/buy/*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path {
      guard let range = hostRange(in: use.bytes) else { continue }
      let host = String(decoding: use.bytes[range], as: UTF8.self)
      let rest = String(decoding: use.bytes[range.upperBound...], as: UTF8.self)
      findings.report(
        use.range(range, in: file.source), "`\(host)` at the beginning of a path looks like a host",
        help: "write the path alone: `\(rest.isEmpty ? "*" : rest)`")
    }
  }
  /// The first segment, when it is `www.…` or ends like most hosts do.
  private static func hostRange(in bytes: [UInt8]) -> Range<Int>? {
    let start = bytes.first == UInt8(ascii: "/") ? 1 : 0
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let segment = bytes[start..<end]
    let isHost = segment.allSatisfy {
      isASCIILetter($0) || isASCIIDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "*")
    }
    guard isHost, let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > start else {
      return nil
    }
    let name = String(decoding: segment[(dot + 1)...], as: UTF8.self).lowercased()
    return segment.starts(with: "www.".utf8) || endings.contains(name) ? start..<end : nil
  }

  private static let endings: Set<String> = [
    "com", "org", "net", "io", "dev", "co", "de", "uk", "fr", "jp", "cn", "eu", "edu", "gov",
  ]
}
