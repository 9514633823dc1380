import Catalog
import Diagnostics
import Server
import Settings
import Testing

@testable import Keeping
@testable import Reporting

/// The exit code of `aasa status`: whether anything needs to be fixed.
@Suite struct StatusDocumentTests {
  private static let name = DomainName.host("a.example")
  private static let fault = Diagnostic(
    .needsAttention, severity: .error, "the folder is gone")
  private static let problem = Problem(
    diagnostics: [fault], omitted: 0, isLastGood: false, hasErrors: true)

  private func isGood(
    _ query: String = "", settingsFault: String? = nil, obstacles: [String] = [],
    checks: OutsideChecks? = nil, _ change: (inout HostingStatus) -> Void = { _ in }
  ) -> Bool {
    var status = HostingStatus()
    status.catalog = Catalog(
      sites: [Site(name: Self.name, answers: [])], material: nil)
    change(&status)
    let document = StatusDocument(
      status: status, obstacles: obstacles, lastFetch: { _ in nil }, checks: checks, board: nil,
      started: 0, now: 1, settingsFault: settingsFault, connectionLimit: nil, acmeState: nil)
    let answers = ["json", "text"].map { format in
      document.answer(to: PageRequest(path: "/status", query: query + "&format=" + format))
    }
    let states = answers.map { $0.fields.first { $0.name == "Aasa-State" }?.value }
    #expect(states[0] == states[1] && ["good", "faulty"].contains(states[0]))
    return states[0] == "good"
  }

  private static func checks(_ origin: OriginState) -> OutsideChecks {
    let checks = OutsideChecks()
    checks.note(
      OutsideCheck(time: 1, version: nil, origin: origin, copy: .unknown, age: nil, fault: nil),
      of: name)
    return checks
  }

  @Test func `without a fault all is good`() {
    #expect(isGood() && isGood("domain=a.example"))
    #expect(isGood(checks: OutsideChecks()) && isGood { $0.hasHTTPS = true })
  }

  @Test(
    arguments: [
      { $0.folderFault = fault },
      { $0.hangs = [fault] },
      { $0.holds = [Hold(id: "1f4a09c2", fault: fault)] },
      {
        $0.hasHTTPS = true
        $0.certificateFault = fault
      },
      {
        $0.hasHTTPS = true
        $0.certificates = [
          CertificateStatus(name: "a", file: "a.crt", certificate: nil, problem: problem)
        ]
      },
    ] as [@Sendable (inout HostingStatus) -> Void])
  func `each fault is enough, unless others were asked about`(
    _ change: @escaping @Sendable (inout HostingStatus) -> Void
  ) {
    #expect(!isGood("", change))
    #expect(isGood("domain=a.example", change))
  }

  @Test func `a fault of a domain or of its check counts, and so does one of the settings`() {
    let refused = Site(name: Self.name, answers: [.unavailable])
    let checks = Self.checks(.failing)
    for query in ["", "domain=a.example"] {
      #expect(!isGood(query) { $0.catalog = Catalog(sites: [refused], material: nil) })
      #expect(!isGood(query, checks: checks))
    }
    #expect(!isGood("domain=b.example"), "it is unknown")
    #expect(!isGood(settingsFault: "C002") && isGood("domain=a.example", settingsFault: "C002"))
  }

  @Test func `a domain that fails from outside counts though it is beyond the limit of the list`() {
    #expect(isGood("limit=0", checks: Self.checks(.good)))
    #expect(isGood("limit=0", checks: Self.checks(.unknown)))
    #expect(!isGood("limit=0", checks: Self.checks(.failing)))
  }

  @Test func `a failing host of a list has a name, in words and in JSON`() {
    var status = HostingStatus()
    status.catalog = Catalog(
      sites: [Site(name: Self.name, answers: [])], hosts: [(0, [.host("l3.example")])],
      material: nil)
    let checks = OutsideChecks()
    checks.note(
      OutsideCheck(
        time: 90, version: nil, origin: .failing, copy: .unknown, age: nil,
        fault: "there is no certificate [F010]"), of: .host("l3.example"))
    let document = StatusDocument(
      status: status, obstacles: [], lastFetch: { _ in nil }, checks: checks, board: nil,
      started: 0, now: 100, settingsFault: nil, connectionLimit: nil, acmeState: nil)
    func answer(_ format: String) -> String {
      let request = PageRequest(path: "/status", query: "format=" + format)
      return String(decoding: document.answer(to: request).body, as: UTF8.self)
    }
    #expect(
      answer("text").contains(
        "\n  l3.example: not served as Apple asks, first seen 10 s ago: there is no certificate"))
    #expect(
      answer("json").contains(
        #""listedFailing":1,"failing":[{"host":"l3.example","since":90,"checked":90,"fault":"#))
    let family = checks.metrics(of: status.catalog).first { $0.name == "aasa_origin_ok" }
    #expect(family?.samples.map(\.value) == ["0"])
    #expect(family?.samples.first?.labels.first?.1 == "l3.example")
  }

  @Test func `a server that is not ready is never good`() {
    let obstacles = ["the server is stopping"]
    #expect(!isGood(obstacles: obstacles) && !isGood("domain=a.example", obstacles: obstacles))
  }
}
