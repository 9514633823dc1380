internal import HTTP

// The table of all settings. To add a setting, write a row here. Add its field to `Configuration`,
// or to the options of the module that uses the setting.

extension Setting {
  /// All settings, grouped under the headings of `aasa serve --help`.
  package static let groups: [(title: String, settings: [Setting])] = [
    ("Files", files),
    ("Listening", listening),
    ("TLS", tls),
    ("Limits", limits),
    ("Logs and metrics", logs),
    ("Checks from outside", checks),
    ("Certificates from a CA", issuance),
  ]

  package static let all = groups.flatMap(\.settings)

  private static let listening: [Setting] = [
    Setting(
      "http", \.http, .addresses, "ADDRESS:PORT", changes: .afterRestart,
      "where to listen for HTTP, or `none`; port 0 means any free port"),
    Setting(
      "https", \.https, .addresses, "ADDRESS:PORT", changes: .afterRestart,
      "where to listen for HTTPS, or `none`; port 0 means any free port"),
    Setting(
      "admin", \.admin, .localAddress, "ADDRESS:PORT", changes: .afterRestart,
      "where to listen for requests about health, metrics and status, or `none`; a port without"
        + " an address is on 127.0.0.1"),
    Setting(
      "adminHosts", \.adminHosts, .hosts, "NAME", flag: "admin-host", changes: .afterRestart,
      "a name that clients may use for the admin listener, besides addresses and localhost"),
    Setting(
      "trustedProxies", \.connections.trustedProxies, .networks, "CIDR", changes: .atOnce,
      "the trusted proxies; the server uses their fields `X-Forwarded-For`, `-Host`, `-Proto` and"
        + " `Forwarded`, and their PROXY protocol headers"),
    Setting(
      "proxyProtocol", \.connections.expectsProxyProtocol, .either("off", "on"), "WHEN",
      changes: .atOnce,
      "whether connections from trusted proxies begin with a header of the PROXY protocol,"
        + " version 1 or 2: `on` or `off`"),
    Setting(
      "threads", \.threads, .count(0...1024), "N", default: "0: one for each processor available",
      changes: .afterRestart, "the number of event loops"),
    Setting(
      "gracePeriod", \.connections.gracePeriod, .duration(0...3_600_000), "TIME",
      changes: .atOnce, "how long requests in flight may take after SIGTERM"),
    Setting(
      "drainDelay", \.drainDelay, .duration(0...3_600_000), "TIME", changes: .atOnce,
      "how long new requests are accepted after SIGTERM, while /readyz reports the shutdown"),
  ]

  private static let files: [Setting] = [
    Setting(
      "config", \.file, .file, "FILE",
      default: "Config/server.json, else /etc/aasa/server.json, if there is one",
      changes: .afterRestart, "the configuration file"),
    Setting(
      "domains", \.hosting.domains, .folder, "DIR",
      default: "domains beside server.json, else Config/domains", changes: .afterRestart,
      "the folder with a file or folder for each host"),
    Setting(
      "aliases", \.hosting.aliases, .aliases, "FROM=TO", flag: "alias", changes: .atOnce,
      "an alias: requests for the host FROM get the files of the host TO"),
    Setting(
      "allowHosts", \.hosting.allowedHosts, .hostPatterns, "HOST", changes: .atOnce,
      "a host that gets the files of `_default`, for example `*.example.net`; if set, requests for "
        + "any other host without its own files get 404"),
    Setting(
      "wellKnown", \.hosting.wellKnown, .wellKnown, "NAME=TYPE", flag: "well-known",
      changes: .afterRestart,
      "a further file to serve from the folder `.well-known` of a host, and its media type"),
    Setting(
      "cacheControl", \.hosting.cacheControl, .fieldValue, "VALUE", changes: .atOnce,
      "the Cache-Control field of association files"),
    Setting(
      "minify", \.hosting.minification, .choice, "WHAT", changes: .atOnce,
      "what to strip from served association files: `off`, `whitespace`, or `comments` (whitespace"
        + " and comments)"),
    Setting(
      "expectations", \.hosting.requiresExpectations, .either("lenient", "strict"), "HOW",
      changes: .atOnce,
      "whether to refuse a file that breaks its own expectations: `strict` always, `lenient` only "
        + "if there is a better version"),
    Setting(
      "watch", \.hosting.watch, .choice, "HOW", changes: .afterRestart,
      "how changed files are detected: `auto` by kernel events where they exist, otherwise by"
        + " polling; `poll` always by polling"),
    Setting(
      "withdrawAfter", \.hosting.withdrawAfter, .duration(0...3_600_000), "TIME",
      changes: .atOnce, "how long a file must be missing before the server stops serving the file"),
    Setting(
      "state", \.state, .folderOrNone, "DIR", default: "$STATE_DIRECTORY, else none",
      changes: .afterRestart,
      "the folder for the last good versions of faulty or missing files, so that the server still"
        + " serves these versions after a restart; or `none`"),
  ]

