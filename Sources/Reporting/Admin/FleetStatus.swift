package import Diagnostics
internal import JSON
package import Posix

/// One report about several independent servers with the same domains. The report shows, for each
/// domain, which version each server serves, and the latest fetches from any of the servers.
package struct FleetStatus {
  /// The response of one server.
  private struct Server {
    let address: SocketAddress
    var root: Value?
    /// Why the server sent no usable response; nil if the response is usable.
    var fault: String?
    var isGood = false

    var isReady: Bool { root?.member("ready")?.bool == true }

    func entry(_ domain: String) -> Value? {
      root?.member("list")?.elements.first { $0.name == domain }
    }

    /// Why the server is not ready, or why the server does not answer; empty if the server is
    /// ready.
    var obstacles: String {
      let found = root?.member("notReady")?.elements.compactMap(\.string) ?? []
      return fault ?? found.joined(separator: "; ")
    }
  }

  private let servers: [Server]
  private let times = Times(now: Clock.wallSeconds())
  /// Whether the user listed the domains; listed domains are reported in full.
  private let areNamed: Bool
  private let domains: [String]

  /// Requests the status from all servers, one server after another.
  ///
  /// - Parameter query: The path and query of the requests, without the parameter `format`.
  package init(_ addresses: [[SocketAddress]], _ query: String, areNamed: Bool) {
    servers = addresses.compactMap { addresses in
      guard let first = addresses.first else { return nil }
      var server = Server(address: first)
      do throws(AdminFault) {
        let answer = try AdminClient(addresses: addresses, timeout: 10_000).get(
          query + "&format=json")
        let source = SourceText(path: query, bytes: answer.body)
        guard answer.status == 200, let state = answer.state,
          let document = try? Document(parsing: source, limits: .init(bytes: answer.body.count))
        else { throw .old(answer.address) }
        (server.root, server.isGood) = (document.root, state == "good")
      } catch {
        let line = error.lines.first ?? "the server does not answer"
        server.fault = line.hasPrefix("error: ") ? String(line.dropFirst(7)) : line
      }
      return server
    }
    self.areNamed = areNamed
    var domains: [String] = []
    for name in servers.flatMap({ $0.root?.member("list")?.elements.map(\.name) ?? [] })
    where !domains.contains(name) { domains.append(name) }
    self.domains = domains
  }

  package var isAnswered: Bool { servers.contains { $0.root != nil } }
  package var isGood: Bool { servers.allSatisfy(\.isGood) }

  // MARK: The servers' reports on a domain

  /// Returns the versions of a domain, newest first, each with the servers that serve it. The
  /// version is nil for servers that do not serve the domain.
  private func versions(_ domain: String) -> [(version: String?, servers: [SocketAddress])] {
    var found: [(version: String?, since: Int, servers: [SocketAddress])] = []
    for server in servers {
      guard let entry = server.entry(domain) else { continue }
      let version = entry.member("version")?.string
      let since = entry.member("since")?.integer ?? 0
      if let index = found.firstIndex(where: { $0.version == version }) {
        found[index].servers.append(server.address)
        found[index].since = min(found[index].since, since)
      } else {
        found.append((version, since, [server.address]))
      }
    }
    return found.sorted { $0.since > $1.since }.map { ($0.version, $0.servers) }
  }

  /// For each class of fetcher, returns the newest fetch from any server and the total number of
  /// fetches.
  private func fetches(
    _ domain: String
  ) -> [(name: String, newest: Value, at: SocketAddress, count: Int)] {
    var found: [(name: String, newest: Value, at: SocketAddress, count: Int)] = []
    for server in servers {
      for member in server.entry(domain)?.member("fetches")?.members.map(\.self) ?? [] {
        let count = member.value.member("count")?.integer ?? 0
        guard let index = found.firstIndex(where: { $0.name == member.key }) else {
          found.append((member.key, member.value, server.address, count))
          continue
        }
        found[index].count += count
        if member.value.time > found[index].newest.time {
          (found[index].newest, found[index].at) = (member.value, server.address)
        }
      }
    }
    return found
  }

  // MARK: The report as JSON

  package var json: JSONTree {
    [
      "servers": .array(
        servers.map { server in
          [
            "admin": server.address.description.json, "good": server.isGood.json,
            "ready": server.isReady.json,
            "fault": server.obstacles.isEmpty ? nil : server.obstacles.json,
          ]
        }),
      "list": .array(
        domains.map { domain in
          [
            "domain": domain.json,
            "versions": .array(
              versions(domain).map { version, servers in
                ["version": version?.json, "admin": servers.map(\.description).json]
              }),
            "fetches": JSONTree(
              fetches(domain).map { fetch in
                let facts: JSONTree = [
                  "last": Int(fetch.newest.time).json,
                  "status": fetch.newest.member("status")?.integer?.json,
                  "version": fetch.newest.member("version")?.string?.json,
                  "current": isCurrent(fetch.newest, domain).json, "count": fetch.count.json,
                  "admin": fetch.at.description.json,
                ]
                return (fetch.name, facts)
              }),
          ]
        }),
    ]
  }

  /// Whether a fetch got the newest version that any of the servers serves.
  private func isCurrent(_ fetch: Value, _ domain: String) -> Bool {
    fetch.member("version")?.string == versions(domain).first?.version
  }

  // MARK: The report as text

  /// The reports on the servers and the domains. The output formats for build servers are made from
  /// these reports.
  package var subjects: [SubjectReport] {
    servers.map { server in
      let name = server.address.description
      let words = state(of: server)
      return .needing(server.isGood ? [] : [words], name, "\(name): \(words)")
    }
      + domains.map { domain in
        let states = states(of: domain)
        let words = "\(domain): " + states.joined(separator: ", ")
        let isGood = states.allSatisfy { ["served", "empty"].contains($0) }
        return .needing(isGood ? [] : [words], domain, words)
      }
  }

  private func states(of domain: String) -> [String] {
    Set(servers.compactMap { $0.entry(domain)?.member("state")?.string }).sorted()
  }

  private func state(of server: Server) -> String {
    guard let root = server.root else { return server.obstacles }
    let started = root.member("started")?.integer.map(Int64.init) ?? times.now
    return
      (server.isReady
      ? "ready, up for \(Times.length(times.now - started))" : "not ready: \(server.obstacles)")
      + (server.isGood
        ? "" : "; something must be fixed: aasa status --admin \(server.address)")
  }

  package var text: String {
    let ready = servers.count { $0.isReady }
    let width = servers.map(\.address.description.count).max() ?? 0
    var lines = ["\(ready) of \(servers.count) servers are ready"]
    lines += servers.map { "  \(padded($0.address.description, width))  \(state(of: $0))" }
    if !areNamed { lines.append("") }
    let longest = min(domains.map(\.count).max() ?? 0, 40)
    for domain in domains { lines += areNamed ? [""] + rows(domain) : [line(domain, longest)] }
    return lines.map(escapingInvisible).joined(separator: "\n") + "\n"
  }

  private func rows(_ domain: String) -> [String] {
    let found = states(of: domain)
    if found == ["unknown"] {
      return ["\(domain): unknown, because no server has files for this domain"]
    }
    let states = found.filter { $0 != "served" }
    var lines = [domain + ": " + (states.isEmpty ? ["served"] : states).joined(separator: ", ")]
    func row(_ name: String, _ text: String) -> String { "  \(padded(name, 11))  \(text)" }
    for (version, servers) in versions(domain) {
      let place =
        servers.count == self.servers.count
        ? "at all servers" : "at " + servers.map(\.description).joined(separator: " and ")
      lines.append(row("version", "\(version ?? "no file"), \(place)"))
    }
    let fetches = fetches(domain)
    for name in ["apple-cdn", "apple-device"] where !fetches.contains(where: { $0.name == name }) {
      lines.append(row(words(name), "never"))
    }
    for fetch in fetches {
      let version =
        isCurrent(fetch.newest, domain)
        ? "the current version"
        : fetch.newest.member("version")?.string.map { "an older version, \($0)" }
          ?? "nothing to serve"
      let count = fetch.count == 1 ? "once" : "\(fetch.count) times"
      lines.append(
        row(
          words(fetch.name),
          "\(times.moment(fetch.newest.time)) at \(fetch.at), \(version), \(count)"))
    }
    return lines
  }

  private func line(_ domain: String, _ width: Int) -> String {
    let versions = versions(domain).map { version, servers in
      "\(version ?? "no file") at \(servers.count) of \(self.servers.count) servers"
    }
    let fetches = fetches(domain)
    func last(_ name: String) -> String {
      fetches.first { $0.name == name }.map { fetch in
        times.ago(fetch.newest.time)
          + (isCurrent(fetch.newest, domain) ? "" : " (an older version)")
      } ?? "never"
    }
    return "\(padded(domain, width))  \(versions.joined(separator: ", "))"
      + "  CDN \(last("apple-cdn")), devices \(last("apple-device"))"
  }

  private func words(_ fetcher: String) -> String {
    ["apple-cdn": "Apple's CDN", "apple-device": "devices"][fetcher] ?? fetcher
  }
}

extension Value {
  /// The domain that is described by this element of the array `list`.
  fileprivate var name: String {
    (member("askedFor") ?? member("domain"))?.string ?? ""
  }

  /// The time of a fetch, in seconds since 1970.
  fileprivate var time: Int64 { Int64(member("last")?.integer ?? 0) }
}
