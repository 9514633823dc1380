import Diagnostics
import Settings
import Testing

@Suite struct ConfigurationFaultTests {
  @Test(arguments: [
    // Syntax errors, and other values than an object.
    ("{\"http\": 1,}", "1:11", "J010", "a comma follows the last member"),
    ("[]", "1:1", "C007", "is not an object"),
    // Keys.
    (
      "{\n  \"htttp\": \"8080\"\n}", "2:3", "C001",
      "there is no setting `htttp`; did you mean `http`?"
    ),
    ("{\"zzz\": 1}", "1:2", "C001", "`zzz`; correct or remove the key; `aasa config` lists"),
    ("{\"http\": 1,\n\"http\": 2}", "2:1", "C005", "the key `http` is repeated"),
    ("{\"config\": \"x\"}", "1:2", "C016", "`--config FILE`"),
    // Types.
    ("{\"threads\": \"4\"}", "1:13", "C003", "must be a whole number, not a string"),
    ("{\"threads\": 1.5}", "1:13", "C003", "must be a whole number, not this number"),
    ("{\"threads\": -1}", "1:13", "C003", "must be a whole number"),
    ("{\"domains\": null}", "1:13", "C003", "must be a string, not null"),
    ("{\"headTimeout\": true}", "1:17", "C003", "a number or a string with a unit"),
    ("{\"http\": {}}", "1:10", "C003", "a string or an array of strings, not an object"),
    ("{\"http\": [\"1\", null]}", "1:16", "C003", "an array of strings, not null"),
    ("{\"adminHosts\": {}}", "1:16", "C003", "a string or an array of strings, not an object"),
    ("{\"allowHosts\": [\"a.b\", 1]}", "1:24", "C003", "must be a string, not this number"),
    ("{\"trustedProxies\": \"x\"}", "1:20", "C022", "`x`"),
    ("{\"aliases\": 1}", "1:13", "C003", "must be an object"),
    ("{\"aliases\": [\"a.b=c.d\", \"a.b\"]}", "1:25", "C014", "`a.b` is not an alias"),
    ("{\"aliases\": {\"a.b\": 1}}", "1:21", "C003", "must be a host name"),
    ("{\"wellKnown\": 1}", "1:15", "C003", "must be an object"),
    ("{\"wellKnown\": [\"gpc.json\"]}", "1:16", "C028", "is not a name with a media type"),
    ("{\"wellKnown\": {\"gpc.json\": 1}}", "1:28", "C003", "must be a media type"),
    // Values, at the element that is wrong.
    (
      "{\"wellKnown\": {\"a\": \"text/plain\", \"change-password\": \"text/html\"}}", "1:35",
      "C028",
      "this path must redirect"
    ),
    ("{\"wellKnown\": {\"a/b/c\": \"text/plain\"}}", "1:16", "C028", "below /.well-known/"),
    ("{\"wellKnown\": {\"../a\": \"text/plain\"}}", "1:16", "C028", "below /.well-known/"),
    ("{\"wellKnown\": {\"a\": \"text\"}}", "1:16", "C028", "`text` is not a media type"),
    ("{\"wellKnown\": {\"a\": \"a/b\\r\\nX: y\"}}", "1:16", "C028", "is not a media type"),
    ("{\"wellKnown\": {\"assetlinks.json\": \"a/b\"}}", "1:16", "C028", "without a setting"),
    ("{\"http\": [\"81\", \"x\"]}", "1:17", "C004", "`x` is not an address"),
    (
      "{\"http\": [\"81\", \"82\", \":81\"]}", "1:23", "C018",
      "`[::]:81` is repeated in this setting"
    ),
    ("{\"http\": []}", "1:10", "C004", "the list is empty; write `\"none\"`"),
    (
      "{\"aliases\": {\"a.b\": \"c.d\", \"A.b\": \"c.d\"}}", "1:28", "C005",
      "the alias `A.b` is repeated"
    ),
    ("{\"aliases\": {\"a.b\": \"c.d\", \"c.d\": \"e.f\"}}", "1:13", "C014", "`a.b=e.f`"),
    (
      "{\"domains\": \"d\", \"certificates\": \"d\", \"https\": \"8443\"}", "1:18", "C019",
      "are the same folder"
    ),
    ("{\"cacheControl\": \"a\\r\\nX: y\"}", "1:18", "C013", "printable ASCII"),
    ("{\"domains\": \"\"}", "1:13", "C012", "the path is empty"),
    ("{\"domains\": \"a\\u0000\"}", "1:13", "C012", "control character"),
  ]) func `a fault in server.json has its place`(
    text: String, place: String, code: String, words: String
  ) throws {
    let resolution = resolve(files: ["Config/server.json": text])
    #expect(resolution.configuration == nil)
    #expect(resolution.diagnostics.count == 1)
    let diagnostic = try #require(resolution.diagnostics.first)
    #expect(diagnostic.code == code)
    #expect(diagnostic.line.hasPrefix("Config/server.json:\(place): error: "), "\(diagnostic.line)")
    #expect(diagnostic.line.contains(words), "\(diagnostic.line)")
    #expect(diagnostic.help != nil)
  }

