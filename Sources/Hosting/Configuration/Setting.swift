/// Every setting of the program, once. Flags, variables, keys of server.json, help, the README's
/// table and the defaults follow from here.
package enum Setting: String, CaseIterable, Sendable {
  case config, domains, certificates, http, https, threads
  case aliases, defaultCertificate, cacheControl, minify, gracePeriod
  case allowHosts, trustedProxies, proxyProtocol
  case accessLog, logAddresses, logLevel, logFormat
  case headBytes, targetBytes, fieldLines, bodyBytes
  case headTimeout, handshakeTimeout, idleTimeout, writeTimeout, bodyTimeout, lingerTimeout
  case maxConnections, maxConnectionsPerClient, retryAfter, certificateWarningDays, ticketLifetime,
    watch
  case admin, adminHosts, drainDelay, metricsPerDomain
  case check, checkInterval, checkCdn

  /// The key in server.json.
  package var key: String { rawValue }

  /// The flag with its hyphens: `--head-bytes`.
  package var flag: String { "--" + flagName }

  /// The flag without its leading hyphens. A repeatable flag names one of what the key lists.
  package var flagName: String {
    switch self {
    case .aliases: "alias"
    case .adminHosts: "admin-host"
    default: words(separator: "-")
    }
  }

  /// The environment variable: `AASA_HEAD_BYTES`.
  package var variable: String { "AASA_" + words(separator: "_").uppercased() }

  private func words(separator: Character) -> String {
    var result = ""
    for character in rawValue {
      if character.isUppercase { result.append(separator) }
      result += character.lowercased()
    }
    return result
  }

  /// Whether the flag may be given several times, once for each entry of a list.
  package var isRepeatable: Bool {
    switch definition.form {
    case .addresses, .aliases, .hosts, .hostPatterns, .networks: true
    default: false
    }
  }

  /// What a shell can offer for the value.
  package enum ValueKind: Sendable {
    case file, folder
    /// One of these.
    case words([String])
    case other
  }

  package var valueKind: ValueKind {
    switch definition.form {
    case .file: .file
    case .folder: .folder
    case .choice(let words): .words(words)
    default: .other
    }
  }

  /// One sentence that starts in lower case and has no full stop.
  package var help: String { definition.help }

  /// What stands for the value in help: `ADDRESS:PORT`.
  package var valueName: String { definition.valueName }

  /// The default as a user would write it; empty for a list that is empty and for `config`.
  package var defaultText: String { definition.defaultText }

  /// What the default is in words, for help and the README, where the text alone is not clear.
  package var defaultDescription: String {
    switch self {
    case .config: "Config/server.json, else /etc/aasa/server.json, if there is one"
    case .domains, .certificates: "\(rawValue) beside server.json; Config/\(rawValue) without it"
    case .threads: "0: one for each processor available"
    case .maxConnections: "0: from the limit of open files"
    case .maxConnectionsPerClient: "0: a quarter of maxConnections, at most 1000"
    case .aliases, .adminHosts, .allowHosts, .trustedProxies: "none"
    default: defaultText
    }
  }
}

extension Setting {
  /// One row of the table.
  struct Definition: Sendable {
    let form: Form
    let valueName: String
    let defaultText: String
    let help: String

    init(_ form: Form, _ valueName: String, default defaultText: String, _ help: String) {
      self.form = form
      self.valueName = valueName
      self.defaultText = defaultText
      self.help = help
    }
  }

  /// How a value is written.
  enum Form: Sendable {
    /// A file, or one of the words `stdout` and `none`.
    case log
    /// The beginning of URLs, or one of the words `apple` and `none`.
    case url
    case file, folder, addresses, aliases, certificateName, fieldValue
    /// One address, or `none`; a port alone is one of this machine's own.
    case localAddress
    /// Host names, or `*.` and one; networks.
    case hostPatterns, networks
    /// Names without ports.
    case hosts
    /// One of these words.
    case choice([String])
    /// In milliseconds.
    case duration(ClosedRange<Int>)
    /// A duration that goes out as whole seconds, in milliseconds.
    case wholeSeconds(ClosedRange<Int>)
    /// In bytes.
    case size(ClosedRange<Int>)
    case count(ClosedRange<Int>)
  }

