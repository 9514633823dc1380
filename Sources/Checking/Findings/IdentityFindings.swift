internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import TLS

/// Returns findings about a server that answers different clients differently. All clients must get
/// the same answer, because Apple publishes no list of its addresses and user agents.
func identityFindings(_ evidence: DomainEvidence) -> [Finding] {
  let robot = evidence.wellKnown
  if let other = evidence.contradiction {
    return [
      Finding(
        .answersChange,
        "the same request gets the file one time and \(words(other)) the next", other,
        help: other.head?.status == 429 ? "exempt both paths of the file from rate limits" : nil)
    ]
  }
  let served = evidence.identities.filter { isFile($0.exchange) }.map(\.identity.name)
  if !isFile(robot) && !served.isEmpty {
    return [
      Finding(
        .robotRefused,
        "\(ClientIdentity.robot.name) gets \(words(robot)), while "
          + "\(served.joined(separator: " and ")) "
          + "\(served.count == 1 ? "gets" : "get") the file: a firewall or bot protection "
          + "treats them differently", robot, help: helpForChallenge(robot))
    ]
  }
  return evidence.identities.compactMap { identity, other in
    guard let difference = difference(robot, other) else { return nil }
    let isDevice = identity == .device
    return Finding(
      isDevice ? .deviceDiffers : .browserDiffers,
      "\(identity.name) gets \(difference.second), but \(ClientIdentity.robot.name) gets "
        + (isFile(robot) ? "the file" : difference.first),
      other)
  }
}

/// Returns the help text for the case that a bot protection answered; otherwise nil.
private func helpForChallenge(_ exchange: Exchange) -> String? {
  guard let (head, body) = exchange.response, PageKind(head, body) == .challenge else { return nil }
  return PageKind.challenge.help
}

/// Whether the answer may contain an association file: its status is 200, and its body is not a web
/// page.
func isFile(_ exchange: Exchange) -> Bool {
  guard let (head, body) = exchange.response else { return false }
  return head.status == 200 && !isPage(body)
}

/// Whether the answer contains a readable association file, from a server whose certificate is
/// trusted.
func isSound(_ exchange: Exchange) -> Bool {
  isFile(exchange) && exchange.tls?.verification.isTrusted ?? true
    && servedDocument(exchange) != nil
}

/// Returns words for each of two answers that differ; nil if both answers mean the same.
private func difference(_ first: Exchange, _ second: Exchange) -> (first: String, second: String)? {
  if first.fault != nil && second.fault != nil { return nil }
  let isSame =
    first.head?.status == second.head?.status && first.body == second.body
    && (first.fault == nil) == (second.fault == nil)
  // Compare only the contents of files, because error pages and redirects often contain a time or a
  // number.
  if isFile(first), isFile(second), differenceOfAnswers(first, second) == nil { return nil }
  if isSame || !isFile(first) && !isFile(second) && first.head?.status == second.head?.status {
    return nil
  }
  return (words(first), words(second))
}

private func words(_ exchange: Exchange) -> String {
  if exchange.fault != nil { return "no answer" }
  guard let (head, body) = exchange.response else { return "no answer" }
  if head.status != 200 { return "status \(head.status)" }
  return isText(body) ? "text" : isPage(body) ? "a web page" : "another file"
}

extension Kind {
  static let robotRefused = Kind(
    "F050", "robot-refused", "Apple's robot does not get the file that other clients get",
    "nearly all devices get no file, because they use Apple's CDN, and Apple's robot fetches the "
      + "file for the CDN",
    "the robot is AASA-Bot/1.0.0, as seen in the field (grade O); Apple publishes no list of "
      + "addresses or user agents (grade D)", effect: .allDevices,
    fix: "exempt both paths of the file from bot protection for every client, not only for a list "
      + "of clients")

  static let deviceDiffers = Kind(
    "F051", "device-refused", "a device and Apple's robot get different answers",
    "devices in developer mode bypass the CDN: a test on such a device shows nothing about other "
      + "devices",
    "the user agent of devices begins with swcd, as seen in the field (grade O)",
    effect: .developerMode,
    fix: "give every client the same answer at both paths of the file")

  static let browserDiffers = Kind(
    "F052", "browser-differs", "a browser and Apple's robot get different answers",
    "devices are not affected, but a browser shows a different answer than devices get", nil,
    severity: .note, fix: "give every client the same answer at both paths of the file")

  static let answersChange = Kind(
    "F112", "answers-change", "the same request gets different answers",
    "devices and Apple's CDN get one of the different answers at random", nil, effect: .someDevices,
    fix: "check whether one of several servers fails, and whether a rate limit applies")

  static let identityKinds: [Kind] = [
    .answersChange, .robotRefused, .deviceDiffers, .browserDiffers,
  ]
}
