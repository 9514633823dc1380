import HTTP

@testable import Catalog
@testable import Settings

/// A catalog of three hosts: `a.test` with a small file, `large.test` with one that is sent from
/// where it is, `broken.test` with none that can be served.
enum TestCatalog {
  static let small = Array(#"{"a":1}"#.utf8)
  /// Without pattern, so that it stays as large when compressed.
  static let large: [UInt8] = {
    var state: UInt64 = 7
    return (0..<131_072).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  static func make() -> Catalog {
    var store = ContentStore(cacheControl: "no-cache")
    func site(_ host: String, _ bytes: [UInt8]?) -> Site {
      let association =
        bytes.map { bytes in
          let content = store.adopt(
            store.maker.content(of: bytes, kind: .file(WellKnownFiles.association)))
          while store.hasUncompressed { store.compressNext() }
          return Availability.served(ServedFile(content: content, lastModified: 0))
        } ?? .unavailable
      return Site(name: .host(host), answers: [association])
    }
    let sites = [site("a.test", small), site("large.test", large), site("broken.test", nil)]
    return Catalog(sites: sites, aliases: [], material: nil)
  }
}

/// One request for an association file.
func request(_ host: String = "a.test", method: String = "GET", _ fields: String...) -> String {
  "\(method) /apple-app-site-association HTTP/1.1\r\nHost: \(host)\r\n"
    + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// A response as a client sees it.
struct Response: Equatable {
  var status: Int
  var fields: [String]
  var body: [UInt8]

  func has(_ field: String) -> Bool { fields.contains { $0.lowercased() == field.lowercased() } }
}

/// Reads all responses in `bytes`, by their lengths; nil when they do not fit together.
///
/// The Date field is left out, so that responses can be compared.
func responses(in bytes: [UInt8], toHead: Bool = false) -> [Response]? {
  var result: [Response] = []
  var rest = bytes[...]
  let end = Array("\r\n\r\n".utf8)
  while !rest.isEmpty {
    guard let headEnd = rest.firstRange(of: end) else { return nil }
    let lines = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    rest = rest[headEnd.upperBound...]
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    let fields = lines.dropFirst().filter { !$0.hasPrefix("Date: ") }
    guard fields.count == lines.count - 2 || status == 100 else { return nil }
    let length = fields.first { $0.hasPrefix("Content-Length: ") }
      .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
    let count = toHead ? 0 : length ?? 0
    guard rest.count >= count else { return nil }
    result.append(Response(status: status, fields: fields, body: Array(rest.prefix(count))))
    rest = rest.dropFirst(count)
  }
  return result
}

extension ArraySlice<UInt8> {
  fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
    guard count >= pattern.count else { return nil }
    for start in startIndex...(endIndex - pattern.count)
    where self[start] == pattern[0] && self[start..<(start + pattern.count)].elementsEqual(pattern)
    {
      return start..<(start + pattern.count)
    }
    return nil
  }
}