  var definition: Definition {
    switch self {
    case .config:
      Definition(
        .file, "FILE", default: "", "the configuration file (not a key of server.json)")
    case .domains:
      Definition(.folder, "DIR", default: "domains", "the folder with one entry per host")
    case .certificates:
      Definition(
        .folder, "DIR", default: "certificates", "the folder with certificate chains and keys")
    case .http:
      Definition(
        .addresses, "ADDRESS:PORT", default: "[::]:8080",
        "where to listen for HTTP, or `none`; port 0 takes any free one")
    case .https:
      Definition(
        .addresses, "ADDRESS:PORT", default: "[::]:8443",
        "where to listen for HTTPS, or `none`; port 0 takes any free one")
    case .threads:
      Definition(.count(0...1024), "N", default: "0", "the number of event loops")
    case .aliases:
      Definition(
        .aliases, "FROM=TO", default: "", "a host that is served the files of another host")
    case .defaultCertificate:
      Definition(
        .certificateName, "NAME", default: "default",
        "the certificate for clients that name no host or an unknown one: the name of its file or"
          + " folder, or a host that it covers")
    case .cacheControl:
      Definition(
        .fieldValue, "VALUE", default: "public, max-age=3600",
        "the Cache-Control field of association files")
    case .minify:
      Definition(
        .choice(HostingOptions.Minification.allCases.map(\.rawValue)), "WHAT", default: "off",
        "what is left out of association files when they are served: `off` nothing, `whitespace`"
          + " white space between values, `comments` that and comments for people")
    case .gracePeriod:
      Definition(
        .duration(0...3_600_000), "TIME", default: "10s",
        "how long requests in flight may take after SIGTERM")
    case .allowHosts:
      Definition(
        .hostPatterns, "HOST", default: "",
        "the hosts that the entry `_default` may stand for, such as `*.example.net`; any other gets"
          + " 404")
    case .trustedProxies:
      Definition(
        .networks, "CIDR", default: "",
        "the proxies whose word counts: their `X-Forwarded-For`, `-Host`, `-Proto` and `Forwarded`"
          + " fields, and their PROXY protocol")
    case .proxyProtocol:
      Definition(
        .choice(["off", "on"]), "WHEN", default: "off",
        "whether connections from trusted proxies begin with a header of the PROXY protocol,"
          + " version 1 or 2: `on` or `off`")
    case .accessLog:
      Definition(
        .log, "WHERE", default: "stdout",
        "where a line for each request goes: `stdout`, a file, or `none`; SIGUSR1 opens the file"
          + " again")
    case .logAddresses:
      Definition(
        .choice(LogAddresses.allCases.map(\.rawValue)), "HOW", default: "truncated",
        "client addresses in the access log: `full`, `truncated` to the /24 of an IPv4 address and"
          + " the /48 of an IPv6 one, or `none`")
    case .logLevel:
      Definition(
        .choice(LogLevel.allCases.map(\.rawValue)), "LEVEL", default: "info",
        "the least severe events that the server's log on standard error has: `debug` also tells"
          + " of failed handshakes, `error` only of what must be mended")
    case .logFormat:
      Definition(
        .choice(LogFormat.allCases.map(\.rawValue)), "FORMAT", default: "auto",
        "how logs are written: `text`, `json` with one object on each line, `auto` text but for an"
          + " access log that does not go to a terminal")
    case .retryAfter:
      Definition(
        .wholeSeconds(1_000...86_400_000), "TIME", default: "60s",
        "the Retry-After field of a 503 for a host whose file is faulty")
    case .certificateWarningDays:
      Definition(
        .count(0...3650), "DAYS", default: "14", "warn when a certificate expires within these days"
      )
    case .ticketLifetime:
      Definition(
        // RFC 8446 section 4.6.1: not longer than seven days.
        .wholeSeconds(1_000...604_800_000), "TIME", default: "12h",
        "how long a TLS session can be resumed")
    case .watch:
      Definition(
        .choice(HostingOptions.Watch.allCases.map(\.rawValue)), "HOW", default: "auto",
        "how changed files are found: `auto` asks the kernel and polls where it cannot tell, `poll`"
          + " always polls")
    case .admin, .adminHosts, .drainDelay, .metricsPerDomain:
      operationDefinition
    case .check, .checkInterval, .checkCdn:
      checkDefinition
    default:
      limitDefinition
    }
  }

