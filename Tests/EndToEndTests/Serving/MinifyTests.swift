import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The setting `minify`.
@Suite("domains folder: minified files", .manyAtOnce) struct MinifyTests {
  /// Numbers, escapes, spaces in strings and repeated keys are not to change.
  private static let text = """
    {
    \t"applinks" : {
        "details" : [ {
          "appIDs" : [ "K27TX9P4QD.org.swift.shop" ],
          "components" : [
            { "/" : "/a  b\\u002fc\\/*", "comment" : "for people" },
            { "?" : { "comment" : "1 2", "n" : "é" } }
          ]
        } ]
      },
      "n" : [ 1.0e+00, -0, 12345678901234567890 ], "n" : { }
    }\r\n
    """
  private static let head = #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"#
  private static let tail =
    #"{"?":{"comment":"1 2","n":"é"}}]}]},"n":[1.0e+00,-0,12345678901234567890],"n":{}}"#
  private static let path = #"{"/":"/a  b\u002fc\/*""#

  private static let rows: [(flag: String?, served: String)] = [
    // byte for byte as on disk, unless asked for
    (nil, text),
    ("off", text),
    ("whitespace", head + #""components":["# + path + #","comment":"for people"},"# + tail),
    // the query item of that name stays
    ("comments", head + #""components":["# + path + "}," + tail),
  ]

  @Test(arguments: rows)
  func `the setting decides which parts are left out`(flag: String?, served: String) throws {
    let workspace = try Workspace(serving: ["example.com": Self.text])
    let links = "[ { \"include\" : \"https://example.com/l.json\" } ]"
    try workspace.write("domains/example.com.assetlinks.json", links)
    try withServer(workspace, flag.map { ["--minify", $0] } ?? []) { server in
      server.allowRuleWarnings()
      server.allowIdleFiles()
      let response = try server.get()
      #expect(response.text == served)
      #expect(response["Content-Length"] == String(served.utf8.count))
      // Android's file goes out as it is.
      try #expect(server.get("/.well-known/assetlinks.json").text == links)
      let tag = try #require(response["ETag"])
      try #expect(server.get(associationPaths[0], ["If-None-Match: \(tag)"]).status == 304)
    }
  }

  @Test func `the entity tag is that of the served bytes`() throws {
    let workspace = try Workspace()
    try workspace.write("server.json", #"{"minify": "comments"}"#)
    try workspace.write("domains/a.example.json", Self.text)
    try workspace.write("domains/b.example.json", Self.rows[3].served)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      server.allowIdleFiles()
      let tag = try server.get(host: "a.example")["ETag"]
      try #expect(tag != nil && tag == server.get(host: "b.example")["ETag"])
      // A new version is minified too.
      try workspace.write("domains/a.example.json", "{ \"webcredentials\" : { } }\n")
      try #expect(eventually { try server.served("a.example") == #"{"webcredentials":{}}"# })
    }
  }

  @Test(.needs(.openssl)) func `a signed file is left as it is`() throws {
    let workspace = try Workspace()
    let signed = try signedFile(Self.text, in: workspace)
    try workspace.write("domains/example.com.json", signed)
    try withServer(workspace, ["--minify", "comments"]) { server in
      server.allowRuleWarnings()
      server.allowIdleFiles()
      let response = try server.get()
      #expect(response["Content-Type"] == "application/pkcs7-mime")
      #expect(response.body == Array(signed))
    }
  }

  @Test func `another word is refused`() throws {
    let run = try run(Server.program, ["serve", "--minify", "white-space", "--http", "0"])
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("[C020]"))
  }
}
