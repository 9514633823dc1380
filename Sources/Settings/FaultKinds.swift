package import Diagnostics

/// The kinds of faults in flags, in environment variables and in server.json.
extension Kind {
  static let unknownKey = fatal(
    "C001", "unknown-setting", "server.json has a key that is not a setting",
    "the key may be a misspelled setting, and the intended setting would keep its default",
    "correct or remove the key; `aasa config` lists all settings",
    wrong: #"{ "cachecontrol": "no-cache" }"#, right: #"{ "cacheControl": "no-cache" }"#)
  static let unknownVariable = Kind(
    "C002", "unknown-variable",
    "an environment variable begins with AASA_ but belongs to no setting",
    "the variable has no effect, and may be misspelled", nil, severity: .warning,
    fix: "correct or remove the variable; `aasa config --markdown` lists all variables",
    wrong: "AASA_CACHECONTROL=no-cache", right: "AASA_CACHE_CONTROL=no-cache")
  static let wrongType = fatal(
    "C003", "setting-type", "a value in server.json has the wrong type for its setting",
    "the meaning of the value is unclear", "write the value as the message shows",
    wrong: #"{ "fieldLines": "many" }"#, right: #"{ "fieldLines": 100 }"#)
  static let badAddress = fatal(
    "C004", "bad-address", "a value is not an address to listen on",
    "the server would have no address to listen on",
    "write `8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `none`",
    wrong: "--http ::1:8080", right: "--http '[::1]:8080'")
  static let duplicateKey = fatal(
    "C005", "setting-twice", "a key or an alias is repeated in server.json",
    "it is unclear which value is intended", "keep one of the two values")
  static let unreadableFile = fatal(
    "C006", "configuration-unreadable", "the configuration file cannot be read",
    "the default settings may differ from the intended settings, so the server does not start",
    "make the file readable, or choose another with `--config FILE`")
  static let notAnObject = fatal(
    "C007", "configuration-not-an-object", "the top level of server.json is not an object",
    "the file contains no settings", #"write an object, for example `{"http": "8080"}`"#,
    wrong: #"["http"]"#, right: #"{ "http": "8080" }"#)
  static let outOfRange = fatal(
    "C008", "setting-out-of-range", "a number, size or time is smaller or larger than allowed",
    "with a value out of range, the server could not work",
    "write a value in the range that the message shows",
    wrong: "--head-timeout 1ms", right: "--head-timeout 10s"
  )
  static let badDuration = fatal(
    "C009", "bad-duration", "a value is not a time", "the meaning of the value is unclear",
    "write `10s`, `500ms`, `2m`, `1h`, or a whole number of seconds",
    wrong: "--idle-timeout '1 minute'", right: "--idle-timeout 1m")
  static let badSize = fatal(
    "C010", "bad-size", "a value is not a size in bytes", "the meaning of the value is unclear",
    "write a number of bytes such as `16384`, or `64KiB`, `1MiB` (1024 and 1048576 bytes)",
    wrong: "--head-bytes 16kb", right: "--head-bytes 16KiB")
  static let badNumber = fatal(
    "C011", "bad-number", "a value is not a whole number", "the meaning of the value is unclear",
    "write digits only", wrong: "--threads two", right: "--threads 2")
  static let badPath = fatal(
    "C012", "bad-path", "a path is empty, too long, or contains a control character",
    "no file can have such a path", "write the path of a file or folder; `.` is the current folder")
  static let badFieldValue = fatal(
    "C013", "bad-field-value",
    "the value of a response field is empty, too long, or not printable ASCII",
    "such a value would break every response (RFC 9110 section 5.5)",
    "write for example `public, max-age=3600`",
    right: "--cache-control 'public, max-age=3600'")
  static let badAlias = fatal(
    "C014", "bad-alias", "an alias does not map one host to another",
    "requests for the alias could not be answered",
    "write `www.example.com=example.com`: first the alias, then the host whose files the alias "
      + "serves",
    wrong: "--alias https://www.example.com", right: "--alias www.example.com=example.com")
  static let badName = fatal(
    "C015", "bad-certificate-name", "a value is not the name of a certificate",
    "no certificate can have such a name",
    "write the name of a file or folder without path and extension, or a host name",
    wrong: "--default-certificate certificates/example.com.crt",
    right: "--default-certificate example.com")
  static let notInFile = fatal(
    "C016", "not-in-file", "server.json sets the path of a configuration file",
    "the server has already found its configuration file",
    "remove the key, and use `--config FILE` or `AASA_CONFIG`")
  static let nothingToListenOn = fatal(
    "C017", "nothing-to-listen-on", "http and https are both none", "there is nothing to serve",
    "turn http or https on, for example `--http 8080`", wrong: "--http none --https none",
    right: "--http 8080 --https none")
  static let repeatedAddress = fatal(
    "C018", "address-twice", "an address to listen on is repeated",
    "the server can listen on an address only once", "remove one of the two, or change its port",
    wrong: "--http 8080 --https 8080", right: "--http 8080 --https 8443")
  static let contradiction = fatal(
    "C019", "settings-contradict", "two settings contradict each other",
    "one of them would have no effect or do harm",
    "change one of the two, as the message says",
    wrong: "--domains site --certificates site",
    right: "--domains domains --certificates secret")
  static let badChoice = fatal(
    "C020", "bad-choice", "a value is not among the choices of its setting",
    "the meaning of the value is unclear", "the message lists all choices",
    wrong: "--watch polling",
    right: "--watch poll")
  static let badHost = fatal(
    "C021", "bad-host", "a value is not a host name",
    "the value could never equal a host that clients send",
    "write only the name: no scheme, port, path or final dot", wrong: "--admin-host aasa:12272",
    right: "--admin-host aasa")
  static let badNetwork = fatal(
    "C022", "bad-network", "a value is neither an IP address nor a network",
    "the value could not be compared with a peer's address",
    "write for example `192.0.2.1`, or `10.0.0.0/8` or `2001:db8::/32` for a network",
    wrong: "--trusted-proxies 10.0.0.0-10.0.0.9", right: "--trusted-proxies 10.0.0.0/8")
  static let badURL = fatal(
    "C023", "bad-url", "a value is not the beginning of a URL",
    "the server could not make the URLs of its requests",
    "write for example `https://cdn.example.com/a/v1`, without user, query or fragment; or `apple` "
      + "or `none`",
    wrong: "--check-cdn cdn.example.com", right: "--check-cdn https://cdn.example.com/a/v1")
  static let needsRestart = Kind(
    "C024", "setting-needs-restart",
    "server.json was reloaded, and changes a setting that cannot change while the server runs",
    "the old value stays in force", nil, severity: .warning, fix: "restart the server")
  static let trustsEverybody = Kind(
    "C025", "trusts-everybody", "every IPv4 or IPv6 address is among the trusted proxies",
    "any client can set X-Forwarded-For and X-Forwarded-Host: it can forge its address in the"
      + " access log, and make a cache in front of the server store one host's file for "
      + "another", nil,
    severity: .warning,
    fix: "list only your proxies, for example `--trusted-proxies 10.0.0.0/8`",
    wrong: "--trusted-proxies 0.0.0.0/0", right: "--trusted-proxies 10.0.0.0/8")
  static let badAuthority = fatal(
    "C026", "bad-authority",
    "a value is neither the name of a known CA nor the URL of an ACME directory",
    "no CA could issue certificates",
    "write letsencrypt, letsencrypt-staging, zerossl, google, or the https URL of the CA's ACME "
      + "directory",
    wrong: "--acme lets-encrypt", right: "--acme letsencrypt")
  static let badWellKnown = fatal(
    "C028", "bad-well-known",
    "a value of wellKnown is not a file name with its media type",
    "the server cannot serve such a file; change-password must redirect, and aasa never redirects",
    "write the path below /.well-known/ and a media type, as in `gpc.json=application/json`",
    wrong: "--well-known change-password=text/html",
    right: "--well-known gpc.json=application/json"
  )
}

/// Makes a kind of error that prevents the program from starting.
private func fatal(
  _ code: String, _ name: String, _ what: String, _ consequence: String, _ fix: String,
  wrong: String? = nil, right: String? = nil
) -> Kind {
  Kind(code, name, what, consequence, nil, fix: fix, wrong: wrong, right: right)
}

/// All kinds of configuration faults.
package let configurationKinds: [Kind] = [
  .unknownKey, .unknownVariable, .wrongType, .badAddress, .duplicateKey, .unreadableFile,
  .notAnObject, .outOfRange, .badDuration, .badSize, .badNumber, .badPath, .badFieldValue,
  .badAlias, .badName, .notInFile, .nothingToListenOn, .repeatedAddress, .contradiction, .badChoice,
  .badHost, .badNetwork, .badURL, .needsRestart, .trustsEverybody, .badAuthority, .badWellKnown,
]

/// The reason why a value was refused.
struct Fault: Error, Equatable {
  let kind: Kind
  let message: String
  /// Advice that is more specific than the `fix` of the kind; nil to show `fix`.
  let help: String?

  init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }
}

/// A fault, and the byte range of the faulty text in server.json.
struct LocatedFault: Error {
  let fault: Fault
  let range: Range<Int>

  init(_ fault: Fault, _ range: Range<Int>) {
    self.fault = fault
    self.range = range
  }
}
