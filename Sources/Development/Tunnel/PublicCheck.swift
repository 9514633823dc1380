internal import Bytes
internal import Checking
internal import Client
internal import HTTP
internal import Posix
internal import Synchronization

/// Fetches the file through its public name as a device does, and the test page as a browser does.
/// Detects a tunnel that responds with its own page, a login page or an error.
final class PublicCheck: Sendable {
  private let client: ClientSettings
  private let ownMark: String
  private let state: DevState
  /// The host that is being checked; nil if no check must continue.
  private let host = Mutex<String?>(nil)

  /// Milliseconds to wait before each attempt. DNS servers do not know a new name immediately. If
  /// an attempt is too early, a DNS server may cache the answer that the name does not exist (RFC
  /// 2308).
  private static let pauses: [Int32] = [2_000, 2_000, 4_000, 8_000, 15_000]

  init(client: ClientSettings, ownMark: String, state: DevState) {
    var client = client
    client.options.fields = [(PublicSite.ownField, ownMark)]
    self.client = client
    self.ownMark = ownMark
    self.state = state
  }

  /// Checks a public name on a separate thread. If the check finds a problem that may end without a
  /// change on this machine, checks the name again, with a limited number of attempts.
  func start(_ name: String) {
    let isNew = host.withLock { host in
      defer { host = name }
      return host != name
    }
    if isNew { _ = try? Thread(named: "check") { [self] in checkRepeatedly(name) } }
  }

  func stop() { host.withLock { $0 = nil } }

  private func isWanted(_ name: String) -> Bool { host.withLock { $0 == name } }

  private func checkRepeatedly(_ name: String) {
    var problem: Problem?
    for pause in Self.pauses {
      for _ in 0..<(pause / 100) {
        guard isWanted(name) else { return }
        Thread.pause(milliseconds: 100)
      }
      problem = fileProblem(name)
      if problem?.mayPass != true { break }
    }
    // Check the page for browsers only if the file can be fetched.
    let sentence = problem?.sentence ?? pageProblem(name)
    guard isWanted(name) else { return }
    state.changeSite { site in
      if site.host == name { site.problem = sentence }
    }
  }

  private struct Problem {
    let sentence: String
    /// Whether the problem may end without a change on this machine.
    let mayPass: Bool
  }

  private func fetch(_ name: String, _ path: String, as identity: ClientIdentity) -> Exchange? {
    var client = client
    client.options.userAgent = identity.userAgent
    return FetchRequest(host: name, path: path).map { client.fetch($0) }
  }

  /// Returns the problem that keeps devices from getting the file; nil if no problem was found.
  private func fileProblem(_ name: String) -> Problem? {
    guard let exchange = fetch(name, associationPaths[0], as: .device) else {
      return Problem(sentence: "\(name) is not a valid host", mayPass: false)
    }
    guard let (head, body) = exchange.response else {
      let reason = exchange.fault?.description ?? "no answer"
      return Problem(
        sentence: "the public name does not reach this server: \(reason)", mayPass: true)
    }
    let facts = state.facts
    // Accept an earlier version too, because the file may have changed during the request.
    if head.status == 200, let version = facts.version,
      body == version.bytes || facts.earlier.contains(versionName(body))
    {
      return nil
    }
    // While there is no valid version of the file, this program itself answers with 503. This
    // response shows that the tunnel works.
    if head.status == 503, facts.version == nil { return nil }
    if let kind = PageKind(head, body) {
      return Problem(
        sentence: "the public name answers with \(kind.words) instead of the file: \(kind.help)",
        mayPass: false)
    }
    if head.isRedirect {
      let place = visibleText((head.value(of: "location") ?? "nowhere").utf8, limit: 200)
      return Problem(
        sentence: "the public name redirects to \(place), and Apple follows no redirect: turn "
          + "the tunnel's login off", mayPass: false)
    }
    switch head.status {
    case 200:
      return Problem(
        sentence: isPage(body)
          ? "the public name answers with a web page of the tunnel instead of the file"
          : "the public name answers with another file: the tunnel reaches another server",
        mayPass: false)
    case 401, 403:
      return Problem(
        sentence: "the public name refuses the file (\(head.status)): turn the tunnel's login "
          + "off, so that everyone gets the file", mayPass: false)
    default:
      return Problem(
        sentence: "the public name answers \"\(head.statusLine)\" instead of the file: the tunnel "
          + "does not reach http://127.0.0.1", mayPass: head.status >= 500 || head.status == 404)
    }
  }

  /// Returns the problem that keeps browsers from getting the test page; nil if no problem was
  /// found. The problem does not affect devices that fetch the file.
  private func pageProblem(_ name: String) -> String? {
    guard let exchange = fetch(name, "/", as: .browser), let (head, body) = exchange.response
    else { return nil }
    // This policy shows that the response is this program's own test page.
    if head.value(of: "content-security-policy") == DevPages.testPagePolicy { return nil }
    let isWarning = body.contains("ERR_NGROK_6024") || body.contains("ngrok-skip-browser-warning")
    if isWarning || head.value(of: "ngrok-error-code") != nil {
      return "browsers see ngrok's warning before the test page: tap \"Visit Site\" there once; "
        + "devices get the file without a warning"
    }
    return "browsers see a page of the tunnel instead of the test page (\(head.statusLine)); "
      + "devices still get the file"
  }
}
