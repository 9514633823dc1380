import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The answer to each method and target, field by field.
@Suite("HTTP: responses", .manyAtOnce) struct ResponseTests {
  private func serving<Result>(
    _ flags: [String] = [], https: Bool = false, _ body: (Server) throws -> Result
  ) throws -> Result {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try workspace.write("domains/faulty.example.json", "{")
    try workspace.setModified("domains/example.com.json", 784_111_777)
    return try withServer(workspace, https: https, flags) { server in
      server.expect(stderr: "faulty.example.json", "error")
      return try body(server)
    }
  }

  /// An HTTP-date in the form that must be sent (RFC 9110 section 5.6.7).
  private func seconds(ofDate text: String?) -> TimeInterval? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let text, let date = format.date(from: text), format.string(from: date) == text else {
      return nil
    }
    return date.timeIntervalSince1970
  }

  @Test func `a file is answered with exactly these fields`() throws {
    try serving { server in
      for path in associationPaths {
        let start = Date().timeIntervalSince1970
        let response = try server.get(path)
        #expect(response.version == "HTTP/1.1")
        #expect(response.status == 200)
        #expect(response.reason == "OK")
        #expect(response["Content-Type"] == "application/json")
        #expect(response["Content-Length"] == String(association("A").utf8.count))
        #expect(response["Cache-Control"] == "public, max-age=3600")
        #expect(response["Vary"] == "Accept-Encoding")
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        let tag = try #require(response["ETag"])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 10)
        let date = try #require(seconds(ofDate: response["Date"]))
        #expect((start - 2...Date().timeIntervalSince1970).contains(date))
        let names = Set(response.fields.map { $0.name.lowercased() })
        #expect(
          names == [
            "content-type", "content-length", "cache-control", "vary", "x-content-type-options",
            "last-modified", "etag", "date",
          ])
        #expect(response.fields.count == names.count)
        #expect(response.text == association("A"))
      }
    }
  }

  @Test func `the entity tag follows the content, not the file or the server`() throws {
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "b.example": association("A"), "c.example": association("C"),
    ])
    try workspace.setModified("domains/b.example.json", 784_111_777)
    var tags: [[String?]] = []
    for _ in 1...2 {
      try withServer(workspace) { server in
        tags.append(
          try ["a", "b", "c"].map { try server.get(host: $0 + ".example")["ETag"] })
      }
    }
    #expect(tags[0] == tags[1])
    #expect(tags[0][0] == tags[0][1])
    #expect(tags[0][0] != tags[0][2])
  }

  @Test func `HEAD gets the head of GET and no body`() throws {
    try serving { server in
      let client = try RawClient(port: server.http)
      for path in associationPaths + ["/other"] {
        try client.send(request("HEAD", path) + request("GET", path))
        let head = try client.receive(to: "HEAD")
        let get = try client.receive()
        #expect(head.status == get.status)
        let withoutDate = { (response: Response) in
          response.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
        }
        #expect(withoutDate(head) == withoutDate(get))
      }
    }
  }

  @Test func `Cache-Control is configurable`() throws {
    try serving(["--cache-control", "no-cache"]) { server in
      try #expect(server.get()["Cache-Control"] == "no-cache")
    }
  }

  /// One row per target: which status a GET gets.
  static let targets: [(target: String, status: Int)] = [
    ("/apple-app-site-association", 200),
    ("/.well-known/apple-app-site-association", 200),
    // The query is ignored.
    ("/apple-app-site-association?", 200),
    ("/apple-app-site-association?a=b&c=%7A/?:@", 200),
    ("/.well-known/apple-app-site-association?/../x", 200),
    // Percent-encoded unreserved characters are the same path (RFC 3986 section 6.2.2.2).
    ("/%61pple-app-site-association", 200),
    ("/%2Ewell-known/apple%2Dapp-site-association", 200),
    ("/%2ewell-known/apple%2dapp-site-association", 200),
    // An encoded slash is not a slash.
    ("/.well-known%2Fapple-app-site-association", 404),
    ("%2Fapple-app-site-association", 400),
    // Another path.
    ("/", 404),
    ("/Apple-App-Site-Association", 404),
    ("/APPLE-APP-SITE-ASSOCIATION", 404),
    ("/.Well-Known/apple-app-site-association", 404),
    ("/apple-app-site-association/", 404),
    ("/.well-known/apple-app-site-association/", 404),
    ("/apple-app-site-association.json", 404),
    ("/.well-known/apple-app-site-association.json", 404),
    ("/.well-known/", 404),
    ("/.well-known", 404),
    ("//apple-app-site-association", 404),
    ("//.well-known/apple-app-site-association", 404),
    ("/.well-known//apple-app-site-association", 404),
    ("/./apple-app-site-association", 404),
    ("/x/../apple-app-site-association", 404),
    ("/%2e/apple-app-site-association", 404),
    ("/.well-known/../apple-app-site-association", 404),
    ("/apple-app-site-association;v=1", 404),
    ("/apple-app-site-associatio", 404),
    ("/apple-app-site-association%00", 404),
    ("/apple-app-site-association%20", 404),
    ("/server.json", 404),
    ("/domains/example.com.json", 404),
    ("/example.com.json", 404),
    ("/.well-known/assetlinks.json", 404),
    // A query is ignored, whatever is in it.
    ("/apple-app-site-association?a[]=%zz", 200),
    // The absolute form (RFC 9112 section 3.2.2).
    ("http://example.com/apple-app-site-association", 200),
    ("http://EXAMPLE.com:80/.well-known/apple-app-site-association?q", 200),
    ("HTTP://example.com/apple-app-site-association", 200),
    ("http://other.example/apple-app-site-association", 404),
    ("http://example.com", 404),
    ("http://example.com/", 404),
    // No form of a target for GET.
    ("apple-app-site-association", 400),
    ("*", 400),
    ("example.com:443", 400),
    ("http:///apple-app-site-association", 400),
    ("http://user@example.com/apple-app-site-association", 400),
    ("/apple-app-site-association#fragment", 400),
    ("/apple-app-site-association%zz", 400),
    ("/apple-app-site-\u{e4}", 400),
  ]

  @Test func `only the two paths are found`() throws {
    try serving { server in
      for (target, status) in Self.targets {
        let response = try server.get(target)
        #expect(response.status == status, "\(target)")
        if status == 200 { #expect(response.text == association("A"), "\(target)") }
      }
    }
  }

  @Test func `in the absolute form the target's host counts, not the Host field`() throws {
    try serving { server in
      let target = "http://example.com/apple-app-site-association"
      try #expect(server.get(target, host: "other.example").status == 200)
      try #expect(
        server.get("http://other.example/apple-app-site-association", host: "example.com")
          .status == 404)
    }
  }

  /// One row per request: method, path, host, status, Allow.
  static let methods: [(method: String, path: String, host: String, status: Int, allow: String?)] =
    [
      ("OPTIONS", associationPaths[0], "example.com", 204, "GET, HEAD, OPTIONS"),
      ("OPTIONS", associationPaths[1], "example.com", 204, "GET, HEAD, OPTIONS"),
      ("OPTIONS", "*", "example.com", 204, "GET, HEAD, OPTIONS"),
      ("OPTIONS", "/other", "example.com", 404, nil),
      ("OPTIONS", associationPaths[0], "other.example", 404, nil),
      ("POST", associationPaths[0], "example.com", 405, "GET, HEAD, OPTIONS"),
      ("PUT", associationPaths[1], "example.com", 405, "GET, HEAD, OPTIONS"),
      ("DELETE", associationPaths[0], "example.com", 405, "GET, HEAD, OPTIONS"),
      ("PATCH", associationPaths[0], "example.com", 405, "GET, HEAD, OPTIONS"),
      ("TRACE", associationPaths[0], "example.com", 405, "GET, HEAD, OPTIONS"),
      ("POST", "/other", "example.com", 404, nil),
      ("POST", associationPaths[0], "other.example", 404, nil),
      ("BREW", associationPaths[0], "example.com", 501, nil),
      ("get", associationPaths[0], "example.com", 501, nil),  // methods have a case
      ("GETT", associationPaths[0], "example.com", 501, nil),
      ("BREW", "/other", "example.com", 501, nil),
    ]

  @Test func `other methods get 204, 405 with Allow, or 501`() throws {
    try serving { server in
      for row in Self.methods {
        let response = try server.get(row.path, host: row.host, method: row.method)
        #expect(response.status == row.status, "\(row)")
        #expect(response["Allow"] == row.allow, "\(row)")
        #expect(response["X-Content-Type-Options"] == "nosniff")
        if row.status == 204 {
          #expect(response["Content-Length"] == nil)
        } else {
          #expect(response["Content-Type"] == "text/plain; charset=utf-8")
        }
      }
    }
  }

  @Test func `404 has one line of text that never repeats the request`() throws {
    try serving { server in
      let paths = ["/secret-<script>", "/other?token=secret-42"].map {
        $0.replacingOccurrences(of: "<script>", with: "%3Cscript%3E")
      }
      for (path, host) in paths.map({ ($0, "example.com") }) + [("/", "secret.example")] {
        let client = try RawClient(port: server.http)
        try client.send(
          request("GET", path, host: host, fields: ["X-Secret: secret", "Connection: close"]))
        let bytes = try client.receiveAll().bytes
        let all = String(decoding: bytes, as: UTF8.self)
        all.says(.lacks("secret"), .lacks("script"))
        let response = try #require(try Response.all(in: bytes).first)
        #expect(response.status == 404)
        #expect(response["Content-Type"] == "text/plain; charset=utf-8")
        #expect(response.text.hasSuffix("\n") && response.text.filter { $0 == "\n" }.count == 1)
        #expect(response["Cache-Control"] == "no-store")
      }
    }
  }

  @Test func `Range is ignored`() throws {
    try serving { server in
      for fields in [["Range: bytes=0-3"], ["Range: bytes=999999-"], ["Range: junk"]] {
        let response = try server.get(associationPaths[0], fields)
        #expect(response.status == 200)
        #expect(response.text == association("A"))
        #expect(response["Content-Range"] == nil)
      }
    }
  }

  @Test func `nothing is ever answered with a redirection`() throws {
    try serving { server in
      let hosts = ["example.com", "www.example.com", "faulty.example", "127.0.0.1", "EXAMPLE.COM."]
      let forwarded = [
        [], ["X-Forwarded-Proto: http"], ["X-Forwarded-Proto: https"],
        ["Upgrade-Insecure-Requests: 1"], ["Accept: text/html"],
      ]
      for host in hosts {
        for path in associationPaths + ["/", "/.well-known", "/.well-known/"] {
          for method in ["GET", "HEAD", "OPTIONS", "POST"] {
            for fields in forwarded {
              let response = try server.get(path, host: host, method: method, fields)
              #expect(!(300...399).contains(response.status), "\(method) \(path) \(host)")
              #expect(response["Location"] == nil)
            }
          }
        }
      }
    }
  }

  @Test(.needs(.curl)) func `HTTP and HTTPS answer alike to a real client`() throws {
    try serving(https: true) { server in
      server.expect(stderr: "no certificate")
      for path in associationPaths + ["/other"] {
        let plain = try server.curl("http://example.com\(path)")
        let secure = try server.curl("--insecure", "https://example.com\(path)")
        #expect(plain.exitCode == 0, "\(plain.errors)")
        #expect(secure.exitCode == 0, "\(secure.errors)")
        let plainResponse = try #require(plain.response)
        let secureResponse = try #require(secure.response)
        #expect(plainResponse.status == secureResponse.status)
        #expect(plainResponse.body == secureResponse.body)
        #expect(
          plainResponse.fields.filter { $0.name != "Date" }.map(\.value)
            == secureResponse.fields.filter { $0.name != "Date" }.map(\.value))
      }
    }
  }

  @Test(.needs(.curl)) func `curl's HEAD, compression and conditions work`() throws {
    try serving { server in
      let url = "http://example.com/apple-app-site-association"
      let head = try server.curl("--head", url)
      #expect(head.response?.status == 200)
      let tag = try #require(head.response?["ETag"])
      let again = try server.curl("--header", "If-None-Match: \(tag)", url)
      #expect(again.response?.status == 304)
      let dated = try server.curl(
        "--header", "If-Modified-Since: \(head.response?["Last-Modified"] ?? "")", url)
      #expect(dated.response?.status == 304)
      let old = try server.curl("--http1.0", url)
      #expect(old.response?.status == 200)
      #expect(old.response?.text == association("A"))
    }
  }
}
