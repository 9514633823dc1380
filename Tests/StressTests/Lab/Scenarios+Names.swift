import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let names: [Scenario] = [
    green("a good server", "fine:\n  address"),
    red("a name that does not exist", "F001", "the name example.com has no address") { _ = $0 },
    Scenario(
      "a name whose resolver fails, while the CDN answers", 1, "F002",
      "example.com: devices get a copy from Apple's CDN for at most 50 minutes more, and then "
        + "no file: the name example.com cannot be resolved: Temporary failure in name resolution"
    ) {
      $0.world.set("example.com", to: "again")
      try $0.cdn(.copy(Lab.good))
    },
    unknown(
      "a resolver that fails", "F008",
      "the name example.com cannot be resolved: Temporary failure in name resolution"
    ) { $0.world.set("example.com", to: "again") },
    unknown(
      "no network at all", "F008",
      "neither the domain nor Apple's CDN can be reached: the name example.com has no address"
    ) { $0.arguments += ["--cdn", "https://cdn.example/a/v1"] },
    red("a closed port", "F004", "cannot connect to any address: 1.0.0.1:443 (Connection refused)")
    { $0.lead("1.0.0.1", to: 1) },
    red(
      "two closed ports", "F004",
      "cannot connect to any address: 1.0.0.1:443 (Connection refused), 1.0.0.2:443 (Connection "
        + "refused)"
    ) {
      $0.lead("1.0.0.1", to: 1)
      $0.lead("1.0.0.2", to: 1)
    },
    red(
      "an address of 10.0.0.0/8", "F003", "example.com has a private address (RFC 1918): 10.1.2.3"
    ) { try $0.origin(at: "10.1.2.3") },
    red(
      "an address of 192.168.0.0/16", "F003",
      "example.com has a private address (RFC 1918): 192.168.1.1"
    ) { try $0.origin(at: "192.168.1.1") },
    red(
      "an address of 172.16.0.0/12", "F003",
      "example.com has a private address (RFC 1918): 172.20.0.1"
    ) { try $0.origin(at: "172.20.0.1") },
    red(
      "an address of a carrier", "F003",
      "example.com has an address behind carrier-grade NAT (RFC 6598): 100.64.0.1"
    ) { try $0.origin(at: "100.64.0.1") },
    red("a link-local address", "F003", "example.com has a link-local address: 169.254.1.1") {
      try $0.origin(at: "169.254.1.1")
    },
    red(
      "an address for documentation", "F003",
      "example.com has an address for documentation (RFC 5737): 203.0.113.9"
    ) { try $0.origin(at: "203.0.113.9") },
    partly(
      "a public and a private address", "F003",
      "example.com has a private address (RFC 1918): 10.1.2.3"
    ) {
      try $0.origin()
      try $0.origin(at: "10.1.2.3")
    },
    green("a private address in developer mode", "fetch the file from the domain") {
      try $0.origin(at: "10.1.2.3")
      $0.arguments = ["applinks:example.com?mode=developer"]
    },
    green("no IPv6 on this machine", "IPv6 addresses were not checked") {
      try $0.origin()
      $0.lead("2606:4700::1", to: 0)
    },
    red(
      "an IPv6 address alone, that is dead", "F004",
      "cannot connect to any address: [2606:4700::1]:443 (Connection refused)"
    ) { $0.lead("2606:4700::1", to: 1) },
    unknown(
      "only an address without a route", "F008",
      "this machine has no route to the domain's addresses: it has no IPv6"
    ) { $0.lead("2606:4700::1", to: 0) },
    red(
      "a private address without a route", "F003",
      "example.com has a private address (RFC 1918): 10.1.2.3"
    ) { $0.lead("10.1.2.3", to: 0) },
    red(
      "no route, while Apple's CDN says why it has no file", "F061",
      "Apple's CDN has no file, because of SWCERR00301 Timeout"
    ) {
      $0.lead("9.9.9.9", to: 0)
      try $0.cdn(.failure("SWCERR00301 Timeout"))
    },
    red(
      "the port of HTTPS is no port", "F061",
      "Apple's CDN has no file, because of SWCERR00101 Bad HTTP Response: 451, but this "
        + "machine gets the file: a firewall probably blocks some addresses or countries",
      cdn: .failure("SWCERR00101 Bad HTTP Response: 451"), asking: "example.com:443"),
    partly(
      "an IPv6 address that is dead", "F005",
      "the address 2606:4700::1 does not answer: Connection refused"
    ) {
      try $0.origin()
      $0.lead("2606:4700::1", to: 1)
    },
    partly(
      "one of three addresses is dead", "F005",
      "the address 1.0.0.3 does not answer: Connection refused"
    ) {
      try $0.origin()
      try $0.origin(at: "1.0.0.2")
      $0.lead("1.0.0.3", to: 1)
    },
    green("nine addresses", "all 9 addresses") {
      for last in 1...9 { try $0.origin(at: "1.0.0.\(last)") }
    },
    unknown(
      "a proxy that is not there", "F008",
      "the proxy is unreachable: cannot connect to any address: 127.0.0.1:PORT (Connection refused)"
    ) {
      $0.world.set("127.0.0.1", to: "127.0.0.1")
      $0.environment = ["HTTPS_PROXY": "http://127.0.0.1:1"]
    },
    unknown(
      "a proxy that asks for a password", "F007",
      #"the proxy did not open the tunnel: the proxy answered "HTTP/1.1 407 Proxy Authentication Required""#
    ) { try $0.proxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n") },
    unknown(
      "a proxy that forbids the host", "F007",
      #"the proxy did not open the tunnel: the proxy answered "HTTP/1.1 403 Forbidden""#
    ) { try $0.proxy("HTTP/1.1 403 Forbidden\r\n\r\n") },
    green("a proxy of another kind", "fine:") {
      try $0.origin()
      $0.environment = ["HTTPS_PROXY": "socks5://127.0.0.1:1"]
    },
    Scenario(
      "a host that is not one", 2, "", "Error: a..b is not a host; write a host such as example.com"
    ) { $0.arguments = ["a..b"] },
    green("an address with the last dot", "fine:", asking: "example.com."),
    green("a wildcard of an app", "fine:", asking: "*.example.com"),
    green(
      "a pasted address in quotation marks", "fine:", asking: "\u{201C}https://example.com/\u{201D}"
    ),
    Scenario(
      "a name with an umlaut", 1, "F001",
      "xn--bcher-kva.example: universal links will not work: the name xn--bcher-kva.example has "
        + "no address"
    ) { $0.arguments = ["b\u{FC}cher.example"] },
  ]
}
