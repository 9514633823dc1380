import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa onboard`: what is left to do for a customer's host.
@Suite(.manyAtOnce, .needsNameServer) struct OnboardTests {
  private static let host = "links.customer.example"
  private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
  private static let relation = "delegate_permission/common.handle_all_urls"
  private static let assetLinks =
    #"[{"relation":["\#(relation)"],"target":{"namespace":"android_app","#
    + #""package_name":"org.swift.shop","sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#
  private static let statements =
    #"{"statements":[{"source":{"web":{"site":"https://\#(host)."}},"relation":"\#(relation)","#
    + #""target":{"androidApp":{"packageName":"org.swift.shop","certificate":"#
    + #"{"sha256Fingerprint":"\#(fingerprint)"}}}}],"maxAge":"599s"}"#

  private var site: CheckSite
  private var workspace: Workspace { site.workspace }
  /// Apple's CDN, and Google's service.
  private let others: ScriptedServer

  /// The host's server is at 1.0.0.1, which no name leads to yet.
  init() throws {
    site = try CheckSite(nil)
    try site.serve(
      "elsewhere.example", showing: site.authority.issue(Self.host),
      script: CheckSite.serving(links: Self.assetLinks))
    others = try site.plain { request in
      [.answer(request.contains("statements:list") ? Self.statements : CheckSite.file)]
    }
    try workspace.write("domains/links.json", CheckSite.file)
    try workspace.write("domains/links.hosts", Self.host + "\n")
    try workspace.write("domains/links.assetlinks.json", Self.assetLinks)
  }

  private func onboard(_ arguments: String..., exitCode: Int32) throws -> String {
    let finished = try site.aasa(
      [
        "onboard", Self.host, "--domains", "domains", "--cdn", others.url + "/a/v1", "--google",
        others.url,
      ] + arguments
    ).says(exit: exitCode, errors: .nothing)
    return finished.text.replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
      .replacing(/\d+ days/, with: "N days")
  }

  @Test func `a host that is ready`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.1")
    test.site.network.setAuthorities(of: "customer.example", to: "letsencrypt.org")
    try expectScreen(test.onboard("--address", "1.0.0.1", exitCode: 0), "onboard")
    #expect(
      try test.onboard("--address", "1.0.0.1", exitCode: 0) == """
        links.customer.example: the links work, as far as this machine can tell

        DNS          1.0.0.1, which is this service
        CAA          customer.example allows only "letsencrypt.org"
        certificate  valid, by "Test Intermediate", until DAY, N days
        served       the same as domains/links.json
        Apple's CDN  the same as the served version
        Google       1 statement, as in assetlinks.json

        """)
    #expect(
      try test.onboard("--address", "1.0.0.1", "--json", exitCode: 0) == """
        {"host":"links.customer.example","exitCode":0,"toDo":[],"unknown":[],\
        "dns":{"addresses":["1.0.0.1"],"leads":"here","wanted":["1.0.0.1"]},\
        "caa":{"domain":"customer.example","allows":["letsencrypt.org"]},\
        "certificate":{"valid":true,"issuer":"Test Intermediate","until":"DAY"},\
        "served":{"state":"same","file":"domains/links.json",\
        "verdict":"links.customer.example: the association file is served as Apple asks"},\
        "lists":{"naming":["domains/links.hosts"],"serving":"domains/links.hosts"},\
        "apple":"same","google":{"state":"same","statements":1}}

        """)
  }

  @Test func `a host in several lists, or with its own entry, names the one that counts`() throws {
    try workspace.write("domains/a.hosts", Self.host + "\n")
    try workspace.write("domains/a.json", CheckSite.file)
    try onboard("--address", "1.0.0.1", exitCode: 1).says(
      .part(
        "\nlists        domains/a.hosts and domains/links.hosts contain this host: the server "
          + "uses the list that contained the host first; if all lists are new, the server uses "
          + "domains/a.hosts\n"))
    try onboard("--address", "1.0.0.1", "--json", exitCode: 1).says(
      #""lists":{"naming":["domains/a.hosts","domains/links.hosts"],"serving":"domains/a.hosts"}"#)

    try workspace.write("domains/\(Self.host).json", CheckSite.file)
    try onboard("--address", "1.0.0.1", exitCode: 1).says(
      .part(
        "\nlists        domains/a.hosts and domains/links.hosts contain this host, but the "
          + "server uses the host's own files instead\n"))
    try onboard("--address", "1.0.0.1", "--json", exitCode: 1).says(
      #""lists":{"naming":["domains/a.hosts","domains/links.hosts"]}"#)
  }

  @Test
  func `a host that leads elsewhere has one thing to do: what is there does not count`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.9", "1.0.0.1")
    let text = try test.onboard("--address", "1.0.0.1", "--address", "1.0.0.2", exitCode: 1)
    try expectScreen(text, "onboard-to-do")
    let more = ["--address", "1.0.0.1", "--format"]
    for (format, words) in [
      ("junit", "failures=\"1\" errors=\"0\""), ("sarif", "\"ruleId\":\"H059\""),
      ("markdown", "| ❌ links.customer.example | one thing is left to do |"),
      ("github", "::error title=H059::links.customer.example: links.customer.example points to "),
    ] {
      try test.onboard(more[0], more[1], more[2], format, exitCode: 1).says(.part(words))
    }
    #expect(
      text.hasPrefix(
        """
        links.customer.example: one thing is left to do

        1. links.customer.example points to 1.0.0.9, not to 1.0.0.1 and 1.0.0.2
           set A and AAAA records of links.customer.example to 1.0.0.1 and 1.0.0.2, or a CNAME to \
        a name that points there

        DNS          1.0.0.9, 1.0.0.1, which is not this service
        """), "\(text)")
  }

  @Test func `a host without an address, and without a file`() throws {
    try workspace.write("domains/links.hosts", "")
    let text = try onboard("--address", "1.0.0.1", exitCode: 1)
    #expect(
      text.hasPrefix(
        """
        links.customer.example: 2 things are left to do

        1. domains has no file for links.customer.example
           aasa hosts add links.customer.example --file domains/NAME.hosts, or put \
        links.customer.example.json into domains

        2. links.customer.example has no address

        """), "\(text)")
    text.says("DNS          no address\n", "certificate  not known\nserved       not known\n")
  }

  @Test
  func `of a host that is not in the list the list is to be changed, and nothing else`() throws {
    var test = self
    // It leads here, where it is not served yet.
    test.site.network.set(Self.host, to: "1.0.0.1")
    try workspace.write("domains/links.hosts", "")
    try test.onboard("--acme", "letsencrypt", "--acme-state", "state", exitCode: 1).says(
      .start("links.customer.example: one thing is left to do\n\n1. domains has no file for "),
      "DNS          1.0.0.1, which may or may not be this service")
  }

  @Test func `what could not be asked is not known`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.9")
    test.site.network.lead("1.0.0.9:443", to: 1)
    try test.onboard(exitCode: 1).says("certificate  not known\nserved       not known\n")
    try test.onboard("--json", exitCode: 1).says(#""served":{"state":"unknown""#)
  }

  @Test func `another file than the folder's is something to do`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.1")
    try workspace.write("domains/links.json", shopFile(components: #"[{"/":"/sell/*"}]"#))
    try test.onboard(exitCode: 1).says(
      "1. the file differs in meaning from domains/links.json [F074]\n",
      "which may or may not be this service: pass its addresses with --address\n",
      "served       something other than domains/links.json\n")
  }

  @Test func `a CAA record that forbids the CA of the settings is something to do`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.1")
    test.site.network.setAuthorities(of: "customer.example", to: "sectigo.com")
    let text = try test.onboard(
      "--address", "1.0.0.1", "--acme", "letsencrypt", "--acme-state", "state", exitCode: 1)
    #expect(
      text.contains(
        """
        1. the CAA records of customer.example allow only "sectigo.com"
           set the record customer.example. CAA 0 issue "letsencrypt.org"

        """), "\(text)")
  }

  /// Without the address the host is tried as an issuer would.
  @Test(arguments: ["letsencrypt.org", "sectigo.com", "pki.goog"], [true, false])
  func `of two CAs one that CAA permits is enough`(permitted: String, hasAddress: Bool) throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.1")
    test.site.network.setAuthorities(of: "customer.example", to: permitted)
    // The trial needs an account's key, and sees no fault of the address.
    try workspace.write("state/acme/account.pem", makeCertificate(names: ["x.example"]).key)
    test.site.network.lead("1.0.0.1:80", to: 0)
    let isEnough = permitted != "pki.goog"
    let text = try test.onboard(
      "--acme", "letsencrypt", "--acme", "zerossl", "--acme-state", "state",
      hasAddress ? "--address=1.0.0.1" : "--json", exitCode: isEnough ? 0 : 1)
    #expect(text.contains("the CAA records of customer.example allow only") != isEnough, "\(text)")
  }

  @Test func `what cannot be found out is not called wrong`() throws {
    var test = self
    test.site.network.set(Self.host, to: "again")
    try test.onboard("--address", "1.0.0.1", exitCode: 4).says(
      .start(
        "links.customer.example: some facts are not known: the name links.customer.example "
          + "cannot be resolved"))
  }

  @Test(arguments: [
    ("400 Bad Request", #"{"error":{"message":"a redirect"}}"#, "no statements: a redirect"),
    ("404 Not Found", #"{"error":{"message":"no file there"}}"#, "no statements: no file there"),
    (
      "200 OK", #"{"errorCode":["ERROR_CODE_FETCH_ERROR"]}"#,
      "no statements: ERROR_CODE_FETCH_ERROR"
    ),
    (
      "403 Forbidden", #"{"error":{"message":"a limit"}}"#,
      "not known: Google's service answers with status 403 (a limit)"
    ),
    ("200 OK", "<html>", "not known: another server answers in place of Google's service"),
  ])
  func `what Google has not, and what it does not say`(
    status: String, body: String, words: String
  ) throws {
    let google = try ScriptedServer { _ in [.answer(status, body)] }
    try onboard("--google", google.url, "--cdn", "none", exitCode: 1).says(
      "Apple's CDN  was not asked\nGoogle       \(words)\n")
  }

  @Test func `a faulty file is a thing to do, and JSON comes all the same`() throws {
    var test = self
    test.site.network.set(Self.host, to: "1.0.0.1")
    try workspace.write("domains/links.json", #"{"applinks": "#)
    let text = try test.onboard("--address", "1.0.0.1", "--json", exitCode: 1)
    text.says(
      #"{"host":"links.customer.example","exitCode":1,"toDo":[{"kind":"file-faulty","what":""#,
      "domains/links.json:1:")
    try onboard("--address", "1.0.0.9", "--json", exitCode: 1).says(
      #"{"kind":"file-faulty","#, #"{"kind":"no-address","#)
    for arguments in [["localhost"], [Self.host, "--domains", "absent"]] {
      let wrong = try workspace.aasa(["onboard"] + arguments + ["--json"])
      #expect(wrong.exitCode == 2 && !wrong.errors.isEmpty)
      wrong.text.says(#"{"host":"\#(arguments[0])","exitCode":2,"error":""#)
    }
  }

  @Test func `wrong usage of onboard is reported`() throws {
    for arguments in [
      [], ["localhost"], [Self.host + ":8443"], [Self.host, "--address", "here"],
      [Self.host, "--domains", "absent"],
    ] {
      try workspace.aasa(["onboard"] + arguments).says(.nothing, exit: 2, errors: .something)
    }
  }
}
