internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

// Every file in the state folder, except the journal and keys, contains one JSON object with a
// version. In a file with a private key, the object precedes the key. In a certificate's file, the
// object is in a comment.

/// The version of these objects. Increase it with any change that an older program would misread.
private let currentVersion = 1

/// Returns the object in a file. Nil if the file contains no object, or an object of a later
/// version. Does not read the private key in the file.
func stateObject(_ bytes: [UInt8]) -> Value? {
  object(in: bytes).flatMap { isNewer($0) ? nil : $0 }
}

private func isNewer(_ value: Value) -> Bool {
  value.member("version").map { $0.integer != currentVersion } ?? false
}

private func object(in bytes: [UInt8]) -> Value? {
  let mark = Array("-----BEGIN".utf8)
  let key = bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
  let head = bytes[..<(key ?? bytes.count)]
  guard let start = head.firstIndex(of: UInt8(ascii: "{")),
    let end = head.lastIndex(of: UInt8(ascii: "}")), start < end
  else { return nil }
  let source = SourceText(path: "", bytes: Array(head[start...end]))
  return try? Document(parsing: source, limits: .init(bytes: IssuanceLimits.stateBytes)).root
}

func stateText(_ members: KeyValuePairs<String, JSONTree?>) -> String {
  "\(JSONTree([("version", currentVersion.json)] + members.map { ($0, $1) }))\n"
}

extension Value {
  func text(_ key: String) -> String? { member(key)?.string }

  func time(_ key: String) -> Int64? { member(key)?.number(upTo: CivilTime.seconds.upperBound) }

  func entries(_ key: String) -> [(key: String, value: Value)] {
    member(key)?.members.map { ($0.key, $0.value) } ?? []
  }

  /// Reads a number from a state file. Nil if the value is not a number, is negative, or is so
  /// large that calculations with times could overflow.
  func number(upTo most: Int64 = CivilTime.seconds.upperBound) -> Int64? {
    integer.flatMap { (0...most).contains(Int64($0)) ? Int64($0) : nil }
  }
}

extension StateFolder {
  /// Returns a file that a later version of this program wrote; nil if there is no such file. This
  /// version must not use a folder with a newer file, because this version would misread and
  /// overwrite the newer state.
  package func newerFile(_ authorities: [Authority]) -> String? {
    let folders = [certificates, windows] + authorities.map(orders)
    let files = folders.flatMap { store.files(in: $0) }
    return (files + [waiting] + authorities.map(limitsFile) + authorities.map(accountFile))
      .first(where: isNewer)
  }

  func isNewer(_ name: String) -> Bool {
    let found = try? store.readSecret(name, limit: IssuanceLimits.stateBytes, object)
    return found.map(Issuance.isNewer) ?? false
  }
}
