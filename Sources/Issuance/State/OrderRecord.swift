internal import Bytes
internal import Posix
internal import TLS

/// An order under way: everything that is needed to go on with it after a crash.
struct OrderRecord: Sendable {
  let authority: String
  let host: String
  /// Other hosts that get the same certificate.
  var companions: [String] = []
  let key: SigningKey
  /// Seconds since 1970.
  let begun: Int64
  /// The certificate that it replaces: what names it in a renewal window. Not sent any more after a
  /// refusal.
  var replaces: String?
  /// How the name is shown to be ours.
  var challenge = ChallengeKind.http
  /// The order's URL; nil until the CA has said it.
  var url: String?
  /// The challenges have been answered by this process; not written.
  var isAnswered = false
  /// The request for the certificate has been sent by this process; not written.
  var isFinalised = false
  /// What the CA said last; not written.
  var progress: Progress?
  /// How often it was asked about since something happened; not written.
  var polls = 0

  init(authority: String, host: String, key: SigningKey, begun: Int64) {
    self.authority = authority
    self.host = host
    self.key = key
    self.begun = begun
  }

  init?(_ bytes: [UInt8], host: String) {
    let fields = fields(String(decoding: bytes, as: UTF8.self))
    guard let authority = fields["authority"],
      let begun = fields["begun"]?.decimal(in: CivilTime.seconds),
      let key = SigningKey(pem: bytes)
    else { return nil }
    self.init(authority: authority, host: host, key: key, begun: begun)
    url = fields["order"]
    companions = (fields["companions"] ?? "").split(separator: " ").map(String.init)
    replaces = fields["replaces"]
    challenge = fields["challenge"].flatMap(ChallengeKind.init(rawValue:)) ?? .http
  }

  /// All that the certificate is for.
  var names: [String] { [host] + companions }

  var bytes: [UInt8] {
    var lines = ["authority: \(authority)", "begun: \(begun)", "challenge: \(challenge.rawValue)"]
    if !companions.isEmpty { lines.append("companions: \(companions.joined(separator: " "))") }
    if let url { lines.append("order: \(url)") }
    if let replaces { lines.append("replaces: \(replaces)") }
    return Array((lines.joined(separator: "\n") + "\n").utf8) + key.pem()
  }
}

extension StateFolder {
  func write(_ record: OrderRecord, _ authority: Authority) throws(SystemError) {
    var bytes = record.bytes
    defer { cleanse(&bytes) }
    try writeFileAtomically(order(record.host, authority), bytes, mode: 0o600)
  }

  func remove(_ record: OrderRecord, _ authority: Authority) throws(SystemError) {
    try removeFile(order(record.host, authority))
  }

  /// The orders under way at a CA, each with its host.
  func records(_ authority: Authority) -> [OrderRecord] {
    let names = (try? listDirectory(orders(authority))) ?? []
    return names.compactMap { name in
      let host = Self.host(name)
      guard !name.hasPrefix("."),
        var bytes = try? readFile(order(host, authority), limit: 65_536)
      else { return nil }
      defer { cleanse(&bytes) }
      return OrderRecord(bytes, host: host)
    }
  }
}