  @Test(
    arguments: [
      ("threads", "x", "C011", "`x` is not a whole number; write a number from 0 to 1024"),
      ("threads", "1025", "C008", "from 0 to 1024"),
      ("threads", "99999999999999999999", "C008", "from 0 to 1024"),
      ("threads", "-1", "C011", "not a whole number"),
      ("idleTimeout", "1.5s", "C009", "write `10s`, `500ms`"),
      ("idleTimeout", "10 parsecs", "C009", "not a duration"),
      ("idleTimeout", "99ms", "C008", "from 100ms to 1h"),
      ("idleTimeout", "61m", "C008", "from 100ms to 1h"),
      ("retryAfter", "1500ms", "C009", "not a whole number of seconds"),
      ("headBytes", "64KB", "C010", "64KiB"),
      ("headBytes", "1023", "C008", "from 1KiB to 1MiB"),
      ("headBytes", "1048577", "C008", "from 1KiB to 1MiB"),
      ("cacheControl", "a\nb", "C013", "printable ASCII"),
      ("cacheControl", " ", "C013", "empty"),
      ("defaultCertificate", "a/b", "C015", "not a certificate's name"),
      ("aliases", "a.b", "C014", "write `www.example.com=example.com`"),
      ("aliases", "a.b=a.b", "C014", "an alias of itself"),
      ("aliases", "https://a.b=c.d", "C014", "no scheme"),
      ("aliases", "münchen.de=c.d", "C014", "`xn--`"),
      ("http", "none,8080", "C004", "`none` is combined with an address"),
      ("http", "", "C004", "not an address"),
      ("http", "8080,8080", "C018", "is repeated in this setting"),
    ] as [(String, String, String, String)])
  func `a fault in a flag or variable names it`(
    key: String, text: String, code: String, words: String
  ) throws {
    let setting = try #require(Setting.named(key))
    let flag = resolve(flags: [key: [text]])
    var all = [(flag, setting.flag)]
    // An empty variable counts as not set.
    if !text.isEmpty {
      all.append((resolve(environment: [setting.variable: text]), setting.variable))
    }
    for (resolution, name) in all {
      #expect(resolution.configuration == nil)
      #expect(resolution.diagnostics.map(\.code) == [code])
      let line = try #require(resolution.diagnostics.first).line
      #expect(line.hasPrefix("\(name): error: ") && line.contains(words), "\(line)")
    }
  }

