import Foundation
import ScriptedServer
import TLSTestSupport
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa dev`: the tunnel program, here a script.
@Suite("dev tunnel", .manyAtOnce) struct DevTunnelTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.writeShop()
    return workspace
  }

  @Test func `the public host is found, and the entitlement to paste is shown`() throws {
    let workspace = try workspace()
    try workspace.writeScript(
      "tunnel", "echo Starting $1; echo 'Forwarding https://abc.tunnel.test -> here'; sleep 1000")
    try withDev(workspace, ["site.json", "--tunnel", "./tunnel {port}"]) { dev in
      #expect(dev.shows("applinks:abc.tunnel.test?mode=developer"))
      #expect(dev.shows("https://abc.tunnel.test/buy/1") && dev.shows("opens \(shop)"))
      #expect(dev.shows("Associated Domains Development"))
      #expect(try dev.becomes { value($0, "public", "state") == "open" })
      let state = try dev.state()
      #expect(value(state, "public", "host") == "abc.tunnel.test")
      #expect(value(state, "public", "origin") == "https://abc.tunnel.test")
      #expect(value(state, "public", "tunnel") == "command")
      #expect(value(state, "entitlement") == "applinks:abc.tunnel.test?mode=developer")
      // Nothing is drawn that is not a terminal.
      #expect(!dev.output.contains("█") && !dev.output.contains("\u{1B}"))
    }
  }

  @Test func `an app for Android gets the steps of Android Studio`() throws {
    let workspace = try workspace()
    try workspace.write("assetlinks.json", statements("org.swift.shop", nil))
    try withDev(workspace, ["site.json", "--tunnel", "none", "--host", "a.tunnel.test"]) { dev in
      #expect(dev.shows("<data android:scheme=\"https\" android:host=\"a.tunnel.test\" />"))
      #expect(dev.shows("adb shell pm get-app-links org.swift.shop"))
    }
  }

  @Test func `each service that the file names has its entitlement`() throws {
    let workspace = try workspace()
    let file = #"{"applinks":{"details":[]},"webcredentials":{"apps":["\#(shop)"]}}"#
    try workspace.write("site.json", file)
    try withDev(workspace, ["site.json", "--tunnel", "none", "--host", "a.tunnel.test"]) { dev in
      #expect(dev.shows("webcredentials:a.tunnel.test?mode=developer"))
      #expect(!dev.output.contains("appclips:"))
      let state = try dev.state()
      #expect(
        value(state, "entitlements") == [
          "applinks:a.tunnel.test?mode=developer", "webcredentials:a.tunnel.test?mode=developer",
        ])
    }
  }

  @Test func `a tunnel that dies is started again, with its new name`() throws {
    let workspace = try workspace()
    try workspace.writeScript(
      "tunnel",
      """
      echo $$ >> pids
      echo "https://n$(wc -l < pids | tr -d ' ').tunnel.test"
      sleep 1000 & echo $! >> sleepers
      wait
      """)
    try withDev(workspace, ["site.json", "--tunnel", "./tunnel"]) { dev in
      #expect(dev.shows("applinks:n1.tunnel.test"))
      let first = try #require(workspace.processes("pids").first)
      // Its child lives on, and must not hide that it has ended.
      kill(first, SIGKILL)
      #expect(dev.shows("the tunnel's command ended "))
      #expect(dev.shows("applinks:n2.tunnel.test"))
      #expect(value(try dev.state(), "public", "host") == "n2.tunnel.test")
    }
    for name in ["pids", "sleepers"] {
      #expect(eventually { workspace.processes(name).allSatisfy { !isAlive($0) } }, "\(name)")
    }
  }

  @Test func `a tunnel that cannot start is reported, and the file is still served`() throws {
    let workspace = try workspace()
    let tunnel = "echo 'error: no \u{1B}[31mtoken' >&2; exit 3"
    try withDev(workspace, ["site.json", "--tunnel", tunnel]) { dev in
      #expect(dev.shows(#"ended with exit code 3 (error: no \x1b[31mtoken); starting it again in"#))
      #expect(try dev.becomes { value($0, "public", "state") == "failed" })
      try #expect(dev.get().status == 200)
      // The pause grows.
      #expect(dev.shows("starting it again in 2 s"))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `the tunnel and its children end at the end`(signal: Int32) throws {
    let workspace = try workspace()
    try workspace.writeScript(
      "tunnel",
      """
      echo $$ >> pids
      sleep 1000 & echo $! >> pids
      (trap '' TERM INT HUP; echo https://a.tunnel.test; sleep 1000) & echo $! >> pids
      wait
      """)
    try withDev(workspace, ["site.json", "--tunnel", "./tunnel"], endedBy: signal) { dev in
      #expect(dev.shows("applinks:a.tunnel.test"))
      #expect(eventually { workspace.processes("pids").count == 3 })
      #expect(workspace.processes("pids").allSatisfy(isAlive))
    }
    #expect(eventually { workspace.processes("pids").allSatisfy { !isAlive($0) } })
  }

  @Test func `a kill of aasa dev leaves no tunnel behind`() throws {
    let workspace = try workspace()
    try workspace.writeScript(
      "tunnel",
      """
      echo $$ >> pids
      (trap '' TERM INT HUP; echo https://a.tunnel.test; sleep 1000) & echo $! >> pids
      wait
      """)
    let run = try ChildProcess(
      Server.program,
      ["dev", "site.json", "--port", "0", "--inspector-port", "0", "--tunnel", "./tunnel"],
      folder: workspace.root)
    #expect(eventually { String(decoding: run.now.output, as: UTF8.self).contains("applinks:") })
    #expect(eventually { workspace.processes("pids").count == 2 })
    run.signal(SIGKILL)
    #expect(eventually { workspace.processes("pids").allSatisfy { !isAlive($0) } })
  }

  @Test func `a second Ctrl-C is not waited for`() throws {
    let workspace = try workspace()
    try workspace.writeScript(
      "tunnel", "trap '' TERM; echo $$ >> pids; echo https://a.tunnel.test; sleep 1000; sleep 1000")
    let run = try ChildProcess(
      Server.program,
      ["dev", "site.json", "--port", "0", "--inspector-port", "0", "--tunnel", "./tunnel"],
      folder: workspace.root)
    #expect(eventually { String(decoding: run.now.output, as: UTF8.self).contains("applinks:") })
    let deadline = Deadline(within: patience)
    while run.isRunning, !deadline.isOver {
      run.signal(SIGINT)
      poll(nil, 0, 50)
    }
    try #expect(run.waitForExit() == 1)
    #expect(eventually { workspace.processes("pids").allSatisfy { !isAlive($0) } })
  }

  // MARK: Programs on the PATH

  private static let cloudflared = """
    echo "$@" > arguments
    echo '2026-11-21T19:00:00Z INF Requesting new quick Tunnel on trycloudflare.com...' >&2
    echo '2026-11-21T19:00:01Z INF +------------------------------------------+' >&2
    echo '2026-11-21T19:00:01Z INF |  https://kind-words-of-four.trycloudflare.com  |' >&2
    exec /bin/sleep 1000
    """
  private static let ngrok = """
    echo "$@" > arguments
    echo 't=2026-11-21T19:00:00 lvl=info msg="open config file" path=/x err=nil'
    echo 't=2026-11-21T19:00:01 lvl=info msg="started tunnel" url=https://ab12.ngrok-free.app'
    exec /bin/sleep 1000
    """

  /// Installed programs, the option's value, and the resulting host.
  private static let programs: [(there: [String], asked: String, host: String)] = [
    (["cloudflared", "ngrok"], "auto", "kind-words-of-four.trycloudflare.com"),
    (["ngrok"], "auto", "ab12.ngrok-free.app"),
    (["cloudflared", "ngrok"], "ngrok", "ab12.ngrok-free.app"),
    (["cloudflared"], "cloudflared", "kind-words-of-four.trycloudflare.com"),
  ]

  @Test func `cloudflared and ngrok are found and run`() throws {
    for row in Self.programs {
      let workspace = try workspace()
      for name in row.there {
        try workspace.writeScript(
          "bin/\(name)", name == "ngrok" ? Self.ngrok : Self.cloudflared)
      }
      try withDev(
        workspace, ["site.json", "--tunnel", row.asked],
        environment: ["PATH": workspace.path("bin")]
      ) { dev in
        #expect(dev.shows("applinks:\(row.host)?mode=developer"))
        try #expect(workspace.text("arguments").contains("http://127.0.0.1:\(dev.port)"))
      }
    }
  }

  @Test func `without a program it is said how to get one, and the file is served`() throws {
    let workspace = try workspace()
    let path = ["PATH": workspace.path("bin")]
    try withDev(workspace, ["site.json"], environment: path) { dev in
      #expect(dev.shows("neither cloudflared nor ngrok is on the PATH: install cloudflared"))
      #expect(dev.output.contains("http://127.0.0.1:\(dev.port) and give its name with --host"))
      #expect(value(try dev.state(), "public", "state") == "none")
      try #expect(dev.get().status == 200)
    }
    for name in ["cloudflared", "ngrok"] {
      let run = try run(
        Server.program, ["dev", "site.json", "--tunnel", name], environment: path,
        folder: workspace.root)
      #expect(run.exitCode == 2 && run.errors.contains("there is no program \(name) on the PATH"))
    }
  }

  // MARK: Through the public name

  /// The server at the public name (nil for the program itself), and the resulting sentence.
  private static let ends: [(answer: ScriptedServer.Step?, said: String?)] = [
    (nil, nil),
    (.answer("403 Forbidden", type: "text/html", "<html>no</html>"), "refuses the file (403)"),
    (
      .answer(type: "text/html", "<html><title>Just a moment...</title></html>"),
      "a bot protection challenge"
    ),
    (
      .answer(type: "text/html", #"<html><input type="password"></html>"#), "a login page"
    ),
    (
      .answer(type: "text/html", "<html>hello</html>"),
      "a web page of the tunnel instead of the file"
    ),
    (.answer(#"{"applinks":{}}"#), "another file"),
    (.redirect(to: "https://login.tunnel.test/"), "redirects to https://login.tunnel.test/"),
  ]

  @Test(.needs(.openssl), arguments: ends.indices)
  func `anything between the public name and the file is reported`(index: Int) throws {
    let end = Self.ends[index]
    let authority = try TestAuthority()
    let identity = try authority.issue("abc.tunnel.test")
    let workspace = try workspace()
    let (port, answer) = (try RawClient.freePort(), end.answer)
    let far = try ScriptedServer(identity: identity.pem) { request in
      if let answer { return [answer] }
      guard let client = try? RawClient(port: port), (try? client.send(request)) != nil,
        let reply = try? client.receiveAll()
      else { return [] }
      return [.bytes(reply.bytes)]
    }
    let arguments = [
      "site.json", "--port", String(port), "--ca", authority.rootFile,
      "--resolve", "abc.tunnel.test:443:127.0.0.1:\(far.port)",
      "--tunnel", "echo https://abc.tunnel.test; sleep 1000",
    ]
    try withDev(workspace, arguments) { dev in
      #expect(dev.shows("applinks:abc.tunnel.test"))
      if let said = end.said {
        #expect(dev.shows("warning: the public name"))
        try #expect(
          dev.becomes { (value($0, "public", "problem") as String?)?.contains(said) == true })
      } else {
        // Its own requests are not taken for a device's.
        #expect(dev.shows("tunnel        GET /  200"))
        #expect(value(try dev.state(), "fetch", "state") == "waiting")
        #expect(value(try dev.state(), "public", "problem") as String? == nil)
      }
    }
  }

  @Test(.needs(.openssl)) func `a file that is saved during the check is still its own`() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue("abc.tunnel.test")
    let workspace = try workspace()
    let port = try RawClient.freePort()
    let far = try ScriptedServer(identity: identity.pem) { request in
      func answer() -> [UInt8] {
        guard let client = try? RawClient(port: port), (try? client.send(request)) != nil else {
          return []
        }
        return (try? client.receiveAll().bytes) ?? []
      }
      let before = answer()
      if path(of: request) != "/" {
        try? workspace.writeShop(path: "/sell/*")
        _ = eventually { String(decoding: answer(), as: UTF8.self).contains("/sell/*") }
      }
      return [.bytes(before)]
    }
    let arguments = [
      "site.json", "--port", String(port), "--ca", authority.rootFile,
      "--resolve", "abc.tunnel.test:443:127.0.0.1:\(far.port)",
      "--tunnel", "echo https://abc.tunnel.test; sleep 1000",
    ]
    try withDev(workspace, arguments) { dev in
      #expect(dev.shows("tunnel        GET /  200"))
      try #expect(value(dev.state(), "public", "problem") as String? == nil)
    }
  }

  @Test(.needs(.openssl)) func `a warning that only browsers see is reported`() throws {
    let authority = try TestAuthority()
    let identity = try authority.issue("abc.tunnel.test")
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    let far = try ScriptedServer(identity: identity.pem) { request in
      path(of: request) == "/"
        ? [.answer(type: "text/html", fields: ["Ngrok-Error-Code: ERR_NGROK_6024"], "<html>")]
        : [.answer(file)]
    }
    let arguments = [
      "site.json", "--ca", authority.rootFile, "--host", "abc.tunnel.test", "--tunnel", "none",
      "--resolve", "abc.tunnel.test:443:127.0.0.1:\(far.port)",
    ]
    try withDev(try workspace(), arguments) { dev in
      #expect(dev.shows("warning: browsers see ngrok's warning before the test page"))
    }
  }
}
