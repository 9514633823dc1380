internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import Rules

/// The `assetlinks.json` that a host serves.
struct HostStatements {
  let exchange: Exchange
  let file: AssetLinksFile
  /// The statements; nil if Android gets none.
  let list: StatementList?
  /// Why Android gets no list; nil if it gets one.
  let fault: Finding?

  /// - Parameter isOfMachine: Whether this machine, not the host, causes a fault.
  init(_ exchange: Exchange, isOfMachine: (FetchFault) -> Bool) {
    self.exchange = exchange
    file = AssetLinksFile(
      SourceText(path: exchange.request.url, bytes: exchange.response?.body ?? []))
    if let fault = exchange.fault, isOfMachine(fault) {
      list = nil
      self.fault = Finding(
        .androidNotKnown, "assetlinks.json could not be requested: \(fault)", exchange,
        help: fault.help)
      return
    }
    let isRead = exchange.response?.head.status == 200 && file.unreadable == nil
    list = isRead ? file.list : nil
    fault = list == nil ? missingListFinding(exchange, file.unreadable) : nil
  }

  /// Returns the finding that an app lacks a right; nil if the app has the right, or if only the
  /// app's certificate is unknown.
  ///
  /// - Parameters:
  ///   - kind: The kind of the finding if no statement gives the app the right.
  ///   - other: The kind of the finding if the fingerprints in the statements do not match.
  func finding(
    _ standing: Standing, _ app: AndroidApp, _ relation: AppRelation, _ kind: Kind, other: Kind
  ) -> Finding? {
    let (name, right) = (app.packageName, relation.words)
    let own = app.fingerprints.joined(separator: " or ")
    switch standing {
    case .held, .uncompared: return nil
    case .unnamed:
      let others = (list?.packages ?? []).filter { $0 != name }.sorted()
      let near =
        others.first { $0.lowercased() == name.lowercased() } ?? nearest(to: name, among: others)
      let hint = near.map { "the file has \($0): did you mean that package? Otherwise " } ?? ""
      return Finding(
        kind, "assetlinks.json does not let \(name) \(right)", exchange,
        help: hint
          + "add a statement for \(name) with the relation \(relation.rawValue), or ignore "
          + "this finding with --ignore \(kind.code)")
    case .withoutFingerprint:
      return Finding(
        other,
        "assetlinks.json lists \(name) without a usable fingerprint, so the app may not \(right)",
        exchange, help: own.isEmpty ? "add the SHA-256 of the app signing key" : "write \(own)")
    case .lowerCase(let named):
      return Finding(
        other,
        "assetlinks.json has the fingerprint of \(name) in lower case, and Android compares it as "
          + "text, so the app may not \(right)", exchange,
        help: "write " + (own.isEmpty ? named.joined(separator: " or ") : own))
    case .otherKey:
      var finding = Finding(
        other, "assetlinks.json lets \(name) \(right), but for a key other than the given key",
        exchange,
        help:
          "if the given key is your upload key, assetlinks.json may be correct: Google Play signs "
          + "the app with the app signing key, so compare that key's fingerprint (Play Console, "
          + "App integrity); if installed apps are signed with the given key, add \(own)")
      finding.isOfOtherKey = true
      return finding
    }
  }

  /// Returns the finding that an included list was not read.
  ///
  /// - Parameter what: The clause after "whether" in the message. Only the included list can
  ///   confirm this clause.
  func notRead(_ what: String) -> Finding {
    Finding(
      .androidNotKnown,
      "assetlinks.json includes another list, which was not read, so whether \(what) is not known",
      exchange, help: "check the included list, or allow the query to Google's service")
  }
}

/// What a list of statements says about an app and a right.
enum Standing {
  case held, unnamed, withoutFingerprint, otherKey
  /// The list has statements for the app with these fingerprints, but the app's own fingerprint is
  /// unknown.
  case uncompared([String])
  /// The list has the fingerprints in lower case. The values are the correct upper-case forms.
  case lowerCase([String])
}

extension StatementList {
  func standing(_ app: AndroidApp, _ relation: AppRelation) -> Standing {
    guard let named = fingerprints(of: app.packageName, under: relation) else { return .unnamed }
    if named.isEmpty { return .withoutFingerprint }
    if named.contains(where: app.fingerprints.contains) { return .held }
    let upper = named.map(normalizedFingerprint)
    if app.fingerprints.isEmpty {
      return zip(named, upper).allSatisfy(!=) ? .lowerCase(upper) : .uncompared(named)
    }
    return upper.contains(where: app.fingerprints.contains) ? .lowerCase(upper) : .otherKey
  }
}

extension AppRelation {
  /// The right, phrased for the middle of a sentence.
  var words: String {
    switch self {
    case .openLinks: "open links"
    case .shareCredentials: "use passwords and passkeys"
    }
  }
}
