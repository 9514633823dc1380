import HTTP
import Testing

@Suite struct PreconditionTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  static let modified: Int64 = 784_111_777
  static let now = modified + 1_000_000
  static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
  static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
  static let future = "Tue, 06 Nov 2040 08:49:38 GMT"

  static func evaluate(
    _ fields: [String], method: String = "GET", lastModified: Int64? = modified
  ) throws(RequestFault) -> Preconditions.Outcome {
    try withHead(method: method, fields) { head, bytes in
      Preconditions.evaluate(
        head, bytes.span, entityTag: Array("\"a,b\"".utf8).span, lastModified: lastModified,
        now: now)
    }
  }

  typealias Row = ([String], Preconditions.Outcome)

  static let rows: [Row] = [
    ([], .proceed),
    // If-None-Match: weak comparison, lists, several lines (RFC 9110 section 13.1.2)
    (["If-None-Match: \"a,b\""], .notModified),
    (["If-None-Match: W/\"a,b\""], .notModified),
    (["If-None-Match: \"x\", \"a,b\""], .notModified),
    (["If-None-Match: \"x\",\"a,b\",\"y\""], .notModified),
    (["If-None-Match: ,\t\"x\" ,, \"a,b\" ,"], .notModified),
    (["If-None-Match: \"x\"", "If-None-Match: \"a,b\""], .notModified),
    (["If-None-Match: *"], .notModified),
    (["If-None-Match: \"x\""], .proceed),
    (["If-None-Match: \"\""], .proceed),
    (["If-None-Match: \"A,B\""], .proceed),
    (["If-None-Match: \"a,bc\""], .proceed),
    (["If-None-Match: \"a\""], .proceed),
    // outside the grammar: as if there were no condition
    (["If-None-Match: a,b"], .proceed),
    (["If-None-Match: \"a,b"], .proceed),
    (["If-None-Match: w/\"a,b\""], .proceed),
    (["If-None-Match: W/ \"a,b\""], .proceed),
    (["If-None-Match: W/"], .proceed),
    (["If-None-Match: \"a,b\"x"], .proceed),
    (["If-None-Match: \"a,b\" \"x\""], .proceed),
    (["If-None-Match: \"a,b\", x"], .proceed),
    (["If-None-Match: \"x y\", \"a,b\""], .proceed),
    (["If-None-Match: *, \"a,b\""], .proceed),
    (["If-None-Match: *", "If-None-Match: *"], .proceed),
    (["If-None-Match: **"], .proceed),
    (["If-None-Match:"], .proceed),
    // If-Match: strong comparison (section 13.1.1)
    (["If-Match: \"a,b\""], .proceed),
    (["If-Match: \"x\"", "If-Match: \"a,b\""], .proceed),
    (["If-Match: *"], .proceed),
    (["If-Match: W/\"a,b\""], .failed),
    (["If-Match: \"x\", \"y\""], .failed),
    (["If-Match: x"], .proceed),
    (["If-Match:"], .proceed),
    // If-Modified-Since (section 13.1.3), compared for equality: a file that was rolled back is older
    // and another version
    (["If-Modified-Since: \(same)"], .notModified),
    (["If-Modified-Since: \(after)"], .proceed),
    (["If-Modified-Since: \(before)"], .proceed),
    (["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"], .notModified),
    (["If-Modified-Since: Sun Nov  6 08:49:37 1994"], .notModified),
    (["If-Modified-Since: \(future)"], .proceed),
    (["If-Modified-Since: \(same), \(same)"], .proceed),
    (["If-Modified-Since: \(same)", "If-Modified-Since: \(same)"], .proceed),
    (["If-Modified-Since: yesterday"], .proceed),
    (["If-Modified-Since:"], .proceed),
    (["If-Modified-Since: 784111777"], .proceed),
    // If-Unmodified-Since (section 13.1.4)
    (["If-Unmodified-Since: \(same)"], .proceed),
    (["If-Unmodified-Since: \(after)"], .proceed),
    (["If-Unmodified-Since: \(before)"], .failed),
    (["If-Unmodified-Since: \(before), \(before)"], .proceed),
    (["If-Unmodified-Since: \(before)", "If-Unmodified-Since: \(before)"], .proceed),
    (["If-Unmodified-Since: never"], .proceed),
    // the order (section 13.2.2)
    (["If-None-Match: \"x\"", "If-Modified-Since: \(same)"], .proceed),
    (["If-None-Match: x", "If-Modified-Since: \(same)"], .proceed),
    (["If-None-Match: \"a,b\"", "If-Modified-Since: \(before)"], .notModified),
    (["If-Match: \"a,b\"", "If-Unmodified-Since: \(before)"], .proceed),
    (["If-Match: x", "If-Unmodified-Since: \(before)"], .proceed),
    (["If-Match: \"x\"", "If-None-Match: \"a,b\""], .failed),
    (["If-None-Match: \"a,b\"", "If-Match: \"x\""], .failed),
    (["If-Match: \"a,b\"", "If-None-Match: \"a,b\""], .notModified),
    (["If-Unmodified-Since: \(before)", "If-None-Match: \"a,b\""], .failed),
    (["If-Unmodified-Since: \(same)", "If-Modified-Since: \(same)"], .notModified),
    (["If-Match: \"a,b\"", "If-Modified-Since: \(same)"], .notModified),
  ]

  @Test func `conditions are judged in order`() throws {
    for (fields, result) in Self.rows {
      let get = try Self.evaluate(fields)
      #expect(get == result, "\(fields)")
      let head = try Self.evaluate(fields, method: "HEAD")
      #expect(head == result, "\(fields)")
    }
  }

  @Test func `other methods fail where reads need nothing`() throws {
    let none = try Self.evaluate(["If-None-Match: \"a,b\""], method: "POST")
    #expect(none == .failed)
    let since = try Self.evaluate(["If-Modified-Since: \(Self.same)"], method: "POST")
    #expect(since == .proceed)
    // Section 13.2.1: ignored where no representation is selected.
    let options = try Self.evaluate(["If-Match: \"x\""], method: "OPTIONS")
    #expect(options == .proceed)
  }

  @Test func `without a modification date, dates say nothing`() throws {
    let since = try Self.evaluate(["If-Modified-Since: \(Self.same)"], lastModified: nil)
    #expect(since == .proceed)
    let unmodified = try Self.evaluate(["If-Unmodified-Since: \(Self.before)"], lastModified: nil)
    #expect(unmodified == .proceed)
  }
}
