import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// This machine's clock, or the CA's, is wrong.
@Suite("issuance: clocks", .manyAtOnce, .needsPebble, .needsNameServer) struct IssuanceClockTests {
  private static let day = 86_400

  @Test(arguments: [-5, 5])
  func `a clock that is hours off is reported, and the CA's is used`(hours: Int) throws {
    var issuance = try Issuance(["example.com"])
    try issuance.setClock(ahead: hours * 3_600)
    try issuance.serve(["--admin", "127.0.0.1:0"]) { server in
      server.expect(
        stderr: "warning", "[I012]",
        "is 5 hours \(hours > 0 ? "behind" : "ahead of") this machine's")
      // By this machine's clock it is not valid yet.
      server.allow(stderr: "[T008]")
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let offset = try #require(try server.sample("aasa_acme_clock_offset_seconds"))
      #expect(abs(offset + Double(hours * 3_600)) < 10)
    }
    // The certificate says when it was issued by the CA's clock.
    let text = try issuance.workspace.text("state/certificates/example.com.pem")
    let line = try #require(text.split(separator: "\n").first?.dropFirst(2))
    let head = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let issued = try #require(head?["issued"] as? Double)
    #expect(abs(issued - Date().timeIntervalSince1970) < 300)
    #expect(issuance.pebble.issued == 1)
  }

  @Test(arguments: [-60, -2, 2, 60])
  func `with a clock that is days off nothing is ordered, until it is set`(days: Int) throws {
    var issuance = try Issuance(["example.com"])
    try issuance.setClock(ahead: days * Self.day)
    try issuance.serve(["--admin", "127.0.0.1:0"]) { server in
      server.expect(
        stderr: "error", "[I012]", "is \(abs(days)) days \(days > 0 ? "behind" : "ahead of") this")
      #expect(eventually { issuance.steps.contains(" failed") }, "\(issuance.steps)")
      // The journal has it a moment before the status.
      let fault =
        "this machine's clock is \(abs(days)) days \(days > 0 ? "ahead of" : "behind") the CA's"
      try #expect(
        server.becomes {
          try server.aasa("status", "example.com").text.contains(fault)
            && server.sample(#"aasa_acme_certificates{state="failing"}"#) == 1
        })
      #expect(issuance.pebble.requests("order-plz") == 0)
      #expect(issuance.pebble.requests("sign-me-up") == 0)
      try issuance.setClock(ahead: 0)
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test(arguments: [-60, 60])
  func `with a clock that is months off, what was issued is kept, and no other is asked for`(
    days: Int
  ) throws {
    var issuance = try Issuance(["example.com", "gone.example.com"])
    try issuance.serve { _ in
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == 2 }, "\(issuance.steps)")
    }
    let files = try issuance.workspace.names(in: "state/certificates")
    try issuance.workspace.remove("domains/gone.example.com.json")
    // Somebody asks for it, and yet nothing is asked for by such a clock.
    try run(Server.program, ["acme", "renew", "example.com"] + issuance.account)
    try issuance.setClock(ahead: days * Self.day)
    try issuance.serve { server in
      server.allow(stderr: "[T0")
      server.expect(stderr: "[I012]")
      #expect(eventually { issuance.steps.contains(" failed") }, "\(issuance.steps)")
    }
    try #expect(issuance.workspace.names(in: "state/certificates") == files)
    #expect(issuance.pebble.issued == 2)
  }

  @Test
  func `a clock at which the CA's own certificate has expired is what the message names`() throws {
    var issuance = try Issuance(["example.com"])
    try issuance.setClock(ahead: 300 * Self.day)
    try issuance.serve { server in
      server.expect(stderr: "[I004]", "expired on ", "this machine's clock says ")
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
  }

  @Test(.needs(.python3), .stress)
  func `a CA whose clock is wrong is asked for the time again, and then goes on`() throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(#"[{"match": "/", "n": 1000000, "do": "date", "seconds": 200000}]"#)
    try issuance.serve(directory: proxy.directory) { server in
      server.expect(stderr: "error", "[I012]", "2 days ahead of")
      #expect(eventually { issuance.steps.contains(" failed") }, "\(issuance.steps)")
      try #expect(proxy.count("/order-plz") == 0)
      try proxy.set("[]")
      // It is asked for the time once a minute.
      #expect(
        eventually(within: .seconds(90)) { issuance.steps.contains("example.com served") },
        "\(issuance.steps)")
    }
  }

  @Test(.needs(.python3), .needsNewPebble)
  func `a CA whose clock is wrong is like one that fails: the next one gets its turn`() throws {
    var options = Pebble.Options()
    options.life = 10 * Self.day
    var issuance = try Issuance(["example.com"], options)
    let first = try FaultyAuthority(issuance.pebble)
    try issuance.serve(directory: first.directory) { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    // A tenth of the life is left. The first CA is two days ahead; Pebble itself, behind another proxy,
    // has the same time as this machine.
    try issuance.setClock(ahead: 9 * Self.day)
    try first.set(
      #"[{"match": "/", "n": 1000000, "do": "date", "seconds": \#(11 * Self.day)}]"#)
    let second = try FaultyAuthority(issuance.pebble)
    try second.set(
      #"[{"match": "/", "n": 1000000, "do": "date", "seconds": \#(9 * Self.day)}]"#)
    try issuance.serve(["--acme", second.directory], directory: first.directory) { server in
      server.expect(stderr: "error", "[I012]", "2 days ahead of")
      server.allow(stderr: "[T0")
      #expect(
        eventually { issuance.steps.count { $0 == "example.com served" } == 2 },
        "\(issuance.steps) \(server.errorLines)")
    }
    try #expect(first.count("/order-plz") == 1 && second.count("/order-plz") == 1)
    #expect(issuance.pebble.issued == 2)
  }

  @Test(.needs(.python3), .needsNewPebble)
  func `the file of a host that is gone is removed a week after it has expired`() throws {
    var options = Pebble.Options()
    options.life = 86_400
    var issuance = try Issuance(["example.com", "gone.example.com"], options)
    let proxy = try FaultyAuthority(issuance.pebble)
    try issuance.serve(directory: proxy.directory) { _ in
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == 2 }, "\(issuance.steps)")
    }
    try issuance.workspace.remove("domains/gone.example.com.json")
    for (days, isKept) in [(7, true), (9, false)] {
      try proxy.set(
        #"[{"match": "/", "n": 1000000, "do": "date", "seconds": \#(days * Self.day)}]"#)
      try issuance.setClock(ahead: days * Self.day)
      try issuance.serve(directory: proxy.directory) { server in
        // Pebble's own clock is right, so that what it issues has expired by then.
        server.allow(stderr: "[I006]")
        server.allow(stderr: "[T0")
        let failed = issuance.steps.count { $0 == "example.com failed" }
        #expect(eventually { issuance.steps.count { $0 == "example.com failed" } > failed })
        #expect(
          eventually {
            issuance.workspace.exists("state/certificates/gone.example.com.pem") == isKept
          }
        )
      }
      #expect(issuance.workspace.exists("state/certificates/example.com.pem"))
    }
  }
}