  private var operationDefinition: Definition {
    switch self {
    case .admin:
      Definition(
        .localAddress, "ADDRESS:PORT", default: "127.0.0.1:9464",
        "where health, metrics and status are told, apart from what is public, or `none`; a port"
          + " alone is on 127.0.0.1")
    case .adminHosts:
      Definition(
        .hosts, "NAME", default: "",
        "a name by which the admin listener may be asked, besides addresses and localhost")
    case .drainDelay:
      Definition(
        .duration(0...3_600_000), "TIME", default: "0s",
        "how long after SIGTERM requests are still accepted while /readyz says that it ends")
    default:
      Definition(
        .choice(["off", "on"]), "HOW", default: "off",
        "whether /metrics has lines for each domain: `on` for some hundreds of them at most")
    }
  }

  private var checkDefinition: Definition {
    switch self {
    case .check:
      Definition(
        .choice(["off", "on"]), "WHEN", default: "off",
        "whether the domains are looked at from outside, as `aasa check` does, and Apple's CDN is"
          + " asked for its copies: `on` or `off`")
    case .checkInterval:
      Definition(
        // What Apple's CDN has changes in hours.
        .duration(10_000...604_800_000), "TIME", default: "1h",
        "the time from one check of a domain to the next; longer for very many domains, of which"
          + " one is checked each second")
    default:
      Definition(
        .url, "URL", default: "apple",
        "what is asked for the copies that devices get when domains are checked: `apple` for Apple's"
          + " CDN, a URL, or `none`")
    }
  }

  private var limitDefinition: Definition {
    switch self {
    case .headBytes:
      Definition(
        .size(1024...1_048_576), "SIZE", default: "16KiB",
        "the largest request head; beyond it 431")
    case .targetBytes:
      Definition(
        .size(256...65_536), "SIZE", default: "8KiB", "the longest request target; beyond it 414")
    case .fieldLines:
      Definition(
        .count(10...1000), "N", default: "100", "the most field lines of a request; beyond them 431"
      )
    case .bodyBytes:
      Definition(
        .size(0...16_777_216), "SIZE", default: "64KiB",
        "the largest request body that is read and dropped; beyond it 413")
    case .headTimeout:
      Self.timeout("10s", "for a request head, from its first byte")
    case .handshakeTimeout:
      Self.timeout("10s", "for a TLS handshake")
    case .idleTimeout:
      Self.timeout("60s", "for the next request on a connection")
    case .writeTimeout:
      Self.timeout("10s", "for a client to take another 16 KiB of a response, or its rest")
    case .bodyTimeout:
      Self.timeout("10s", "for a request body, from the end of its head")
    case .lingerTimeout:
      Self.timeout("2s", "for a client to close after the server has closed its side")
    case .maxConnectionsPerClient:
      Definition(
        .count(0...1_000_000), "N", default: "0",
        "the most open connections of one client, an IPv4 address or the /64 of an IPv6 one; more"
          + " are closed at once; this machine's own are not counted")
    default:
      Definition(
        .count(0...1_000_000), "N", default: "0",
        "the most open connections; beyond them the idlest is closed")
    }
  }

  private static func timeout(_ defaultText: String, _ what: String) -> Definition {
    Definition(.duration(100...3_600_000), "TIME", default: defaultText, "the time " + what)
  }
}