  @Test func `all faults are reported at once`() {
    let resolution = resolve(
      flags: ["threads": ["x"], "http": ["y"]],
      environment: ["AASA_HEAD_BYTES": "z", "AASA_THREDS": "1"],
      files: ["Config/server.json": #"{"htp": 1, "idleTimeout": "q"}"#])
    #expect(resolution.configuration == nil)
    #expect(
      resolution.diagnostics.map(\.code) == ["C001", "C009", "C010", "C002", "C004", "C011"])
  }

  @Test func `an unknown variable is a warning`() throws {
    let resolution = resolve(environment: ["AASA_DOMAIN": "x", "AASA_QQQQQQ": "y", "OTHER": "z"])
    #expect(resolution.configuration != nil)
    #expect(
      resolution.diagnostics.map(\.line) == [
        "AASA_DOMAIN: warning: no setting has this variable, so the variable has no effect; did "
          + "you mean `AASA_DOMAINS`? [C002]",
        "AASA_QQQQQQ: warning: no setting has this variable, so the variable has no effect; "
          + "correct or remove the variable; `aasa config --markdown` lists all variables [C002]",
      ])
  }

  @Test func `variables that Kubernetes sets for a service of this name are passed over`() {
    let names = [
      "AASA_SERVICE_HOST", "AASA_SERVICE_PORT", "AASA_SERVICE_PORT_HTTP", "AASA_PORT",
      "AASA_PORT_80_TCP", "AASA_PORT_80_TCP_ADDR", "AASA_HTTP_SERVICE_HOST",
    ]
    let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "tcp://10.0.0.1:80") })
    #expect(resolve(environment: environment).diagnostics.isEmpty)
  }

  @Test func `a named file that is missing is an error, and so is one that is unreadable`() {
    let missing = resolve(flags: ["config": ["a.json"]])
    #expect(missing.configuration == nil)
    #expect(
      missing.diagnostics.map(\.line) == [
        "a.json: error: cannot read the configuration: No such file or directory; create the file,"
          + " or choose another with `--config FILE` [C006]"
      ])
    let forbidden = resolve(forbidden: ["Config/server.json"])
    #expect(forbidden.configuration == nil)
    #expect(forbidden.diagnostics.map(\.code) == ["C006"])
    // The file is there, so nobody is asked to create it.
    let named = resolve(flags: ["config": ["b.json"]], forbidden: ["b.json"])
    #expect(named.diagnostics.first?.help?.hasPrefix("make the file readable") == true)
  }

  @Test func `an empty file is answered with an example of its own`() {
    let empty = resolve(flags: ["config": ["a.json"]], files: ["a.json": ""])
    #expect(empty.diagnostics.map(\.code) == ["J001"])
    #expect(empty.diagnostics.first?.help?.contains("\"http\": \"8080\"") == true)
  }

  @Test(
    arguments: [
      (["http": ["none"], "https": ["none"]], "C017", "--https"),
      (["http": ["81"], "https": ["[::]:81"]], "C018", "--https"),
      (["headBytes": ["8KiB"]], "C019", "--target-bytes"),
    ] as [([String: [String]], String, String)])
  func `settings that contradict each other are refused`(
    flags: [String: [String]], code: String, path: String
  ) {
    let resolution = resolve(flags: flags)
    #expect(resolution.configuration == nil)
    #expect(resolution.diagnostics.map(\.code) == [code])
    #expect(resolution.diagnostics.first?.location?.path == path)
  }

  /// Networks, and whether every client is a trusted proxy with them.
  @Test(arguments: [
    ("0.0.0.0/0", true), ("::/0", true), ("10.0.0.0/8,::/0", true), ("::ffff:0:0/96", true),
    ("0.0.0.0/1", false), ("::ffff:0:0/97", false), ("2001:db8::/32", false), ("10.0.0.0/8", false),
  ]) func `a warning says when all are trusted proxies`(networks: String, isWarned: Bool) throws {
    for resolution in [
      resolve(flags: ["trustedProxies": [networks]]),
      resolve(environment: ["AASA_TRUSTED_PROXIES": networks]),
    ] {
      #expect(resolution.configuration != nil)
      #expect(resolution.diagnostics.map(\.code) == (isWarned ? ["C025"] : []))
      #expect(resolution.diagnostics.allSatisfy { $0.severity == .warning && $0.help != nil })
    }
  }

  @Test func `any free port may be asked for twice`() {
    #expect(resolve(flags: ["http": ["0", "0"], "https": ["0"]]).configuration != nil)
  }
}
