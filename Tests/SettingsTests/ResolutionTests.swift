import Diagnostics
import HTTP
import Posix
import Testing

@testable import Settings

let notFound: Int32 = 2
let permissionDenied: Int32 = 13

/// Resolves with `files` as the file system: a path that is not among them does not exist.
func resolve(
  flags: [String: [String]] = [:], environment: [String: String] = [:],
  files: [String: String] = [:], forbidden: Set<String> = []
) -> Resolution {
  #expect(flags.keys.allSatisfy { Setting.named($0) != nil })
  return Configuration.resolve(flags: flags, environment: environment) {
    (path: String) throws(SystemError) -> [UInt8] in
    if forbidden.contains(path) { throw SystemError("open", path, code: permissionDenied) }
    guard let text = files[path] else { throw SystemError("open", path, code: notFound) }
    return Array(text.utf8)
  }
}

@Suite struct ConfigurationResolutionTests {
  @Test func `without anything the defaults are in force`() throws {
    let resolution = resolve()
    #expect(resolution.diagnostics.isEmpty)
    let configuration = try #require(resolution.configuration)
    #expect(configuration.file == "")
    #expect(configuration.domains == "Config/domains")
    #expect(configuration.certificates == "Config/certificates")
    #expect(configuration.http.map(\.description) == ["[::]:8080"])
    #expect(configuration.https.map(\.description) == ["[::]:8443"])
    #expect(configuration.threads == 0)
    #expect(configuration.hosting.aliases.isEmpty)
    #expect(configuration.hosting.defaultCertificate == "default")
    #expect(configuration.hosting.cacheControl == "public, max-age=3600")
    #expect(configuration.connections.gracePeriod == 10_000)
    #expect(configuration.connections.request.headBytes == 16_384)
    #expect(configuration.connections.request.targetBytes == 8_192)
    #expect(configuration.connections.request.fieldLines == 100)
    #expect(configuration.connections.request.bodyBytes == 65_536)
    #expect(configuration.connections.headTimeout == 10_000)
    #expect(configuration.connections.handshakeTimeout == 10_000)
    #expect(configuration.connections.idleTimeout == 60_000)
    #expect(configuration.connections.writeTimeout == 10_000)
    #expect(configuration.connections.bodyTimeout == 10_000)
    #expect(configuration.maxConnections == 0)
    #expect(configuration.connections.retryAfter == 60_000)
    #expect(configuration.hosting.certificateWarningDays == 14)
    #expect(configuration.hosting.ticketRotation == 12 * 3_600_000)
    for setting in Setting.all {
      #expect(configuration.origin(of: setting) == .default)
      // The table writes defaults as the program does; folders are seen from Config.
      let isFolder = ["domains", "certificates", "acmeState"].contains(setting.key)
      let text = isFolder ? "Config/" + setting.defaultText : setting.defaultText
      #expect(configuration.text(of: setting) == text)
    }
  }

