internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import Rules

/// The `assetlinks.json` that a host serves, or the reason why Android cannot read this file.
struct HostStatements {
  let exchange: Exchange
  let file: AssetLinksFile
  /// The statements; nil if Android cannot get or read the list.
  let list: StatementList?
  /// Why Android cannot get or read the list; nil if Android can read the list.
  let fault: Finding?

  /// - Parameter isOfMachine: Returns whether this machine and not the host causes a fault.
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

  /// Returns the finding that an app lacks a right. Nil if the app has the right. Also nil if the
  /// list has statements for the app, but the app's certificate is unknown.
  ///
  /// - Parameters:
  ///   - kind: The kind of the finding if no statement grants the right to the app.
  ///   - other: The kind of the finding if a statement grants the right to the app's package name,
  ///     but its fingerprints do not match the app's certificate.
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
      let hint =
        near.map { "assetlinks.json lists \($0): did you mean this package? Otherwise " } ?? ""
      return Finding(
        kind, "assetlinks.json does not let \(name) \(right)", exchange,
        help: hint
          + "add a statement for \(name) with the relation \(relation.rawValue), or ignore "
          + "this finding with --ignore \(kind.code)")
    case .withoutFingerprint:
      return Finding(
        other,
        "assetlinks.json lists \(name) without a usable fingerprint, so the app may not \(right)",
        exchange,
        help: own.isEmpty ? "add the SHA-256 fingerprint of the app signing key" : "write \(own)")
    case .lowerCase(let named):
      return Finding(
        other,
        "assetlinks.json has the fingerprint of \(name) in lower case, but Android expects upper "
          + "case, so the app may not \(right)", exchange,
        help: "write " + (own.isEmpty ? named.joined(separator: " or ") : own))
    case .otherKey:
      var finding = Finding(
        other,
        "assetlinks.json lets \(name) \(right) only if the app is signed with a key other "
          + "than the given key",
        exchange,
        help:
          "Google Play signs apps with the app signing key, not with your upload key: if the "
          + "given key is the upload key, compare assetlinks.json with the fingerprint in the "
          + "Play Console (App integrity); if installed apps are signed with the given key, "
          + "add \(own)")
      finding.isOfOtherKey = true
      return finding
    }
  }

  /// Returns the finding that the list includes another list, which this program did not read.
  ///
  /// - Parameter what: The clause that follows "whether" in the message. Only the included list
  ///   could show whether this clause is true.
  func notRead(_ what: String) -> Finding {
    Finding(
      .androidNotKnown,
      "assetlinks.json includes another list, which aasa did not read, so aasa cannot tell "
        + "whether \(what)",
      exchange,
      help: "check the included list yourself, or let aasa query Google's service, "
        + "which reads included lists")
  }
}

/// What a list of statements says about one app and one right.
enum Standing {
  case held, unnamed, withoutFingerprint, otherKey
  /// The list has statements for the app with these fingerprints. The fingerprint of the app's
  /// certificate is unknown, so these fingerprints cannot be compared with it.
  case uncompared([String])
  /// The list has the app's fingerprint in lower case; if that fingerprint is unknown, every
  /// fingerprint is in lower case. The value contains all of the list's fingerprints for the app in
  /// upper case.
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
  /// The right as a phrase that can follow "may" or "lets the app".
  var words: String {
    switch self {
    case .openLinks: "open links"
    case .shareCredentials: "use passwords and passkeys"
    }
  }
}
