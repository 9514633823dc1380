import Diagnostics
import Posix
import Settings
import Testing

/// Settings that can change while the server runs, and settings that wait for a restart.
@Suite struct ConfigurationReloadingTests {
  /// Another value than the default for each setting.
  private static let others = [
    "domains": "\"d\"", "certificates": "\"c\"", "http": "\"81\"", "https": "\"none\"",
    "threads": "1", "aliases": "{\"a.b\": \"c.d\"}", "defaultCertificate": "\"x\"",
    "cacheControl": "\"no-store\"", "minify": "\"comments\"",
    "wellKnown": "{\"gpc.json\": \"application/json\"}", "gracePeriod": "\"1s\"",
    "allowHosts": "[\"*.a.b\"]", "trustedProxies": "[\"10.0.0.0/8\"]", "accessLog": "\"none\"",
    "logAddresses": "\"full\"", "logLevel": "\"error\"", "logFormat": "\"json\"",
    "headBytes": "\"32KiB\"", "targetBytes": "\"4KiB\"", "fieldLines": "50",
    "bodyBytes": "0", "headTimeout": "\"1s\"", "handshakeTimeout": "\"1s\"",
    "idleTimeout": "\"1s\"", "writeTimeout": "\"1s\"", "bodyTimeout": "\"1s\"",
    "lingerTimeout": "\"1s\"", "maxConnections": "1000", "maxConnectionsPerClient": "10",
    "retryAfter": "\"1s\"", "certificateWarningDays": "1", "ticketLifetime": "\"1h\"",
    "state": "\"s\"", "watch": "\"poll\"", "withdrawAfter": "\"0s\"", "expectations": "\"strict\"",
    "admin": "\"none\"", "adminHosts": "[\"a.b\"]", "drainDelay": "\"1s\"",
    "metricsPerDomain": "\"on\"", "check": "\"on\"", "checkInterval": "\"2h\"",
    "checkCdn": "\"none\"", "acme": "[\"letsencrypt\"]", "acmeState": "\"s\"",
    "acmeCa": "\"ca.pem\"", "acmeProfile": "\"shortlived\"", "acmeChallenges": "[\"tls-alpn-01\"]",
    "acmeEab": "\"eab.txt\"", "acmeResolver": "\"9.9.9.9\"",
    "acmeAnswer": "\"thumbprint\"",
  ]

  private func configuration(_ settings: String) throws -> Configuration {
    let resolution = resolve(files: ["Config/server.json": settings])
    return try #require(resolution.configuration, "\(resolution.diagnostics.map(\.line))")
  }

  /// `proxyProtocol` is a contradiction without `trustedProxies`.
  @Test(arguments: Setting.all.filter { !["config", "proxyProtocol"].contains($0.key) })
  func `a setting is in force at once, or named as one that needs a restart`(
    _ setting: Setting
  ) throws {
    let other = try #require(Self.others[setting.key])
    let before = try configuration("{}")
    let next = try configuration("{\n\"\(setting.key)\": \(other)\n}")
    #expect(next.text(of: setting) != before.text(of: setting))
    let reload = before.taking(next, waiting: [:])
    let now = reload.configuration
    switch setting.change {
    case .atOnce:
      #expect(reload.changed.map(\.key) == [setting.key] && reload.diagnostics.isEmpty)
      #expect(now.text(of: setting) == next.text(of: setting))
      #expect(now.origin(of: setting).description == "Config/server.json:2")
    case .afterRestart:
      #expect(reload.changed.isEmpty)
      let line = try #require(reload.diagnostics.first).line
      #expect(
        line.hasPrefix(
          "Config/server.json:2:1: warning: `\(setting.key)` changed in server.json, and the new "
            + "value needs a restart"
        ))
      #expect(now.text(of: setting) == before.text(of: setting))
      #expect(now.origin(of: setting) == .default)
    }
    // Repeating it reports nothing new; changing it back ends the wait.
    let again = now.taking(next, waiting: reload.waiting)
    #expect(again.changed.isEmpty && again.diagnostics.isEmpty)
    let back = now.taking(before, waiting: reload.waiting)
    #expect(back.changed.map(\.key) == reload.changed.map(\.key) && back.diagnostics.isEmpty)
  }

  @Test func `a setting that waits for a restart is reported again when it changes again`() throws {
    let first = try configuration("{}")
    let second = try configuration(#"{"threads": 1}"#)
    let third = try configuration(#"{"threads": 2}"#)
    let reload = first.taking(second, waiting: [:])
    let again = reload.configuration.taking(third, waiting: reload.waiting)
    #expect(again.diagnostics.map(\.code) == ["C024"] && again.waiting == ["threads": "2"])
  }

  @Test func `the file in force is read again, and is missed when it has gone`() {
    let resolution = Configuration.resolve(flags: [:], environment: [:], file: "a.json") {
      (path: String) throws(ReadFileError) -> [UInt8] in
      throw ReadFileError("open", path, code: notFound)
    }
    #expect(resolution.diagnostics.map(\.code) == ["C006"])
  }
}
