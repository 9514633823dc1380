internal import Bytes
internal import Posix
internal import TLS

/// The file of an order under way: everything that is needed to go on with it after a crash.
struct OrderRecord: Sendable {
  let host: String
  var order: OpenOrder
  let key: SigningKey

  init(host: String, order: OpenOrder, key: SigningKey) {
    (self.host, self.order, self.key) = (host, order, key)
  }

  init?(_ bytes: [UInt8], host: String) {
    let fields = fields(beforeKeyIn: bytes)
    guard let authority = fields["authority"],
      let begun = fields["begun"]?.decimal(in: CivilTime.seconds), let key = SigningKey(pem: bytes)
    else { return nil }
    let challenge = fields["challenge"].flatMap(ChallengeKind.init(rawValue:)) ?? .http
    var order = OpenOrder(authority: authority, challenge: challenge, begun: begun)
    (order.url, order.replaces) = (fields["order"], fields["replaces"])
    self.init(host: host, order: order, key: key)
  }
}

extension StateFolder {
  func write(_ record: OrderRecord, _ authority: Authority) throws(SystemError) {
    let order = record.order
    var lines = ["authority: \(order.authority)", "begun: \(order.begun)"]
    lines.append("challenge: \(order.challenge.rawValue)")
    if let url = order.url { lines.append("order: \(url)") }
    if let replaces = order.replaces { lines.append("replaces: \(replaces)") }
    let head = lines.map { $0 + "\n" }.joined()
    try writeSecret(head, record.key, to: self.order(record.host, authority))
  }

  /// The order of a host at a CA, if one is under way.
  func record(_ host: String, _ authority: Authority) -> OrderRecord? {
    guard var bytes = try? readFile(order(host, authority), limit: 65_536) else { return nil }
    defer { cleanse(&bytes) }
    return OrderRecord(bytes, host: host)
  }

  /// The orders under way at a CA.
  func records(_ authority: Authority) -> [OrderRecord] {
    let names = (try? listDirectory(orders(authority))) ?? []
    return names.filter { !$0.hasPrefix(".") }.compactMap { record(Self.host($0), authority) }
  }
}
