import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa dev`: the list of fetches.
@Suite("dev fetches", .manyAtOnce) struct DevFetchTests {
  @Test func `the state goes from waiting to fetched, and to older`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    try withDev(workspace, ["site.json", "--tunnel", "none", "--host", "dev.example.test"]) { dev in
      #expect(dev.shows(">>> waiting for the phone"))
      var state = try dev.state()
      #expect(value(state, "fetch", "state") == "waiting")
      #expect(value(state, "entitlement") == "applinks:dev.example.test?mode=developer")
      // Browsers and HEAD are not fetches.
      _ = try dev.get()
      _ = try dev.get(method: "HEAD", fields: [DevRun.device])
      #expect(value(try dev.state(), "fetch", "state") == "waiting")

      _ = try dev.get(fields: [DevRun.device])
      #expect(dev.shows("a device fetched this version"))
      #expect(try dev.becomes { value($0, "fetch", "state") == "current" })
      state = try dev.state()
      #expect(value(state, "fetch", "device", "version") as String? == value(state, "version"))
      #expect(value(state, "fetch", "cdn") as [String: Any]? == nil)

      try workspace.writeShop(path: "/sell/*")
      #expect(dev.shows("a device fetched an older version"))
      #expect(try dev.becomes { value($0, "fetch", "state") == "older" })
      _ = try dev.get(fields: ["User-Agent: AASA-Bot/1.0.0"])
      #expect(dev.shows("Apple's CDN fetched this version"))
    }
  }

  /// With `?mode=developer` a phone never asks the CDN, so what the CDN has says nothing about it.
  @Test func `a fetch by Apple's CDN does not hide that the phone has an older version`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    try withDev(workspace, ["site.json", "--tunnel", "none", "--host", "dev.example.test"]) { dev in
      _ = try dev.get(fields: [DevRun.device])
      try workspace.writeShop(path: "/sell/*")
      #expect(dev.shows(">>> ") && dev.shows("install the app again"))
      #expect(try dev.becomes { value($0, "fetch", "state") == "older" })
      try fetchAsCDN(dev, whileItIs: "older", "install the app again")
      #expect(dev.output.components(separatedBy: "CDN").count == 2)
    }
  }

  /// A fetch by Apple's CDN is a second line: the state and its sentence stay.
  private func fetchAsCDN(_ dev: DevRun, whileItIs state: String, _ words: String) throws {
    _ = try dev.get(fields: ["User-Agent: AASA-Bot/1.0.0"])
    #expect(dev.shows("Apple's CDN fetched this version"))
    #expect(!dev.output.contains(">>> Apple"))
    let found = try dev.state()
    #expect(value(found, "fetch", "state") == state)
    let sentence: String = value(found, "fetch", "sentence") ?? ""
    sentence.says(.part(words))
    let second: String = value(found, "fetch", "cdn", "sentence") ?? ""
    second.says("Apple's CDN fetched this version")
  }

  @Test func `a broken file comes before what the phone has`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    let good = try workspace.text("site.json")
    try withDev(workspace, ["site.json", "--tunnel", "none", "--host", "dev.example.test"]) { dev in
      _ = try dev.get(fields: [DevRun.device])
      try workspace.write("site.json", "{")
      #expect(dev.shows(">>> the file has an error: version "))
      let state = try dev.state()
      #expect(value(state, "fetch", "state") == "broken")
      let second: String = value(state, "fetch", "device", "sentence") ?? ""
      second.says("a device fetched this version")
      try fetchAsCDN(dev, whileItIs: "broken", "the file has an error")
      // When it is right again, so is the first line.
      try workspace.write("site.json", good)
      #expect(try dev.becomes { value($0, "fetch", "state") == "current" })
      #expect(eventually { dev.output.components(separatedBy: ">>> ").count == 5 }, "\(dev.output)")
    }
  }

  /// One row per request: its path and agent, and its entry in the list.
  private static let rows: [(path: String, agent: String, shown: [String])] = [
    (associationPaths[0], DevRun.device, ["apple-device", "association", "200"]),
    (associationPaths[1], "User-Agent: AASA-Bot/1.0.0", ["apple-cdn", "association"]),
    ("/buy/1?secret=1", "User-Agent: Mozilla/5.0 Safari/605.1.15", ["browser", "page", "/buy/1"]),
    ("/", "User-Agent: \u{1B}[31mevil\u{7}", ["other", #"\\x1b[31mevil"#]),
  ]

  @Test func `requests are listed as they come, with their heads on demand`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    try withDev(workspace, ["site.json", "--tunnel", "none"]) { dev in
      let stream = try dev.events()
      #expect(stream.next()?.name == "state")
      for (index, row) in Self.rows.enumerated().dropLast() {
        _ = try dev.get(row.path, fields: [row.agent, "X-Forwarded-For: 1.2.3.4, 203.0.113.77"])
        let event = try #require(stream.next("request"))
        #expect(event.id == index + 1)
        for part in row.shown { #expect(event.data.contains(part), "\(event.data)") }
        #expect(event.data.contains(#""client":"203.0.113.0""#))
        #expect(!event.data.contains("secret"))
      }
      let detail = try dev.json("/requests/3")
      let head: String = value(detail, "requestHead") ?? ""
      #expect(head.hasPrefix("GET /buy/1?secret=1 HTTP/1.1\nHost: dev.example.test"))
      #expect((value(detail, "responseHead") as String?)?.hasPrefix("HTTP/1.1 200 OK\n") == true)
      for number in ["4", "0", "-1", "x", ""] {
        try #expect(dev.inspect("/requests/" + number).status == 404)
      }
      // A late reader gets the past, or only the new part.
      let later = try dev.events()
      #expect((1...3).map { _ in later.next("request")?.id } == [1, 2, 3])
      let again = try dev.events(after: 2)
      #expect(again.next("request")?.id == 3)
      #expect(dev.shows("browser       GET /buy/1  200"))
    }
  }

  @Test func `the last thousand requests are remembered`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    try withDev(workspace, ["site.json", "--tunnel", "none"]) { dev in
      let client = try RawClient(port: dev.port)
      for _ in 0..<2_050 {
        try client.send(request())
        _ = try client.receive()
      }
      #expect(try dev.becomes { value($0, "total") == 2_050 })
      try #expect(dev.inspect("/requests/1050").status == 404)
      try #expect(dev.inspect("/requests/1051").status == 200)
      let stream = try dev.events()
      #expect(stream.next("request")?.id == 1_051)
    }
  }

  /// Heads at the limit of the kept bytes, and a path at the limit of the shown bytes.
  @Test func `long texts are cut`() throws {
    let workspace = try Workspace()
    try workspace.writeShop()
    try withDev(workspace, ["site.json", "--tunnel", "none"]) { dev in
      func path(_ count: Int) -> String { "/" + String(repeating: "p", count: count - 1) }
      _ = try dev.get(path(200))
      _ = try dev.get(path(201), fields: ["X: " + String(repeating: "h", count: 9_000)])
      #expect(value(try dev.json("/requests/1"), "path") == path(200))
      let long = try dev.json("/requests/2")
      #expect(value(long, "path") == path(200) + "…")
      let head: String = value(long, "requestHead") ?? ""
      #expect(head.hasSuffix("h…") && head.utf8.count < 8_300)
    }
  }
}
