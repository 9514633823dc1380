internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Rules

/// A URL: its parts follow each other and make it up; its notation does not change the decision of
/// a file.
@Sendable func fuzzURL(_ bytes: [UInt8]) {
  let parts: URLParts
  do throws(URLFault) {
    parts = try URLParts(bytes.span)
  } catch {
    check(error, bytes.count)
    precondition(decisions(bytes).allSatisfy { $0 == .noMatch(.fault(error)) })
    return
  }
  check(parts, bytes)

  let found = decisions(bytes)
  if bytes.count <= 100 { explain(bytes, found) }
  guard let host = parts.host else { return }
  let prefix = Array("hTTps://user:1@".utf8)
  let port = parts.port.map { Array(":\($0)".utf8) } ?? []
  let rest = bytes[parts.path.upperBound...]
  // Another scheme, a user, slashes in runs and at the end.
  var path = bytes[parts.path].flatMap { $0 == UInt8(ascii: "/") ? [$0, $0] : [$0] }
  if !path.isEmpty { path.append(UInt8(ascii: "/")) }
  let other = prefix + bytes[host] + port + path + rest
  guard other.count <= URLParts.longest else { return }
  precondition(decisions(other) == found)
  if bytes[host].allSatisfy({ $0 < 0x80 }) {
    let upper = prefix + bytes[host].map(upperCase) + port + path + rest
    precondition(decisions(upper) == found)
  }
}

private func check(_ fault: URLFault, _ count: Int) {
  precondition(!fault.message.isEmpty)
  switch fault {
  case .controlCharacter(let index), .badHost(let index), .badPort(let index):
    precondition(0 <= index && index < count)
  case .empty: precondition(count == 0)
  case .tooLong, .noScheme, .otherScheme, .noHost: break
  }
}

private func check(_ parts: URLParts, _ bytes: [UInt8]) {
  var end = 0
  if let host = parts.host {
    precondition(!host.isEmpty)
    let start = bytes[..<host.lowerBound]
    precondition([UInt8(ascii: "/"), UInt8(ascii: "@")].contains(start.last))
    precondition(parts.port.map { 0...65535 ~= $0 } ?? true)
    end = host.upperBound
    if bytes[end..<parts.path.lowerBound].first == UInt8(ascii: ":") {
      let digits = String(decoding: bytes[(end + 1)..<parts.path.lowerBound], as: UTF8.self)
      precondition(digits.isEmpty ? parts.port == nil : Int(digits) == parts.port)
      end = parts.path.lowerBound
    }
  }
  // Only the delimiters are between the parts.
  precondition(parts.path.lowerBound == end && !bytes[parts.path].contains(UInt8(ascii: "?")))
  end = parts.path.upperBound
  if let query = parts.query {
    precondition(bytes[end] == UInt8(ascii: "?") && query.lowerBound == end + 1)
    precondition(!bytes[query].contains(UInt8(ascii: "#")))
    end = query.upperBound
  }
  if let fragment = parts.fragment {
    precondition(bytes[end] == UInt8(ascii: "#") && fragment.lowerBound == end + 1)
    end = fragment.upperBound
  }
  precondition(end == bytes.count)
}

/// The decision of the file below for each of its apps.
private func decisions(_ bytes: [UInt8]) -> [RuleDecision] {
  domains.flatMap { domain in
    links.apps.map { links.matcher.decide(bytes.span, app: $0, domain: domain) }
  }
}

/// The rules that lead to the decision, from another implementation of matching.
private func explain(_ bytes: [UInt8], _ decisions: [RuleDecision]) {
  guard let url = String(validating: bytes, as: UTF8.self) else { return }
  for (app, decision) in zip(links.apps, decisions) {
    guard let trials = try? links.trials(of: url, app: app) else { fatalError("no trials") }
    for trial in trials { precondition(!trial.sentence.isEmpty) }
    precondition(trials.dropLast().allSatisfy { !$0.isMatch })
    let last = trials.last.flatMap { $0.isMatch ? $0.rule : nil }
    switch decision {
    case .match(let rule), .exclude(let rule):
      precondition(last?.entry?.index == rule.entry && last?.index == rule.rule)
    case .noMatch: precondition(last == nil)
    }
  }
}

private let domains = [nil, Domain("*.example.com:443")]

private func upperCase(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "a") < 26 ? byte & 0xDF : byte
}

private let links: AppleLinks = {
  let text = #"""
    {"applinks": {
      "substitutionVariables": {"x": ["a*", "?", "", "/", "é"]},
      "details": [
        {"appID": "A.b", "components": [
          {"/": "/$(x)/$(upper)_$(alnum)/*", "#": "$(digit)", "exclude": true},
          {"?": "a=?*", "/": "/a"}, {"/": "/a%20b/*", "?": {"q": "*1*"}}, {"?": {"a": "?", "": ""}}]},
        {"appID": "A.c", "defaults": {"percentEncoded": false, "caseSensitive": false},
          "components": [{"/": "/é?/*", "exclude": true}, {"?": {"é": "&"}}, {"/": "/*b/", "#": "*x"}]},
        {"appID": "A.d", "paths": ["NOT /no/*", "*"]}]}}
    """#
  let source = SourceText(path: "fixed", bytes: Array(text.utf8))
  guard let document = try? Document(parsing: source), let links = try? AppleLinks(document)
  else { fatalError("the file is right, and small") }
  return links
}()
