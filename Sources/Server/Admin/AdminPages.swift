internal import HTTP

/// The pages of the admin listener, by path.
package struct AdminPages: Sendable {
  private let requests: AdminRequests
  private let ready: @Sendable (PageRequest) -> PageAnswer
  private let metrics: MetricsPage
  private let status: @Sendable (PageRequest) -> PageAnswer
  private let people: @Sendable (PageRequest) -> PageAnswer?

  /// - Parameters:
  ///   - hosts: The host names that clients may use for the listener, in lower case. IP addresses
  ///     and `localhost` are always allowed.
  ///   - ready: Makes the response for `/readyz`.
  ///   - status: Makes the response for `/status`.
  ///   - people: Makes the response for a page that people read in a browser; nil for a path
  ///     without such a page.
  package init(
    hosts: [String], ready: @escaping @Sendable (PageRequest) -> PageAnswer,
    metrics: MetricsPage,
    status: @escaping @Sendable (PageRequest) -> PageAnswer,
    people: @escaping @Sendable (PageRequest) -> PageAnswer?
  ) {
    requests = AdminRequests(hosts: hosts)
    self.ready = ready
    self.metrics = metrics
    self.status = status
    self.people = people
  }

  /// The value of the Server field in all responses. `aasa healthcheck` and `aasa status` read this
  /// field, to make sure that this server uses the port and not another program.
  package static let serverField = "aasa"

  package func answer(_ request: PageRequest) -> PageAnswer {
    var answer = requests.refusal(request) ?? page(request)
    answer.fields.append(("Server", Self.serverField))
    return answer
  }

  private func page(_ request: PageRequest) -> PageAnswer {
    switch request.path {
    // Any response proves that the server is alive.
    case "/livez": PageAnswer(text: "alive")
    case "/readyz": ready(request)
    case "/metrics": metrics.answer(request)
    case "/status": status(request)
    case "/" where !Self.isBrowser(request): PageAnswer(text: Self.list).varying
    default:
      people(request) ?? PageAnswer(.notFound, text: "not found; the paths are:\n" + Self.list)
    }
  }

  /// Whether the client's Accept field lists HTML, as only browsers do.
  private static func isBrowser(_ request: PageRequest) -> Bool {
    (request.field("accept") ?? "").lowercased().split(separator: ",").contains { part in
      part.split(separator: ";").first?.filter { $0 != " " } == "text/html"
    }
  }

  private static let list = """
    /         for a browser: a page that shows the server
    /livez    200 as long as the server answers
    /readyz   200 when traffic should be sent here, else 503 and why not
              (?listener=http or https for one of them)
    /metrics  for Prometheus and OpenMetrics
    /status   domains, certificates and who fetched what, as JSON
              (?domain=NAME, ?limit=N, ?format=text)
    """
}

extension PageAnswer {
  /// This response with the additional field `Vary: Accept`.
  package var varying: PageAnswer {
    var answer = self
    answer.fields.append(("Vary", "Accept"))
    return answer
  }
}
