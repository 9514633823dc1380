/// Messages of tunnels, networks and certificates.
let networkMessages: [SystemMessage] = [
  SystemMessage(
    "ERR_NGROK_6024", "ngrok-warning", ["ERR_NGROK_6024", "ngrok-skip-browser-warning"],
    "ngrok shows its warning page instead of your file",
    because: "free tunnels show this page to every client that looks like a browser",
    fix: """
      use a paid plan, or aasa dev --host NAME with a tunnel of your own; aasa check HOST shows \
      what devices get
      """,
    source: .field),
  SystemMessage(
    "ERR_NGROK_3200", "ngrok-offline", ["ERR_NGROK_3200"],
    "ngrok knows no tunnel of this name",
    because: "ngrok's agent is not running, or the name of the tunnel has changed",
    fix: "start the tunnel, and write the tunnel's current name into the app's associated domains",
    source: .ngrok),
  SystemMessage(
    "ERR_NGROK_3004", "ngrok-gateway", ["ERR_NGROK_3004"],
    "ngrok got an invalid answer from the server behind the tunnel",
    because: "often the server speaks HTTPS, but ngrok speaks HTTP to it",
    fix: "give ngrok the whole address: ngrok http https://localhost:PORT",
    source: .ngrok),
  SystemMessage(
    "ERR_NGROK_8012", "ngrok-upstream", ["ERR_NGROK_8012"],
    "ngrok reached your machine, but no server listens at the port",
    because: "the server is not running, or listens on another port",
    fix: "start aasa dev first, and give ngrok the port that it prints",
    source: .ngrok),
  SystemMessage(
    "Cloudflare 1033", "cloudflare-tunnel",
    ["argo tunnel error", "cloudflare tunnel error", "error 1033", "error code: 1033"],
    "Cloudflare finds no running client of the tunnel",
    because: "cloudflared is not running, or is not connected to Cloudflare",
    fix: "start cloudflared, then run aasa check HOST",
    source: .cloudflare),
  SystemMessage(
    "Unable to reach the origin service", "cloudflared-origin",
    ["unable to reach the origin service"],
    "cloudflared runs, but the server behind the tunnel does not answer",
    because: "the server is not running, or the address in the tunnel's settings is wrong",
    fix: "start the server, and compare its address and scheme with the address in the tunnel's "
      + "settings",
    source: .other("cloudflared's source code")),
  SystemMessage(
    "Cloudflare 1020", "cloudflare-denied", ["error 1020", "error code: 1020"],
    "a rule of Cloudflare's firewall refuses the request",
    because: "the rule may refuse Apple's and Google's robots too",
    fix: "exempt /.well-known/ from the rule; aasa check HOST asks as Apple's robot (F050)",
    source: .cloudflare),
  SystemMessage(
    "cf-mitigated: challenge", "cloudflare-challenge",
    ["cf-mitigated", "just a moment...", "attention required! | cloudflare"],
    "Cloudflare sends a challenge for browsers instead of the file",
    because: "robots and devices cannot solve the challenge",
    fix: """
      exempt /.well-known/ by a rule that skips Super Bot Fight Mode and managed rules; the \
      free Bot Fight Mode cannot be skipped, so turn it off; run aasa check HOST (F050)
      """,
    source: .cloudflare),
  SystemMessage(
    "Cloudflare 525", "cloudflare-handshake", ["error 525", "error code: 525"],
    "Cloudflare could not make a TLS connection to your server",
    because: """
      your server has no certificate for the name, listens on another port, or supports no cipher \
      that Cloudflare supports
      """,
    fix: "aasa check HOST --origin ADDRESS requests the file from your server, not from Cloudflare",
    source: .cloudflare),
  SystemMessage(
    "Cloudflare 526", "cloudflare-certificate", ["error 526", "error code: 526"],
    "Cloudflare does not trust the certificate of your server",
    because: "Cloudflare's mode Full (strict) requires a valid certificate",
    fix: "run aasa check HOST --origin ADDRESS (F012 to F018)",
    source: .cloudflare),
  SystemMessage(
    "x-amzn-waf-action", "aws-waf", ["x-amzn-waf-action"],
    "a rule of AWS WAF answered instead of your server, with a challenge or a CAPTCHA",
    because: "only browsers can pass the challenge or the CAPTCHA",
    fix: "exempt /.well-known/ from the rule; run aasa check HOST (F050)",
    source: .other("AWS WAF's documentation, CAPTCHA and Challenge action behavior")),
  SystemMessage(
    "curl: (6)", "curl-resolve", ["curl: (6)", "could not resolve host", "NXDOMAIN"],
    "the name of the host does not resolve",
    because: "the host has no A or AAAA record, or this resolver does not know the record",
    fix: "run aasa check HOST (F001)",
    source: .curl),
  SystemMessage(
    "curl: (7)", "curl-connect", ["curl: (7)", "connection refused", "ECONNREFUSED"],
    "nothing accepts connections at the address",
    because: "the server is not running, or the address or port is wrong",
    fix: "aasa check HOST checks every address (F005)",
    source: .curl),
  SystemMessage(
    "curl: (28)", "curl-timeout", ["curl: (28)", "ETIMEDOUT"],
    "the connection or the answer timed out",
    because: "a firewall drops the packets, or the server is slow",
    fix: "run aasa check HOST (F005)",
    source: .curl),
  SystemMessage(
    "unable to get local issuer certificate", "tls-intermediate",
    ["unable to get local issuer certificate", "unable to verify the first certificate"],
    "the chain of the certificate does not lead to a trusted root",
    because: "the server does not send the intermediate certificate",
    fix: "serve fullchain.pem, not cert.pem; run aasa check HOST (F016)",
    source: .openSSL),
  SystemMessage(
    "self-signed certificate", "tls-self-signed",
    ["self-signed certificate", "self signed certificate"],
    "nobody but you trusts the certificate",
    because: "the certificate is self-signed, or comes from your own authority",
    fix: """
      use a publicly trusted certificate; for development, use aasa dev, or aasa check \
      HOST --ca root.pem
      """,
    source: .openSSL),
  SystemMessage(
    "no alternative certificate subject name matches", "tls-name",
    [
      "no alternative certificate subject name matches", "ERR_TLS_CERT_ALTNAME_INVALID",
      "NET::ERR_CERT_COMMON_NAME_INVALID",
    ],
    "the certificate is for another name",
    because: "the server has no certificate for this host, so it sends one for a different host",
    fix: "run aasa check HOST (F012 to F018)",
    source: .curl),
]
