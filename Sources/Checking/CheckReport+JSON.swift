internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

extension CheckReport {
  var json: JSONTree {
    let exchange = evidence.wellKnown
    let chain = exchange.tls?.verification.chain ?? []
    return [
      "domain": evidence.target.host.json, "good": isGood.json, "outcome": outcome.rawValue.json,
      "exitCode": exitCode.json, "verdict": verdict.json,
      "addresses": evidence.addresses.map(\.host).json, "tls": exchange.tls?.version.json,
      "certificates": .array(
        chain.map {
          ["subject": $0.subject.json, "issuer": $0.issuer.json, "notAfter": $0.notAfter.json]
        }),
      "exchanges": .array(evidence.exchanges.map(json)), "findings": .array(findings.map(\.json)),
      "remarks": remarks.json,
    ]
  }

  private func json(_ exchange: Exchange) -> JSONTree {
    [
      "url": exchange.request.url.json, "address": exchange.address?.description.json,
      "status": exchange.head?.status.json,
      "contentType": exchange.head?.value(of: "content-type")?.json,
      "bytes": exchange.body?.count.json, "fault": exchange.fault?.description.json,
    ]
  }
}

extension Finding {
  var json: JSONTree {
    JSONTree(
      diagnostic.members(.severity, .code, .message) + [("evidence", evidence.json)]
        + diagnostic.members(.help) + [("source", source?.json)])
  }
}
