import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let names: [Scenario] = [
    Scenario("a good server", 0, "fine: connected to", served) {
      try $0.origin()
    },
    Scenario(
      "a name that does not exist", 1, "F001", broken + "the name example.com has no address"
    ) {
      _ = $0
    },
    Scenario(
      "a name whose resolver fails, while the CDN answers", 1, "F002",
      "example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then none: the name example.com cannot be resolved: Temporary failure in name resolution"
    ) {
      $0.world.set("example.com", to: "again")
      try $0.cdn(copy: Lab.good)
    },
    Scenario(
      "a resolver that fails", 4, "F008",
      unknown + "the name example.com cannot be resolved: Temporary failure in name resolution"
    ) {
      $0.world.set("example.com", to: "again")
    },
    Scenario(
      "no network at all", 4, "F008",
      unknown
        + "neither the domain nor Apple's CDN can be reached: the name example.com has no address"
    ) {
      $0.arguments += ["--cdn", "https://cdn.example/a/v1"]
    },
    Scenario(
      "a closed port", 1, "F004",
      broken + "cannot connect to any address: 1.0.0.1:443 (Connection refused)"
    ) {
      $0.lead("1.0.0.1", to: 1)
    },
    Scenario(
      "two closed ports", 1, "F004",
      broken
        + "cannot connect to any address: 1.0.0.1:443 (Connection refused), 1.0.0.2:443 (Connection refused)"
    ) {
      $0.lead("1.0.0.1", to: 1)
      $0.lead("1.0.0.2", to: 1)
    },
    Scenario(
      "an address of 10.0.0.0/8", 1, "F003",
      broken + "example.com has a private address (RFC 1918): 10.1.2.3"
    ) {
      try $0.origin(at: "10.1.2.3")
    },
    Scenario(
      "an address of 192.168.0.0/16", 1, "F003",
      broken + "example.com has a private address (RFC 1918): 192.168.1.1"
    ) {
      try $0.origin(at: "192.168.1.1")
    },
    Scenario(
      "an address of 172.16.0.0/12", 1, "F003",
      broken + "example.com has a private address (RFC 1918): 172.20.0.1"
    ) {
      try $0.origin(at: "172.20.0.1")
    },
    Scenario(
      "an address of a carrier", 1, "F003",
      broken + "example.com has an address of a provider's own network (RFC 6598): 100.64.0.1"
    ) {
      try $0.origin(at: "100.64.0.1")
    },
    Scenario(
      "a link-local address", 1, "F003",
      broken + "example.com has a link-local address: 169.254.1.1"
    ) {
      try $0.origin(at: "169.254.1.1")
    },
    Scenario(
      "an address for documentation", 1, "F003",
      broken + "example.com has an address for documentation (RFC 5737): 203.0.113.9"
    ) {
      try $0.origin(at: "203.0.113.9")
    },
    Scenario(
      "a public and a private address", 1, "F003",
      partly + "example.com has a private address (RFC 1918): 10.1.2.3"
    ) {
      try $0.origin()
      try $0.origin(at: "10.1.2.3")
    },
    Scenario("a private address in developer mode", 0, "fetch from the domain", served) {
      try $0.origin(at: "10.1.2.3")
      $0.arguments = ["applinks:example.com?mode=developer"]
    },
    Scenario("no IPv6 on this machine", 0, "IPv6 addresses were not checked", served) {
      try $0.origin()
      $0.lead("2606:4700::1", to: 0)
    },
    Scenario(
      "an IPv6 address alone, that is dead", 1, "F004",
      broken + "cannot connect to any address: [2606:4700::1]:443 (Connection refused)"
    ) {
      $0.lead("2606:4700::1", to: 1)
    },
    Scenario(
      "only an address without a route", 4, "F008",
      unknown + "this machine has no route to the domain's addresses: it has no IPv6"
    ) {
      $0.lead("2606:4700::1", to: 0)
    },
    Scenario(
      "a private address without a route", 1, "F003",
      broken + "example.com has a private address (RFC 1918): 10.1.2.3"
    ) {
      $0.lead("10.1.2.3", to: 0)
    },
    Scenario(
      "no route, while Apple's CDN says why it has no file", 1, "F061",
      broken + "Apple's CDN has no file, because of SWCERR00301 Timeout"
    ) {
      $0.lead("9.9.9.9", to: 0)
      try $0.cdn(failure: "SWCERR00301 Timeout")
    },
    Scenario(
      "the port of HTTPS is no port", 1, "F061",
      broken
        + "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 451, while this machine gets the file: something treats addresses or countries differently"
    ) {
      try $0.origin()
      try $0.cdn(failure: "SWCERR00101 Bad HTTP Response: 451")
      $0.arguments[0] = "example.com:443"
    },
    Scenario(
      "an IPv6 address that is dead", 1, "F005",
      partly + "the address 2606:4700::1 does not answer: Connection refused"
    ) {
      try $0.origin()
      $0.lead("2606:4700::1", to: 1)
    },
    Scenario(
      "one of three addresses is dead", 1, "F005",
      partly + "the address 1.0.0.3 does not answer: Connection refused"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2")
      $0.lead("1.0.0.3", to: 1)
    },
    Scenario("nine addresses", 0, "all 9 addresses", served) {
      for last in 1...9 { try $0.origin(at: "1.0.0.\(last)") }
    },
    Scenario(
      "a proxy that is not there", 4, "F008",
      unknown
        + "the proxy is unreachable: cannot connect to any address: 127.0.0.1:PORT (Connection refused)"
    ) {
      $0.world.set("127.0.0.1", to: "127.0.0.1")
      $0.environment = ["HTTPS_PROXY": "http://127.0.0.1:1"]
    },
    Scenario(
      "a proxy that asks for a password", 4, "F007",
      unknown
        + #"the proxy refused the tunnel: it answered "HTTP/1.1 407 Proxy Authentication Required""#
    ) {
      try $0.proxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
    },
    Scenario(
      "a proxy that forbids the host", 4, "F007",
      unknown + #"the proxy refused the tunnel: it answered "HTTP/1.1 403 Forbidden""#
    ) {
      try $0.proxy("HTTP/1.1 403 Forbidden\r\n\r\n")
    },
    Scenario("a proxy of another kind", 0, "fine:", served) {
      try $0.origin()
      $0.environment = ["HTTPS_PROXY": "socks5://127.0.0.1:1"]
    },
    Scenario(
      "a host that is not one", 2, "", "Error: a..b is not a host; write for example example.com"
    ) {
      $0.arguments = ["a..b"]
    },
    Scenario("an address with the last dot", 0, "fine:", served) {
      try $0.origin()
      $0.arguments = ["example.com."]
    },
    Scenario("a wildcard of an app", 0, "fine:", served) {
      try $0.origin()
      $0.arguments = ["*.example.com"]
    },
    Scenario("a pasted address in quotation marks", 0, "fine:", served) {
      try $0.origin()
      $0.arguments = ["\u{201C}https://example.com/\u{201D}"]
    },
    Scenario(
      "a name with an umlaut", 1, "F001",
      "xn--bcher-kva.example: universal links will not work: the name xn--bcher-kva.example has no address"
    ) {
      $0.arguments = ["b\u{FC}cher.example"]
    },
  ]
}