  private static let tls: [Setting] = [
    Setting(
      "certificates", \.certificates, .folder, "DIR",
      default: "certificates beside server.json, else Config/certificates",
      changes: .afterRestart, "the folder with certificate chains and keys"),
    Setting(
      "defaultCertificate", \.hosting.defaultCertificate, .certificateName, "NAME",
      changes: .atOnce,
      "the certificate for clients that send no known server name: the name of its file"
        + " or folder, or a host that it covers"),
    Setting(
      "certificateWarningDays", \.hosting.certificateWarningDays, .count(0...3650), "DAYS",
      changes: .atOnce,
      "warn about a certificate that expires within this number of days, or within a third of its "
        + "life if that is less"),
    Setting(
      // A TLS session ticket may be used for at most seven days (RFC 8446 section 4.6.1).
      "ticketLifetime", \.hosting.ticketRotation, .wholeSeconds(1_000...604_800_000), "TIME",
      changes: .afterRestart, "how long a TLS session can be resumed"),
  ]

  private static let limits: [Setting] = [
    Setting(
      "headBytes", \.connections.request.headBytes, .size(1024...1_048_576), "SIZE",
      changes: .atOnce, "the maximum size of a request head; a larger head gets 431"),
    Setting(
      "targetBytes", \.connections.request.targetBytes, .size(256...65_536), "SIZE",
      changes: .atOnce, "the maximum size of a request target; a longer target gets 414"),
    Setting(
      "fieldLines", \.connections.request.fieldLines, .count(10...1000), "N", changes: .atOnce,
      "the maximum number of field lines in a request; a request with more gets 431"),
    Setting(
      "bodyBytes", \.connections.request.bodyBytes, .size(0...16_777_216), "SIZE",
      changes: .atOnce,
      "the maximum size of a request body, which is read and dropped; a larger body gets 413"),
    timeout("headTimeout", \.connections.headTimeout, "for a request head, from its first byte"),
    timeout("handshakeTimeout", \.connections.handshakeTimeout, "for a TLS handshake"),
    timeout("idleTimeout", \.connections.idleTimeout, "for the next request on a connection"),
    timeout(
      "writeTimeout", \.connections.writeTimeout,
      "for a client to receive another 16 KiB of a response, or the rest of the response"),
    timeout(
      "bodyTimeout", \.connections.bodyTimeout,
      "for a request body, from the end of the request head"),
    timeout(
      "lingerTimeout", \.connections.lingerTimeout,
      "for a client to close the connection after the server has closed its side"),
    Setting(
      "maxConnections", \.maxConnections, .count(0...1_000_000), "N",
      default: "0: derived from the limit of open files", changes: .afterRestart,
      "the maximum number of open connections; above this number, the connection that has waited "
        + "longest is closed"),
    Setting(
      "maxConnectionsPerClient", \.connections.maxConnectionsPerClient, .count(0...1_000_000),
      "N",
      default: "0: a quarter of maxConnections, at least 16 and at most 1000", changes: .atOnce,
      "the maximum number of open connections of one client (an IPv4 address or an IPv6 /64);"
        + " further connections are closed at once; loopback connections are not limited"),
    Setting(
      "retryAfter", \.connections.retryAfter, .wholeSeconds(1_000...86_400_000), "TIME",
      changes: .atOnce, "the Retry-After field of a 503 for a host whose file is faulty"),
  ]

  private static func timeout(
    _ key: String, _ path: any WritableKeyPath<Configuration, Int64> & Sendable, _ what: String
  ) -> Setting {
    Setting(
      key, path, .duration(100...3_600_000), "TIME", changes: .atOnce, "the time " + what)
  }

  private static let logs: [Setting] = [
    Setting(
      "accessLog", \.accessLog, .log, "WHERE", changes: .afterRestart,
      "where to log each request: `stdout`, a file, or `none`; SIGUSR1 opens the file again"),
    Setting(
      "logAddresses", \.logAddresses, .choice, "HOW", changes: .afterRestart,
      "client addresses in the access log: `full`, `truncated` (IPv4 to /24, IPv6"
        + " to /48), or `none`"),
    Setting(
      "logLevel", \.logLevel, .choice, "LEVEL", changes: .atOnce,
      "the lowest severity in the server's log on standard error: `debug` (also failed"
        + " handshakes), `info`, `warning`, or `error` (only faults that somebody must fix)"),
    Setting(
      "logFormat", \.logFormat, .choice, "FORMAT", changes: .afterRestart,
      "how logs are written: `text`, `json` (one object per line), or `auto` (an access log that is"
        + " not on a terminal is JSON)"),
    Setting(
      "metricsPerDomain", \.hasMetricsPerDomain, .either("off", "on"), "HOW",
      changes: .afterRestart,
      "whether /metrics has lines for each domain; choose `on` for a few hundred domains at most"),
  ]

  private static let checks: [Setting] = [
    Setting(
      "check", \.isChecking, .either("off", "on"), "WHEN", changes: .afterRestart,
      "whether the domains and their copies at Apple's CDN are checked from outside, as `aasa "
        + "check` checks them: `on` or `off`"),
    Setting(
      // Apple's CDN takes hours to update its copies.
      "checkInterval", \.checkInterval, .duration(10_000...604_800_000), "TIME",
      changes: .afterRestart,
      "the time between two checks of a domain; longer if there are many domains, because the"
        + " server checks one domain per second"),
    Setting(
      "checkCdn", \.checkCDN, .url, "URL", changes: .afterRestart,
      "the CDN whose copies are checked: `apple` for Apple's, the beginning of another CDN's URLs,"
        + " or `none`"),
  ]
}
