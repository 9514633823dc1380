internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import Issuance
internal import Posix
internal import Reporting

struct AcmeStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how many certificates there are, and which hosts need attention.",
    discussion: """
      Without hosts, counts all hosts, and lists those that have no certificate or cannot renew it.

      \(serverSettingsWords)

      EXAMPLES:
        aasa acme status
        aasa acme status --all
        aasa acme status --format junit > report.xml
        aasa acme status example.com --config /etc/aasa/server.json

      EXIT CODES:
        0 all hosts have a certificate and can renew
        1 a host has no certificate or cannot renew
        2 wrong usage, or no server has used the state folder
      """)

  @Argument(help: "hosts to show") var hosts: [String] = []
  @Flag(help: "show all hosts, not only hosts that need attention") var all = false
  @OptionGroup var format: FormatOptions
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    let (folder, _) = try options.issuance()
    let files = folder.issuedFiles()
    var last: [String: Journal.Entry] = [:]
    for entry in folder.journal.entries() where !entry.host.isEmpty {
      last[entry.host] = entry
    }
    let waiting = folder.queue()
    let known = Set(files.keys).union(last.keys).union(waiting.keys)
    let wanted = hosts.isEmpty ? known.sorted() : hosts.map { $0.lowercased() }
    if known.isEmpty { try options.requireUse(of: folder, exitCode: .usage) }
    let now = Clock.wallSeconds()
    let found = wanted.map { host in
      HostCertificate(
        host, files[host].map { ($0.validity, $0.issuer) }, last[host],
        waiting[host].map { ($0.place, waiting.count, $0.time) },
        now: now)
    }
    let text =
      wanted.isEmpty
      ? "no certificate has been requested yet in \(folder.root)\n"
      : hosts.isEmpty ? found.summary + found.filter { all || $0.needsSomebody }.text : found.text
    let report = found.map(\.subject).rendered(
      as: format.choice, of: "acme status", failing: .error, text: text,
      json: "\(["hosts": .array(found.map(\.json))] as JSONTree)\n")
    printReport(report, as: format.choice)
    if found.contains(where: { !$0.isFine }) { throw ExitCode.found }
  }
}

/// The state of a host's certificate, and the progress of the next certificate.
struct HostCertificate {
  let host: String
  /// Whether the host has a certificate that has not expired, and the last step for the host in the
  /// journal did not fail.
  let isFine: Bool
  /// Whether someone must act. No action is needed while a host only waits in the queue for orders.
  let needsSomebody: Bool
  private let columns: [String]
  /// Further lines about the host; empty for most hosts.
  private let news: [String]
  let json: JSONTree

  /// - Parameters:
  ///   - last: The last line about the host in the journal; nil if the journal has no such line.
  ///   - turn: The host's position in the queue for orders, and the expected time of the order; nil
  ///     if the host is not in the queue.
  init(
    _ host: String, _ certificate: (validity: Validity, issuer: String)?, _ last: Journal.Entry?,
    _ turn: (place: Int, count: Int, time: Int64)?, now: Int64
  ) {
    self.host = host
    let expiry = certificate?.validity.notAfter
    let renewal = certificate.map { renewalTime($0.validity) }
    let hasFailed = last?.step == .failed
    isFine = expiry.map { $0 > now } == true && !hasFailed
    needsSomebody = !isFine && (turn == nil || hasFailed)
    if let certificate, let expiry, let renewal {
      let dates =
        expiry > now
        ? ["until \(day(expiry))", "renews \(day(renewal))"] : ["EXPIRED \(day(expiry))"]
      columns = dates + ["by \(certificate.issuer)"]
    } else {
      columns = ["no certificate"]
    }
    var news: [String] = []
    if let last, last.step != .served, last.step != .installed {
      let ago = "\(last.step.rawValue) \(Times(now: now).ago(last.time))"
      news.append(hasFailed ? "\(ago): \(last.detail)" : ago)
    }
    if let turn {
      let left = max(0, turn.time - now)
      news.append(
        "waits for an order: place \(turn.place) of \(turn.count) in the queue"
          + (left == 0 ? "" : ", expected in \((left + 59) / 60) min"))
    }
    self.news = news
    json = [
      "host": host.json, "good": isFine.json, "until": expiry?.json, "renews": renewal?.json,
      "issuer": certificate?.issuer.json, "step": last?.step.rawValue.json,
      "stepTime": last?.time.json,
      "fault": hasFailed ? last?.detail.json : nil, "place": turn?.place.json,
      "expected": turn?.time.json,
    ]
  }

  fileprivate func lines(_ width: Int) -> [String] {
    [padded(host, width) + "  " + columns.joined(separator: "  ")] + news.map { "  " + $0 }
  }

  var subject: SubjectReport {
    let words = (columns + news).joined(separator: ", ")
    return .needing(isFine ? [] : [words], host, "\(host): \(words)")
  }
}

extension [HostCertificate] {
  /// The number of all hosts, and the number of hosts with each state, for example
  /// `3 hosts: 2 good, 1 in need of attention`.
  var summary: String {
    let (good, urgent) = (count(where: \.isFine), count(where: \.needsSomebody))
    let parts = numbers([
      (good, "good"), (count - good - urgent, "waiting for their first order"),
      (urgent, "in need of attention"),
    ])
    return "\(count.counting("host")): \(parts)\n"
  }

  var text: String {
    let width = Swift.min(map(\.host.count).max() ?? 0, 40)
    return flatMap { $0.lines(width) }.map { escapingInvisible($0) + "\n" }.joined()
  }
}
