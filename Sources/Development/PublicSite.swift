internal import Catalog
internal import Checking
internal import Diagnostics
internal import HTTP
internal import Keeping
internal import Posix
internal import QRCode
internal import Server
internal import Settings

/// Responds to the requests that arrive through the tunnel: with the association file, with another
/// file of the host, or with a page about the requested URL. The tunnel makes nothing else on this
/// machine public.
struct PublicSite: Sendable {
  let state: DevState
  let appStoreID: String?
  /// The value of a header field that marks this program's own requests through the tunnel.
  let ownMark: String

  /// The request header field that contains `ownMark`.
  static let ownField = "X-Aasa-Dev"

  func answer(_ request: PageRequest) -> PageReply {
    let facts = state.facts
    var kind = RequestRecord.Kind.other
    var version: String?
    var answer: PageAnswer
    if request.method != .get && request.method != .head {
      answer = PageAnswer(.methodNotAllowed, text: "this server answers only GET and HEAD")
      answer.closes = true
    } else if associationPaths.contains(request.path) {
      kind = .association
      if let served = facts.version {
        answer = PageAnswer(contentType: served.contentType, served.bytes)
        version = served.name
      } else {
        answer = PageAnswer(.serviceUnavailable, text: "there is no valid association file yet")
      }
    } else if request.path.hasPrefix("/.well-known/") {
      // Never answer with the test page at a path in `.well-known`, because a client would mistake
      // the page for the requested file.
      answer =
        facts.siblings.content(for: request.path).map {
          PageAnswer(contentType: $0.contentType, $0.bytes)
        } ?? PageAnswer(.notFound, text: "there is no such file beside the association file")
    } else {
      kind = .page
      answer = page(request, facts)
    }
    let isOwn = request.field(Self.ownField.lowercased()) == ownMark
    state.record(
      RequestRecord(
        request, answer, kind: kind, version: version, isOwn: isOwn,
        time: Clock.wallMilliseconds()))
    return .now(answer)
  }

  /// Records a request that was refused because it violates HTTP.
  func note(refused request: PageRequest, _ answer: PageAnswer) {
    state.record(
      RequestRecord(request, answer, kind: .refused, time: Clock.wallMilliseconds()))
  }

  private func page(_ request: PageRequest, _ facts: DevFacts) -> PageAnswer {
    let host = facts.site.host ?? request.host
    let url = "https://" + host + request.target
    let trial = Trial(url, facts.version, publicHost: facts.site.host)
    if let page = facts.siblings.page, let version = facts.version, hasPage(request, version) {
      return answer(with: page)
    }
    var problem: String?
    if !facts.isServed {
      let reason =
        facts.diagnostics.first { $0.severity == .error }?.message ?? "the file cannot be read"
      problem =
        facts.version == nil
        ? "there is no valid file yet: \(reason)"
        : "the current file has an error, so the previous version is served: \(reason)"
    }
    let code = url.utf8.count <= DevLimits.codeBytes ? QRCode(url)?.svg : nil
    let facts = TestPageFacts(
      url: url, host: host, sentence: trial.error ?? trial.sentence, opens: trial.opens.map(\.app),
      rule: trial.opens.first?.written, problem: problem, entitlement: facts.entitlement,
      fetch: facts.device?.sentence(current: facts.version?.name),
      isFetchCurrent: facts.device?.version == facts.version?.name, links: facts.links,
      appStoreID: appStoreID, appArgument: appStoreID == nil ? nil : url, qrSVG: code,
      fileIsServed: facts.isServed)
    var answer = PageAnswer(
      contentType: "text/html; charset=utf-8", DevPages.testPage(facts))
    answer.fields = [
      ("Content-Security-Policy", DevPages.testPagePolicy), ("Referrer-Policy", "no-referrer"),
      ("X-Robots-Tag", "noindex"),
    ]
    return answer
  }

  /// Whether `aasa serve` would answer this request with the user's `page.html`.
  private func hasPage(_ request: PageRequest, _ version: SiteVersion) -> Bool {
    let target = Array(request.target.utf8)
    return !isWithoutPage(0..<request.path.utf8.count, target.span)
      && version.page.opensApp?(pageLink(target.indices, target.span)) == true
  }

  /// Returns the user's page for people without the app, with the same header fields as `aasa
  /// serve`.
  private func answer(with page: [UInt8]) -> PageAnswer {
    var answer = PageAnswer(contentType: SiblingFiles.Kind.page.contentType, page)
    answer.fields = WellKnownFile.pageFields
    return answer
  }
}
