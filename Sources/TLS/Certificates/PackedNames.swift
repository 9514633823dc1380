/// The names of a certificate one after the other, each after an octet with its length: where they
/// stand among other bytes.
struct PackedNames {
  let hosts: Range<Int>
  let addresses: Range<Int>

  /// The form that `PackedNames` reads; host names end where told.
  static func bytes(of names: CertificateNames) -> (bytes: [UInt8], hostsEnd: Int) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(names.hosts.reduce(0) { $0 + 1 + $1.utf8.count })
    for host in names.hosts {
      // `CertificateNames` takes none that is longer than `Limits.serverNameBytes`.
      bytes.append(UInt8(host.utf8.count))
      bytes += host.utf8
    }
    let hostsEnd = bytes.count
    for address in names.addresses {
      bytes.append(UInt8(address.count))
      bytes += address
    }
    return (bytes, hostsEnd)
  }

  func names(_ bytes: Span<UInt8>) -> CertificateNames {
    var hosts: [String] = []
    var addresses: [[UInt8]] = []
    var places = Places(self.hosts)
    while let place = places.next(bytes) {
      hosts.append(String(decoding: place.map { bytes[$0] }, as: UTF8.self))
    }
    places = Places(self.addresses)
    while let place = places.next(bytes) { addresses.append(place.map { bytes[$0] }) }
    return CertificateNames(sortedHosts: hosts, addresses: addresses)
  }

  /// As `CertificateNames.covers`, without a text being made.
  func cover(_ host: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
    if let address = ipAddress(host) {
      var places = Places(addresses)
      while let place = places.next(bytes) {
        if equal(bytes.extracting(place), address.span) { return true }
      }
      return false
    }
    var places = Places(hosts)
    while let place = places.next(bytes) {
      if CertificateNames.matches(bytes.extracting(place), host) { return true }
    }
    return false
  }

  /// Where names stand, one after the other.
  struct Places {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
      position = range.lowerBound
      end = range.upperBound
    }

    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard position < end else { return nil }
      let start = position + 1
      position = start + Int(bytes[position])
      return start..<position
    }
  }
}
