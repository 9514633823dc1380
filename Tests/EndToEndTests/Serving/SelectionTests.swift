import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Which representation is chosen, and whether it is sent.
@Suite("HTTP: content codings and preconditions", .manyAtOnce) struct SelectionTests {
  /// Long and repetitive: gzip makes it smaller.
  static let large =
    #"{"applinks":{"details":["#
    + (0..<200).map {
      #"{"appIDs":["A1B2C3D4E5.com.example.app\#($0)"],"components":[{"/":"/*"}]}"#
    }.joined(separator: ",")
    + "]}}"
  /// Too short for gzip to make it smaller.
  static let tiny = #"{"webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#

  private func serving(_ body: (Server) throws -> Void) throws {
    let workspace = try Workspace(serving: ["large.example": Self.large, "tiny.example": Self.tiny])
    try workspace.setModified("domains/large.example.json", 784_111_777)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      // Files are compressed in the background, right after the start.
      try #expect(
        eventually {
          try server.get(host: "large.example", ["Accept-Encoding: gzip"])["Content-Encoding"]
            == "gzip"
        })
      try body(server)
    }
  }

  private func gunzip(_ bytes: [UInt8], in workspace: Workspace) throws -> [UInt8] {
    let path = workspace.path(UUID().uuidString)
    try workspace.write(path, bytes)
    return try run("/bin/sh", ["-c", #"gzip -dc < "$0""#, path]).output
  }

  /// One row per Accept-Encoding field: the coding that is chosen where gzip is smaller, and the
  /// status.
  static let codings: [(fields: [String], coding: String?, status: Int)] = [
    ([], nil, 200),
    ([""], nil, 200),
    (["gzip"], "gzip", 200),
    (["GZIP"], "gzip", 200),
    (["x-gzip"], "gzip", 200),
    (["gzip, deflate, br"], "gzip", 200),
    (["br, deflate"], nil, 200),
    (["identity"], nil, 200),
    (["*"], "gzip", 200),
    (["gzip;q=0"], nil, 200),
    (["gzip;q=0.000"], nil, 200),
    (["gzip;q=0.001"], "gzip", 200),
    (["gzip;q=0, *"], nil, 200),
    (["*;q=0, gzip"], "gzip", 200),
    (["*;q=0, identity"], nil, 200),
    (["gzip;q=0.5, identity;q=0.8"], nil, 200),
    (["gzip;q=0.8, identity;q=0.5"], "gzip", 200),
    (["identity;q=0, gzip"], "gzip", 200),
    (["identity;q=0"], nil, 406),
    (["*;q=0"], nil, 406),
    (["identity;q=0, gzip;q=0"], nil, 406),
    (["br;q=1.0 , gzip ; q=0.5"], "gzip", 200),
    (["br", "gzip"], "gzip", 200),  // two lines are one list
    (["gzip;q=junk"], nil, 200),  // a broken member is passed over
  ]

  @Test func `the coding follows the weights of Accept-Encoding`() throws {
    try serving { server in
      for row in Self.codings {
        let response = try server.get(
          host: "large.example", row.fields.map { "Accept-Encoding: \($0)" })
        #expect(response.status == row.status, "\(row.fields)")
        #expect(response["Content-Encoding"] == row.coding, "\(row.fields)")
        #expect(response["Vary"] == "Accept-Encoding", "\(row.fields)")
      }
    }
  }

  @Test func `gzip unpacks to the file, is smaller, and has its own entity tag`() throws {
    try serving { server in
      let plain = try server.get(host: "large.example")
      let packed = try server.get(host: "large.example", ["Accept-Encoding: gzip"])
      #expect(plain.body == Array(Self.large.utf8))
      try #expect(gunzip(packed.body, in: server.workspace) == Array(Self.large.utf8))
      #expect(packed.body.count < plain.body.count / 4)
      #expect(packed["Content-Length"] == String(packed.body.count))
      #expect(packed["Content-Type"] == "application/json")
      #expect(packed["Last-Modified"] == plain["Last-Modified"])
      #expect(packed["ETag"] != plain["ETag"])
      #expect(packed["ETag"]?.hasPrefix("\"") == true)
      let head = try server.get(
        host: "large.example", method: "HEAD", ["Accept-Encoding: gzip"])
      #expect(head["Content-Length"] == packed["Content-Length"])
      #expect(head["Content-Encoding"] == "gzip")
    }
  }

  @Test func `a file that gzip would not make smaller is served as it is`() throws {
    try serving { server in
      let response = try server.get(host: "tiny.example", ["Accept-Encoding: gzip"])
      #expect(response.status == 200)
      #expect(response["Content-Encoding"] == nil)
      #expect(response.text == Self.tiny)
      // Nothing else is there to choose from.
      try #expect(
        server.get(host: "tiny.example", ["Accept-Encoding: gzip, identity;q=0"]).status
          == 406)
    }
  }

  @Test(.needs(.curl)) func `curl unpacks the coding that it requested`() throws {
    try serving { server in
      guard let curl = Tool.curl.path else { return }
      let run = try run(
        curl,
        [
          "--silent", "--compressed", "--noproxy", "*", "--connect-to",
          "::127.0.0.1:\(server.http)", "http://large.example/apple-app-site-association",
        ])
      #expect(run.output == Array(Self.large.utf8))
    }
  }

  static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
  static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

  /// One row per set of fields; TAG stands for the representation's entity tag.
  static let preconditions: [(fields: [String], status: Int)] = [
    // If-None-Match (RFC 9110 section 13.1.2): weak comparison, lists, any.
    (["If-None-Match: TAG"], 304),
    (["If-None-Match: W/TAG"], 304),
    (["If-None-Match: \"x\", TAG, \"y\""], 304),
    (["If-None-Match: \"x\",,W/TAG"], 304),
    (["If-None-Match: \"x\"", "If-None-Match: TAG"], 304),
    (["If-None-Match: *"], 304),
    (["If-None-Match: \"x\""], 200),
    (["If-None-Match: W/\"x\""], 200),
    // If-Modified-Since (section 13.1.3): exact to the second; an invalid date is ignored.
    (["If-Modified-Since: \(modified)"], 304),
    // A later date is not one that this server gave out.
    (["If-Modified-Since: \(after)"], 200),
    (["If-Modified-Since: \(before)"], 200),
    (["If-Modified-Since: junk"], 200),
    (["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"], 304),  // the obsolete forms
    (["If-Modified-Since: Sun Nov  6 08:49:37 1994"], 304),
    // If-Match (section 13.1.1): strong comparison.
    (["If-Match: TAG"], 200),
    (["If-Match: \"x\", TAG"], 200),
    (["If-Match: *"], 200),
    (["If-Match: W/TAG"], 412),
    (["If-Match: \"x\""], 412),
    // If-Unmodified-Since (section 13.1.4).
    (["If-Unmodified-Since: \(modified)"], 200),
    (["If-Unmodified-Since: \(after)"], 200),
    (["If-Unmodified-Since: \(before)"], 412),
    (["If-Unmodified-Since: junk"], 200),
    // Their order (section 13.2.2).
    (["If-Match: TAG", "If-Unmodified-Since: \(before)"], 200),
    (["If-Match: \"x\"", "If-Unmodified-Since: \(after)"], 412),
    (["If-Match: \"x\"", "If-None-Match: TAG"], 412),
    (["If-Match: TAG", "If-None-Match: TAG"], 304),
    (["If-Unmodified-Since: \(before)", "If-None-Match: TAG"], 412),
    (["If-None-Match: TAG", "If-Modified-Since: \(before)"], 304),
    (["If-None-Match: \"x\"", "If-Modified-Since: \(after)"], 200),
    (["If-Match: TAG", "If-Modified-Since: \(modified)"], 304),
  ]

  @Test(arguments: ["identity", "gzip"])
  func `preconditions are evaluated in the RFC's order`(coding: String) throws {
    try serving { server in
      let plain = try server.get(host: "large.example", ["Accept-Encoding: \(coding)"])
      let tag = try #require(plain["ETag"])
      for method in ["GET", "HEAD"] {
        for row in Self.preconditions {
          let fields = row.fields.map { $0.replacingOccurrences(of: "TAG", with: tag) }
          let response = try server.get(
            host: "large.example", method: method, ["Accept-Encoding: \(coding)"] + fields)
          #expect(response.status == row.status, "\(method) \(row.fields)")
          if response.status == 304 {
            // RFC 9110 section 15.4.5
            for name in ["ETag", "Cache-Control", "Vary"] {
              #expect(response[name] == plain[name], "\(name) \(row.fields)")
            }
            #expect(response["Date"] != nil)
            #expect(response["Content-Type"] == nil)
          }
        }
      }
    }
  }

  @Test func `the tag of one coding does not match the other`() throws {
    try serving { server in
      let plain = try #require(try server.get(host: "large.example")["ETag"])
      let packed = try #require(
        try server.get(host: "large.example", ["Accept-Encoding: gzip"])["ETag"])
      let response = try server.get(
        host: "large.example", ["Accept-Encoding: gzip", "If-None-Match: \(plain)"])
      #expect(response.status == 200)
      try #expect(
        server.get(host: "large.example", ["If-None-Match: \(packed)"]).status == 200)
    }
  }

  @Test func `preconditions change nothing if there is no file`() throws {
    try serving { server in
      for fields in [["If-None-Match: *"], ["If-Match: \"x\""], ["If-Match: *"]] {
        try #expect(server.get("/other", host: "large.example", fields).status == 404)
        try #expect(server.get(host: "other.example", fields).status == 404)
      }
    }
  }
}
