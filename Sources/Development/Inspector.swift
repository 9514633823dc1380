internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix
internal import QRCode
internal import Server

/// The inspector: web pages for the developer, in a browser on the same machine. All other clients
/// are refused.
struct Inspector: Sendable {
  let state: DevState
  /// The port of the inspector.
  let port: UInt16
  let cdn: CDNComparison

  func answer(_ request: PageRequest) -> PageReply {
    if let refusal = refusal(of: request) { return .now(refusal.secured()) }
    switch (request.path, request.method) {
    case ("/events", .get), ("/events", .head):
      let last = request.field("last-event-id").flatMap { Int($0) } ?? 0
      let stream = state.subscribe(after: last, limit: PageLimits.inspector.streamBytes)
      return .stream(PageAnswer(contentType: "text/event-stream", []).secured(), stream)
    case ("/cdn", .get):
      return .now(
        (cdn.compare(state.facts).map(jsonAnswer)
          ?? failure(
            .serviceUnavailable, "too many requests to Apple's CDN at once; try again later"))
          .secured())
    case ("/cases", .post), ("/cases", .delete):
      return .now(state.changingCases { changeCases(request) }.secured())
    case (_, .get), (_, .head): return .now(page(request).secured())
    default:
      return .now(failure(.methodNotAllowed, "this path does not allow this method").secured())
    }
  }

  /// Refuses requests from pages of other sites. If a page of another site sends a form, the field
  /// `Origin` of the request contains that page's origin. If a page of another site uses DNS
  /// rebinding, the field `Host` contains that site's host name.
  private func refusal(of request: PageRequest) -> PageAnswer? {
    let names = ["127.0.0.1", "localhost", "::1"]
    guard names.contains(request.host), request.port == port else {
      return closing(failure(.forbidden, "this page is available only at http://127.0.0.1:\(port)"))
    }
    let origins = ["127.0.0.1", "localhost", "[::1]"].map { "http://\($0):\(port)" }
    let isChange = request.method != .get && request.method != .head
    if let origin = request.field("origin") ?? (isChange ? "none" : nil),
      !origins.contains(origin)
    {
      return closing(failure(.forbidden, "only the inspector's own page may send this request"))
    }
    // For a page on another port of this machine, the browser sends `same-site`. Also refuse
    // requests from these pages.
    let from = request.field("sec-fetch-site")
    if from == "cross-site" || from == "same-site", request.path != "/" {
      return closing(failure(.forbidden, "only the inspector's own page may send this request"))
    }
    return nil
  }

  private func page(_ request: PageRequest) -> PageAnswer {
    if let asset = DevPages.asset(request.path) {
      return PageAnswer(contentType: asset.contentType, Array(asset.text.utf8))
    }
    if request.path.hasPrefix("/requests/") {
      let found = Int(request.path.dropFirst(10)).flatMap { state.request(number: $0) }
      return found.map { jsonAnswer($0.json(withHeads: true)) }
        ?? failure(.notFound, "this request is unknown, or no longer stored")
    }
    let facts = state.facts
    switch request.path {
    case "/try":
      guard let url = request.values(of: "url").last else {
        return failure(.unprocessableContent, "give the URL: /try?url=https://HOST/PATH")
      }
      return jsonAnswer(Trial(url, facts.version, publicHost: facts.site.host).json(facts.android))
    case "/cases": return jsonAnswer(facts.cases.json(facts.version, facts.android))
    case "/requests.har":
      var answer = jsonAnswer(archive(state.requests))
      answer.fields = [("Content-Disposition", "attachment; filename=aasa-dev.har")]
      return answer
    case "/qr.svg": return code(request)
    default: return failure(.notFound, "there is no such page")
    }
  }

  private func code(_ request: PageRequest) -> PageAnswer {
    guard let text = request.values(of: "text").last, !text.isEmpty,
      text.utf8.count <= DevLimits.codeBytes, let code = QRCode(text)
    else {
      return failure(
        .unprocessableContent, "the text of a QR code must have 1 to \(DevLimits.codeBytes) bytes")
    }
    return PageAnswer(contentType: "image/svg+xml", Array(code.svg.utf8))
  }

  // MARK: Changes to the case file

  private func changeCases(_ request: PageRequest) -> PageAnswer {
    guard let path = state.facts.cases.path else {
      return failure(
        .conflict,
        "there is no file of expectations: start aasa dev with --cases FILE")
    }
    do {
      let list = try CaseList(reading: path)
      let content = try changed(list, request)
      try writeFileAtomically(path, content)
      state.take(CaseList(path: path, bytes: content))
    } catch let fault as CaseList.Fault {
      switch fault {
      case .conflict(let sentence): return failure(.conflict, sentence)
      case .unusable(let sentence): return failure(.unprocessableContent, sentence)
      }
    } catch let error as SystemError {
      return failure(.conflict, "\(path) cannot be changed: \(error.reason)")
    } catch {
      return failure(.internalServerError, "\(path) cannot be changed")
    }
    let facts = state.facts
    return jsonAnswer(facts.cases.json(facts.version, facts.android))
  }

  private func changed(_ list: CaseList, _ request: PageRequest) throws(CaseList.Fault) -> [UInt8] {
    if request.method == .delete {
      guard let url = request.values(of: "url").last else { throw .unusable("give the URL") }
      return try list.removing(url)
    }
    let example = #"send {"url":"https://HOST/PATH","opens":"TEAM.bundle"}, or null for no app"#
    guard
      let document = try? Document(parsing: SourceText(path: "content", bytes: request.content)),
      let url = document.root.member("url")?.string
    else { throw .unusable(example) }
    let app = document.root.member("opens")
    if let app, app.string == nil, app.kind != .null { throw .unusable(example) }
    let facts = state.facts
    return try list.adding(
      url, opens: app?.string, facts.version, publicHost: facts.site.host)
  }
}

private func jsonAnswer(_ json: JSONTree) -> PageAnswer {
  PageAnswer(contentType: "application/json", json.minified + "\n".utf8)
}

private func failure(_ status: Status, _ sentence: String) -> PageAnswer {
  let json: JSONTree = ["error": sentence.json]
  return PageAnswer(status, contentType: "application/json", json.minified + "\n".utf8)
}

private func closing(_ answer: PageAnswer) -> PageAnswer {
  var answer = answer
  answer.closes = true
  return answer
}
