import HTTP
import Testing

@Suite struct PathComparisonTests {
  private func matches(_ path: String, _ literal: String) -> Bool {
    let bytes = Array("GET \(path) ".utf8)
    return pathEquals(bytes.span, 4..<4 + path.utf8.count, Array(literal.utf8))
  }

  @Test func `only encoded unreserved bytes are normalised`() {
    let literal = "/.well-known/apple-app-site-association"
    let rows: [(String, Bool)] = [
      (literal, true),
      // RFC 3986 section 6.2.2.2, hexadecimal digits in either case (section 6.2.2.1)
      ("/%2ewell-known/apple-app-site-association", true),
      ("/%2Ewell%2Dknown/%61pple-app-site-associatio%6e", true),
      ("/%2Ewell%2Dknown/%61pple-app-site-associatio%6E", true),
      (String(literal.flatMap { $0 == "/" ? "/" : Self.encode($0) }), true),
      // a reserved byte is another one when it is encoded
      ("%2F.well-known/apple-app-site-association", false),
      ("/.well-known%2fapple-app-site-association", false),
      // case, dot segments, slashes
      ("/.Well-known/apple-app-site-association", false),
      ("/%2E%57ell-known/apple-app-site-association", false),
      ("/./.well-known/apple-app-site-association", false),
      ("/a/../.well-known/apple-app-site-association", false),
      ("//.well-known/apple-app-site-association", false),
      ("/.well-known//apple-app-site-association", false),
      (literal + "/", false), (literal + ".json", false), (literal + "%", false),
      (literal + "%20", false), (literal + "%00", false), (String(literal.dropLast()), false),
      (literal.dropLast() + "%6", false), (literal.dropLast() + "%6g", false),
      (literal.dropLast() + "%256e", false), (literal.dropLast() + "m", false),
      ("", false), ("/", false), ("*", false),
    ]
    for (path, equal) in rows {
      #expect(matches(path, literal) == equal, "\(path)")
    }
    #expect(matches("/", "/"))
    #expect(matches("", ""))
    #expect(matches("/a%7Eb", "/a~b"))
    #expect(!matches("/a%3Ab", "/a:b"))
  }

  @Test func `a path begins with another as it equals one`() {
    let rows: [(String, Bool)] = [
      ("/.well-known/", true), ("/.well-known/x", true), ("/%2ewell-known/x/y", true),
      ("/%2Ewell%2Dknown/", true), ("/.well-known", false), ("/.well-known%2Fx", false),
      ("/.well-known%", false), ("/x/.well-known/", false), ("/.WELL-KNOWN/x", false), ("", false),
    ]
    for (path, begins) in rows {
      let bytes = Array("GET \(path) ".utf8)
      let range = 4..<4 + path.utf8.count
      let found = pathBegins(bytes.span, range, Array("/.well-known/".utf8))
      #expect(found == begins, "\(path)")
    }
  }

  private static func encode(_ character: Character) -> String {
    let value = String(character.asciiValue ?? 0, radix: 16)
    return "%" + value
  }
}