  @Test func `a flag beats a variable, a variable beats server.json, and that the default`() throws
  {
    let server = #"""
      {
        "threads": 1,
        "headBytes": "32KiB",
        "idleTimeout": "1m"
      }
      """#
    let resolution = resolve(
      flags: ["threads": ["3"]],
      environment: ["AASA_THREADS": "2", "AASA_HEAD_BYTES": "20KiB", "PATH": "/bin"],
      files: ["Config/server.json": server])
    let configuration = try #require(resolution.configuration)
    #expect(configuration.threads == 3)
    #expect(configuration.origin(of: \.threads) == .flag("--threads"))
    #expect(configuration.connections.request.headBytes == 20_480)
    #expect(
      configuration.origin(of: \.connections.request.headBytes) == .environment("AASA_HEAD_BYTES"))
    #expect(configuration.connections.idleTimeout == 60_000)
    #expect(
      configuration.origin(of: \.connections.idleTimeout).description == "Config/server.json:4")
    #expect(configuration.connections.request.fieldLines == 100)
    #expect(configuration.origin(of: \.connections.request.fieldLines) == .default)
  }

  @Test func `the service manager's folder is the state folder unless the user names another`()
    throws
  {
    let variables = ["STATE_DIRECTORY": "/var/lib/aasa:/var/lib/other"]
    let found = try #require(resolve(environment: variables).configuration)
    #expect(found.stateFolder == "/var/lib/aasa" && found.issuance.state == "/var/lib/aasa")
    #expect(found.origin(of: \.state) == .environment("STATE_DIRECTORY"))
    let named = try #require(
      resolve(
        environment: variables.merging(["AASA_STATE": "none"]) { $1 },
        files: ["Config/server.json": #"{"acmeState": "/srv/acme"}"#]
      ).configuration)
    #expect(named.stateFolder == nil && named.issuance.state == "/srv/acme")
    try #expect(#require(resolve().configuration).stateFolder == nil)
  }

  @Test func `an empty variable is as good as none`() throws {
    let configuration = try #require(resolve(environment: ["AASA_HTTP": ""]).configuration)
    #expect(configuration.http.map(\.description) == ["[::]:8080"])
  }

  @Test(
    arguments: [
      // The files that exist, the named file, the file that is read.
      (["Config/server.json", "/etc/aasa/server.json"], nil, "Config/server.json"),
      (["/etc/aasa/server.json"], nil, "/etc/aasa/server.json"),
      ([], nil, ""),
      (["Config/server.json", "my.json"], "my.json", "my.json"),
    ] as [([String], String?, String)])
  func `server.json is the named one, else Config's, else etc's`(
    existing: [String], named: String?, read: String
  ) throws {
    let files = Dictionary(uniqueKeysWithValues: existing.map { ($0, "{}") })
    let byFlag = resolve(flags: named.map { ["config": [$0]] } ?? [:], files: files)
    #expect(try #require(byFlag.configuration).file == read)
    let byVariable = resolve(environment: named.map { ["AASA_CONFIG": $0] } ?? [:], files: files)
    #expect(try #require(byVariable.configuration).file == read)
  }

  @Test(
    arguments: [
      ("server.json", "domains", "domains"),
      ("a/server.json", "domains", "a/domains"),
      ("a/server.json", "../d", "a/../d"),
      ("/etc/aasa/server.json", "d", "/etc/aasa/d"),
      ("a/server.json", "/srv/d", "/srv/d"),
      // Without the key: beside the file.
      ("/etc/aasa/server.json", nil, "/etc/aasa/domains"),
      ("server.json", nil, "domains"),
    ] as [(String, String?, String)])
  func `a path in server.json is seen from its folder`(
    file: String, path: String?, expected: String
  ) throws {
    let text = path.map { "{\"domains\": \"\($0)\"}" } ?? "{}"
    let configuration = try #require(
      resolve(flags: ["config": [file]], files: [file: text]).configuration)
    #expect(configuration.domains == expected)
  }

  @Test func `a path in a flag or variable is seen from the working directory`() throws {
    let configuration = try #require(
      resolve(
        flags: ["domains": ["d"]], environment: ["AASA_CERTIFICATES": "./c"],
        files: ["Config/server.json": "{}"]
      ).configuration)
    #expect(configuration.domains == "d")
    #expect(configuration.certificates == "./c")
  }

  @Test func `lists come from repeated flags, commas, and arrays`() throws {
    let expected = ["[::]:0", "127.0.0.1:81", "localhost:82"]
    let byFlag = resolve(flags: ["http": ["0", "127.0.0.1:81", "localhost:82"]])
    let byVariable = resolve(environment: ["AASA_HTTP": "0, 127.0.0.1:81,localhost:82"])
    let byKey = resolve(
      files: ["Config/server.json": #"{"http": [0, "127.0.0.1:81", "localhost:82"]}"#])
    let byString = resolve(
      files: ["Config/server.json": #"{"http": "127.0.0.1:81"}"#])
    for resolution in [byFlag, byVariable, byKey] {
      #expect(try #require(resolution.configuration).http.map(\.description) == expected)
    }
    #expect(
      try #require(byString.configuration).http.map(\.description) == ["127.0.0.1:81"])
  }

  /// Keys of repeatable flags, and a value of each.
  static let lists = [
    ("aliases", "www.example.com=example.com"), ("allowHosts", "*.example.com"),
    ("trustedProxies", "10.0.0.0/8"), ("adminHosts", "aasa.internal"), ("acme", "letsencrypt"),
    ("acmeChallenges", "http-01"), ("wellKnown", "gpc.json=application/json"), ("http", "8081"),
    ("https", "none"),
  ]

  @Test(arguments: lists)
  func `a list in server.json may be one string`(key: String, text: String) throws {
    let forms = ["\"\(text)\"", "[\"\(text)\"]"].map { value in
      resolve(files: ["Config/server.json": "{\"\(key)\": \(value)}"])
    }
    let byFlag = resolve(flags: [key: [text]])
    let setting = try #require(Setting.named(key))
    let expected = setting.text(try #require(byFlag.configuration))
    for resolution in forms {
      let configuration = try #require(resolution.configuration, "\(resolution.diagnostics)")
      #expect(setting.text(configuration) == expected)
    }
  }

  @Test func `aliases come from repeated flags, commas, and an object`() throws {
    let byFlag = resolve(flags: ["aliases": ["WWW.example.com=example.com", "b.test=c.test"]])
    let byVariable = resolve(
      environment: ["AASA_ALIASES": "www.example.com=Example.com,b.test=c.test"])
    let byKey = resolve(files: [
      "Config/server.json":
        #"{"aliases": {"www.example.com": "example.com", "b.test": "c.test"}}"#
    ])
    for resolution in [byFlag, byVariable, byKey] {
      let configuration = try #require(resolution.configuration)
      #expect(
        configuration.hosting.aliases.map(\.from.description) == ["www.example.com", "b.test"])
      #expect(configuration.hosting.aliases.map(\.to) == ["example.com", "c.test"])
    }
  }

  @Test func `a hundred thousand aliases are accepted, and a repeated one is found`() throws {
    func members(_ extra: String = "") -> String {
      let names = (0..<100_000).map { "\"name\($0).test\": \"example.com\"" }
      return #"{"aliases": {"# + names.joined(separator: ",\n") + extra + "}}"
    }
    let resolution = resolve(files: ["Config/server.json": members()])
    #expect(try #require(resolution.configuration).hosting.aliases.count == 100_000)
    let twice = resolve(files: ["Config/server.json": members(#","NAME7.test": "a.test""#)])
    #expect(twice.diagnostics.map(\.code) == ["C005"])
  }

  @Test func `none turns a listener off`() throws {
    let configuration = try #require(resolve(flags: ["https": ["none"]]).configuration)
    #expect(configuration.https.isEmpty)
    #expect(configuration.text(of: try #require(.named("https"))) == "none")
  }

  @Test func `localhost is both loopback addresses`() throws {
    let configuration = try #require(resolve(flags: ["http": ["localhost:1"]]).configuration)
    #expect(
      configuration.http.flatMap(\.addresses).map(\.description) == ["127.0.0.1:1", "[::1]:1"])
  }
}
