internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

// Every file in the state folder, except the journal and keys, holds one JSON object with a
// version. If the file has a private key, the object precedes it. In a certificate's file the
// object is a comment.

/// The version of these objects. Raise it for any change that an older program would misread.
private let currentVersion = 1

/// Returns the object in a file; nil if it has none, or one of a later version. Skips a private key.
func stateObject(_ bytes: [UInt8]) -> Value? {
  object(in: bytes).flatMap { isNewer($0) ? nil : $0 }
}

private func isNewer(_ value: Value) -> Bool {
  value.member("version").map { $0.integer != currentVersion } ?? false
}

private func object(in bytes: [UInt8]) -> Value? {
  let head = bytes[..<headEnd(bytes)]
  guard let start = head.firstIndex(of: UInt8(ascii: "{")),
    let end = head.lastIndex(of: UInt8(ascii: "}")), start < end
  else { return try? Document(parsing: SourceText(path: "", bytes: migrated(head).minified)).root }
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

  /// Reads a number of a state file. Nil if the value is not a number, is negative, or is so large
  /// that calculations with times could overflow.
  func number(upTo most: Int64 = CivilTime.seconds.upperBound) -> Int64? {
    integer.flatMap { (0...most).contains(Int64($0)) ? Int64($0) : nil }
  }
}

/// Returns where a private key begins, or the end if there is none.
private func headEnd(_ bytes: [UInt8]) -> Int {
  var end = 0
  let mark = Array("-----BEGIN".utf8)
  while end < bytes.count, !bytes[end...].starts(with: mark) {
    end = bytes[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
  }
  return end
}

// MARK: Later versions

extension StateFolder {
  /// Returns a file that a later version of this program wrote; nil if there is none. This version
  /// must not use such a folder, because it would misread and overwrite the newer state.
  package func newerFile(_ authorities: [Authority]) -> String? {
    files(authorities).first(where: isNewer)
  }

  func isNewer(_ path: String) -> Bool {
    guard var bytes = try? readFile(path, limit: IssuanceLimits.stateBytes) else { return false }
    defer { cleanse(&bytes) }
    return object(in: bytes).map(Issuance.isNewer) ?? false
  }

  /// The files that have an object, the accounts last.
  private func files(_ authorities: [Authority]) -> [String] {
    let folders = [certificates, windows] + authorities.map(orders)
    let files = folders.flatMap { folder in
      ((try? completeFiles(in: folder)) ?? []).map { folder + "/" + $0 }
    }
    return files + [waiting] + authorities.map(limitsFile) + authorities.map(accountFile)
  }
}

// MARK: Version 0.1.0

extension StateFolder {
  /// Converts the files of version 0.1.0 to the current form. The accounts come last, so that an
  /// interrupted conversion starts again.
  func migrate(_ authorities: [Authority]) throws(SystemError) {
    let isNeeded = authorities.contains { authority in
      (try? readFile(accountFile(authority), limit: 65_536)).map(isOld) == true
    }
    if !isNeeded { return }
    for path in files(authorities) {
      guard var bytes = try? readFile(path, limit: IssuanceLimits.stateBytes), isOld(bytes) else {
        continue
      }
      defer { cleanse(&bytes) }
      let end = headEnd(bytes)
      let head = (path.hasPrefix(certificates) ? "# " : "").utf8 + migrated(bytes[..<end]).minified
      var text: [UInt8] = []
      text.reserveCapacity(head.count + bytes.count + 1)
      defer { cleanse(&text) }
      text += head
      text.append(0x0A)
      text += bytes[end...]
      try writeFileAtomically(path, text, mode: 0o600)
    }
  }
}

private func isOld(_ bytes: [UInt8]) -> Bool {
  let head = bytes[..<headEnd(bytes)]
  return !head.isEmpty && !head.contains(UInt8(ascii: "{"))
}

/// Converts lines of version 0.1.0 into the current object: `key: value`, as comments in a
/// certificate's file, and words in the limits file.
private func migrated(_ head: ArraySlice<UInt8>) -> JSONTree {
  let numbers = ["begun", "issued", "next", "start", "end"]
  func number(_ text: some StringProtocol) -> JSONTree {
    (text.decimal(in: 0...Int64.max) ?? -1).json
  }
  var members: [(String, JSONTree?)] = [("version", 1)]
  var (frozen, refused): ([(String, JSONTree?)], [(String, JSONTree?)]) = ([], [])
  for line in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline) {
    let line = line.drop { $0 == "#" || $0 == " " }
    let words = line.split(separator: " ").map(String.init)
    if let colon = line.firstIndex(of: ":") {
      let (key, text) = (String(line[..<colon]), trimmed(line[line.index(after: colon)...]))
      if key == "profile", text == "none" { continue }
      let value =
        key == "identities"
        ? words.dropFirst().json : numbers.contains(key) ? number(text) : text.json
      members.append((key, value))
    } else if words.count == 2, words[0] == "full" {
      members.append(("full", number(words[1])))
    } else if 3...4 ~= words.count, words[0] == "frozen" {
      frozen.append(
        (words[1..<words.count - 1].joined(separator: " "), number(words[words.count - 1])))
    } else if words.count == 5, words[0] == "refused" {
      let values = zip(["count", "since", "next"], words[2...].map(number))
      refused.append((words[1], JSONTree(values.map { ($0, $1) })))
    }
  }
  return JSONTree(members + [("frozen", JSONTree(frozen)), ("refused", JSONTree(refused))])
}
