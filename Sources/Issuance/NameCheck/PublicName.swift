internal import Bytes

/// Returns why no CA issues certificates for this host name; nil if a CA may issue one.
///
/// - Parameter isPrivate: Whether the CA is private. A private CA may know names that public CAs do
///   not know.
package func nameFault(_ host: String, isPrivate: Bool = false) -> IssuanceFailure? {
  let domain = domain(of: host)
  let help = "put your own certificate for this name into the certificates folder"
  guard isHostName(domain), !domain.contains("_") else {
    return .name("no CA issues certificates for a name such as \(host)", help: help)
  }
  guard StateFolder.fileName(host).utf8.count <= IssuanceLimits.fileNameBytes else {
    return .name("\(host) is too long for a file name", help: help)
  }
  let labels = domain.split(separator: ".")
  guard labels.count > 1, let last = labels.last, !last.allSatisfy(\.isNumber) else {
    return .name("\(host) is not a name in the public DNS", help: help)
  }
  if isPrivate { return nil }
  // These names are reserved by RFC 6761, RFC 6762, RFC 7686 and RFC 8375, or are common in private
  // networks.
  let own = ["local", "localhost", "internal", "test", "invalid", "onion", "lan", "home"]
  if own.contains(String(last)) || domain.hasSuffix(".home.arpa") {
    return .name("\(host) is a name for private use, which public CAs do not know", help: help)
  }
  return nil
}
