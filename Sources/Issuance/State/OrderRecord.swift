internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The file of an order under way. The file contains everything needed to continue the order after
/// a crash.
struct OrderRecord: Sendable {
  let host: String
  var order: OpenOrder
  let key: SigningKey
}

extension OrderRecord {
  init?(_ bytes: [UInt8], host: String) {
    guard let head = stateObject(bytes), let authority = head.text("authority"),
      let begun = head.time("begun"), let key = SigningKey(pem: bytes)
    else { return nil }
    let challenge = head.text("challenge").flatMap(ChallengeKind.init(rawValue:)) ?? .http
    var order = OpenOrder(authority: authority, challenge: challenge, begun: begun)
    (order.url, order.replaces) = (head.text("order"), head.text("replaces"))
    self.init(host: host, order: order, key: key)
  }
}

extension StateFolder {
  func write(_ record: OrderRecord, _ authority: Authority) throws(StoreFault) {
    let order = record.order
    let head = stateText([
      "authority": order.authority.json, "begun": order.begun.json,
      "challenge": order.challenge.rawValue.json, "order": order.url?.json,
      "replaces": order.replaces?.json,
    ])
    try writeSecret(head, record.key, to: self.order(record.host, authority))
  }

  func record(_ host: String, _ authority: Authority) -> OrderRecord? {
    try? store.readSecret(order(host, authority), limit: 65_536) { OrderRecord($0, host: host) }
  }

  func records(_ authority: Authority) -> [OrderRecord] {
    let names = (try? store.names(in: orders(authority))) ?? []
    return names.compactMap { record(Self.host($0), authority) }
  }
}
