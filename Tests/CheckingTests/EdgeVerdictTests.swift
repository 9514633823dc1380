import Diagnostics
import HTTP
import TestRunning
import Testing

@testable import Checking
@testable import Client
@testable import Gzip
@testable import TLS

/// Situations whose verdict is easy to get wrong.
struct EdgeCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var world = CheckWorld(CheckServer())
  var domain = "example.com"
  var cdn: CheckServer.Script?
  let exitCode: Int32
  /// Texts that the report has; the first is how it begins.
  let says: [String]
  var omits: [String] = []
}

private let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
private let oldFile = shopFile(components: #"[{"/":"/sell/*"}]"#)

/// What Apple's CDN says if it has no file.
private func failure(_ reason: String) -> CheckServer.Script {
  { _ in
    .answer(
      "404 Not Found", type: "text/plain",
      fields: ["Apple-Failure-Reason: \(reason)", "Cache-Control: max-age=3600", "Age: 600"],
      "Not Found")
  }
}

private func copy(_ file: String) -> CheckServer.Script {
  { _ in .answer(fields: ["Cache-Control: max-age=21600", "Age: 3600"], file) }
}

private let rootOnly: CheckServer.Script = { request in
  path(of: request) == "/apple-app-site-association"
    ? .answer(file) : .answer("404 Not Found", type: "text/plain", "no")
}

private let edgeCases: [EdgeCase] = [
  EdgeCase(
    testDescription: "the CDN asks where the file is not", world: CheckWorld(CheckServer(rootOnly)),
    cdn: failure("SWCERR00101 Bad HTTP Response: 404 Not Found"), exitCode: 1,
    says: [
      "example.com: universal links will not work: Apple's CDN has no file",
      "but only the root has",
      "help: serve the file in /.well-known too, then wait", "[F035]",
    ]),
  EdgeCase(
    testDescription: "the CDN has the copy of a file at the root alone",
    world: CheckWorld(CheckServer(rootOnly)), cdn: copy(file), exitCode: 0,
    says: [
      "example.com: the association file is served as Apple asks, with 1 "
        + "warning\n", "[F035]",
    ]),
  EdgeCase(
    testDescription: "the CDN got bad JSON, and the file is good now",
    cdn: failure("SWCERR00401 Bad JSON content"), exitCode: 0,
    says: [
      "example.com: the association file is served as Apple asks; Apple's CDN caches a failure for "
        + "at most 50 minutes more",
      "warning: Apple's CDN caches a failure (a file that is not valid JSON), but this machine "
        + "gets",
      "help: wait: ",
    ], omits: ["firewalls"]),
  EdgeCase(
    testDescription: "a rate limit refuses the CDN",
    cdn: failure("SWCERR00101 Bad HTTP Response: 429 Too Many Requests"), exitCode: 1,
    says: [
      "example.com: universal links will not work: ", "a rate limit refuses the CDN's request",
      "exempt both paths of the file from rate limits",
    ], omits: ["countries", "country"]),
  EdgeCase(
    testDescription: "the CDN got the same status as this machine",
    world: CheckWorld(
      CheckServer { _ in .answer("401 Unauthorized", type: "text/plain", "log in first") }),
    cdn: failure("SWCERR00101 Bad HTTP Response: 401 Unauthorized"), exitCode: 1,
    says: [
      "example.com: universal links will not work: access to the file is refused (401)",
      "help: follow the help of the other finding about the same status; the CDN caches the",
      "  < log in first",
    ], omits: ["find out what sends this status"]),
  EdgeCase(
    testDescription: "the CDN's copy is cut off", cdn: copy(String(file.prefix(40))), exitCode: 0,
    says: [
      "example.com: the association file is served as Apple asks",
      "Apple's CDN has a copy of the file that is cut off, or not valid JSON [F062]",
    ], omits: ["a different version"]),
  EdgeCase(
    testDescription: "the CDN's copy leaves the given link in the browser",
    domain: "https://example.com/buy/42", cdn: copy(oldFile), exitCode: 1,
    says: [
      "example.com: devices that fetch the file now keep /buy/42 in the browser, until Apple's CDN "
        + "fetches the file again, in at most 5 hours",
      "help: wait: the CDN keeps its copy for at most 5 hours more; then install the app again",
      "[F119]",
    ]),
  EdgeCase(
    testDescription: "the CDN's copy opens the given link too",
    domain: "https://example.com/buy/42",
    cdn: copy(shopFile(components: #"[{"/":"/buy/*"},{"/":"/x"}]"#)), exitCode: 0,
    says: ["example.com: the association file is served as Apple asks", "[F062]"],
    omits: ["[F119]"]),
  EdgeCase(
    testDescription: "the CDN's copy is old, and no link was given", cdn: copy(oldFile),
    exitCode: 0,
    says: ["example.com: the association file is served as Apple asks", "[F062]"],
    omits: ["[F119]"]),
  EdgeCase(
    testDescription: "the CDN fails", cdn: { _ in .answer("503 Service Unavailable", "busy") },
    exitCode: 0,
    says: [
      "example.com: the association file is served as Apple asks; Apple's CDN could not be asked\n",
      "the CDN answers with status 503 [F060]",
    ]),
  EdgeCase(
    testDescription: "the CDN hangs", cdn: { _ in .stall }, exitCode: 0,
    says: [
      "example.com: the association file is served as Apple asks; Apple's CDN could not be asked\n"
    ]),
  EdgeCase(
    testDescription: "only the CDN can reach the host",
    world: CheckWorld(("2001:4860::1", nil)), cdn: copy(file), exitCode: 4,
    says: [
      "example.com: could not be checked: this machine has no route",
      "it has no IPv6; Apple's CDN has the file (60 minutes old, kept for at most 5 hours more), "
        + "and devices get this copy",
    ]),
  EdgeCase(
    testDescription: "a captive portal answers with 511",
    world: CheckWorld(
      CheckServer { _ in .answer("511 Network Authentication Required", "<html>pay</html>") }),
    exitCode: 4,
    says: ["example.com: could not be checked: this network requires a sign-in (511)"]),
  EdgeCase(
    testDescription: "a body that unpacks to too much",
    world: CheckWorld(CheckServer { _ in .fault(.content(.tooLarge(limit: 4_194_304))) }),
    exitCode: 1,
    says: [
      "example.com: universal links will not work: ", "ignore a file of more than 131072 bytes",
      "[A001]", "help: remove comments and white space",
    ], omits: ["send the file uncompressed", "RFC 9110"]),
  EdgeCase(
    testDescription: "the robot alone gets 404",
    world: CheckWorld(
      CheckServer { request in
        request.contains("AASA-Bot") ? .answer("404 Not Found", "no") : .answer(file)
      }), exitCode: 1,
    says: ["example.com: universal links will not work: Apple's robot gets status 404", "[F050]"],
    omits: ["[F031]"]),
  EdgeCase(
    testDescription: "a rate limit hits one request of several",
    world: CheckWorld(
      CheckServer { _ in .answer("429 Too Many Requests", type: "text/plain", "slow down") }),
    exitCode: 1,
    says: [
      "example.com: universal links will not work: a rate limit refuses access",
      "help: exempt both paths of the file from rate limits",
    ]),
  EdgeCase(
    testDescription: "the file has the name that generators give it",
    world: CheckWorld(
      CheckServer { request in
        path(of: request).hasSuffix("association.json")
          ? .answer(file) : .answer("404 Not Found", type: "text/plain", "no")
      }), exitCode: 1,
    says: [
      "example.com: universal links will not work: there is no file",
      "help: the file is at https://example.com/.well-known/apple-app-site-association.json: serve "
        + "the file without .json",
    ], omits: ["folders"]),
  EdgeCase(
    testDescription: "an API answers with an error of its own and status 200",
    world: CheckWorld(CheckServer { _ in .answer(#"{"message":"Not Found","code":404}"#) }),
    exitCode: 1,
    says: [
      "example.com: universal links will not work: the file has none of the services ", "[A010]",
    ]),
  EdgeCase(
    testDescription: "a misspelt key is the cause",
    world: CheckWorld(
      CheckServer { _ in
        .answer(
          #"{"applinks":{"details":[{"appids":["\#(shop)"],"components":[{"/":"/buy/*"}]}]}}"#)
      }), domain: "https://example.com/buy/42", exitCode: 1,
    says: [
      "example.com: universal links will not work: this file lets no app open a link, offer a "
        + "password or run as an App Clip: the key `appids` has no meaning", "[A160]", "`appIDs`",
    ], omits: ["because of A0", "[A019]", "[F070]", "[F071]", ", and 1 more"]),
  EdgeCase(
    testDescription: "an answer says why the application fails",
    world: CheckWorld(
      CheckServer { _ in
        .answer(
          "500 Internal Server Error", fields: ["Server: nginx", "CF-Ray: a34c-IAD"],
          #"{"error":"IOS_APP_ID is not set"}"#)
      }), exitCode: 1,
    says: [
      "example.com: universal links will not work: the server fails (500)",
      #"  < {"error":"IOS_APP_ID is not set"}"#, "  the answer came through Cloudflare",
      "help: read the text of the answer",
    ]),
  EdgeCase(
    testDescription: "equal content types do not differ",
    world: CheckWorld(
      CheckServer { _ in .answer(fields: ["Content-Type: application/json"], file) }),
    exitCode: 0, says: ["example.com: the association file is served as Apple asks; "],
    omits: ["[F040]"]),
  EdgeCase(
    testDescription: "one address redirects",
    world: CheckWorld(
      ("1.0.0.1", CheckServer()),
      ("1.0.0.2", CheckServer { _ in .redirect(to: "https://www.example.com/") })), exitCode: 1,
    says: [
      "example.com: universal links will fail for some devices", "[F006]",
      "help: serve the file itself at 1.0.0.2, without a redirect",
    ], omits: ["deploy the same version"]),
  EdgeCase(
    testDescription: "one address does not speak TLS",
    world: CheckWorld(("1.0.0.1", CheckServer()), ("1.0.0.2", CheckServer(refusing: .notTLS))),
    exitCode: 1,
    says: [
      "example.com: universal links will fail for some devices: the address 1.0.0.2 serves no "
        + "file: the server does not speak TLS on this port"
    ], omits: ["does not answer"]),
]

@Suite struct EdgeVerdictTests {
  @Test(arguments: edgeCases) func `a report says what is so`(_ edge: EdgeCase) throws {
    var options = CheckWorld.Options()
    options.cdn = edge.cdn.map { .plain($0) }
    let text = try edge.world.check(edge.domain, exitCode: edge.exitCode, options)
    text.says(.start(edge.says[0]))
    for words in edge.says { #expect(text.contains(words), "\(words) in \(text)") }
    for words in edge.omits { #expect(!text.contains(words), "\(words) in \(text)") }
  }

  @Test func `www counts only with a certificate that devices accept`() throws {
    var world = CheckWorld(CheckServer())
    world.set("www.example.com", to: "1.0.0.2")
    world.lead("1.0.0.2", to: CheckServer(CheckCertificate(names: ["other.example"])))
    try world.check(exitCode: 0).says(
      .part(
        "note: devices refuse the connection to www.example.com (the certificate is not for "
          + "www.example.com but for other.example): links to this host do not open the app "
          + "[F054]"),
      "www.example.com: a certificate that devices refuse", .lacks("www.example.com: the same file")
    )
  }

  @Test func `an entry for all subdomains says why the parent's file counts`() throws {
    let world = CheckWorld(CheckServer { _ in .answer("404 Not Found", "no") })
    var subject = try CheckSubject("applinks:*.example.com")
    subject.isGiven = false
    let why =
      "the app lists applinks:*.example.com, so devices use the file of example.com for its "
      + "subdomains"
    let wrong = try #require(world.run([subject], CheckWorld.Options()).first).text
    #expect(try #require(wrong.split(separator: "\n").first).hasSuffix(" (\(why))"), "\(wrong)")
    try #require(
      CheckWorld(CheckServer()).run([subject], CheckWorld.Options()).first
    ).text.says("\n\nalso:\n  \(why)\n")
  }

  @Test func `an app that is missing is reported once, with who wrote the file`() throws {
    var options = CheckWorld.Options()
    options.requirements = Requirements(apps: ["K27TX9P4QD.org.swift.pay"])
    try CheckWorld(CheckServer()).check(
      "https://example.com/buy/42", exitCode: 1, options
    ).says("[F070]", .lacks("[F071]"))
  }

  @Test func `a file other than the expected one may come from another layer`() throws {
    var options = CheckWorld.Options()
    options.requirements.file = associationDocument(Array(oldFile.utf8))
    let server = CheckServer { _ in
      .answer(fields: ["Server: nginx/1.22", "Via: 1.1 varnish"], file)
    }
    try CheckWorld(server).check(exitCode: 1, options).says(
      .part(
        "something in front of your application sends an older file: nginx/1.22, a proxy (via "
          + "1.1 varnish)"))
  }

  @Test func `Apple Pay's file is judged by Apple Pay's rule`() throws {
    let name = "apple-developer-merchantid-domain-association"
    let world = CheckWorld(
      CheckServer(
        CheckServer.serving(
          file,
          [
            name: .redirect(to: "/.well-known/\(name).bin"),
            "\(name).bin": .answer(type: "text/plain", "7B227073704964223A22"),
          ])))
    let text = try world.check(exitCode: 0)
    try #require(text.split(separator: "\n\n").first { $0.contains("[F108]") }).says(
      "source: services for Apple Pay", .lacks("passkey"))
  }
}
