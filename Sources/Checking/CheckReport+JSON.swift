internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

extension CheckReport {
  /// One object, on one line.
  var json: String {
    let exchange = evidence.wellKnown
    let chain = exchange.tls?.verification.chain ?? []
    return jsonObject([
      ("domain", jsonString(evidence.target.host)), ("good", isGood ? "true" : "false"),
      ("outcome", jsonString(outcome.rawValue)), ("exitCode", String(exitCode)),
      ("verdict", jsonString(verdict)),
      ("addresses", jsonArray(evidence.addresses.map { jsonString($0.host) })),
      ("tls", exchange.tls.map { jsonString($0.version) }),
      (
        "certificates",
        jsonArray(
          chain.map {
            jsonObject([
              ("subject", jsonString($0.subject)), ("issuer", jsonString($0.issuer)),
              ("notAfter", String($0.notAfter)),
            ])
          })
      ),
      ("exchanges", jsonArray(evidence.exchanges.map(json))),
      ("findings", jsonArray(findings.map(\.json))),
      ("remarks", jsonArray(remarks.map(jsonString))),
    ])
  }

  private func json(_ exchange: Exchange) -> String {
    jsonObject([
      ("url", jsonString(exchange.request.url)),
      ("address", exchange.address.map { jsonString($0.description) }),
      ("status", exchange.head.map { String($0.status) }),
      ("contentType", exchange.head?.value(of: "content-type").map(jsonString)),
      ("bytes", exchange.body.map { String($0.count) }),
      ("fault", exchange.fault.map { jsonString($0.description) }),
    ])
  }
}

extension Finding {
  var json: String {
    jsonObject(
      diagnostic.members(.severity, .code, .message)
        + [("evidence", jsonArray(evidence.map(jsonString)))]
        + diagnostic.members(.help) + [("source", source.map(jsonString))])
  }
}
