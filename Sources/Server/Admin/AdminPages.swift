internal import HTTP

/// The pages of the admin listener, by path.
package struct AdminPages: Sendable {
  private let requests: AdminRequests
  private let health: Health
  private let metrics: MetricsPage
  private let status: @Sendable (PageRequest) -> PageAnswer

  /// - Parameters:
  ///   - hosts: The host names under which clients may call the listener, in lower case, besides
  ///     addresses and `localhost`.
  ///   - status: Makes the answer for `/status`.
  package init(
    hosts: [String], health: Health, metrics: MetricsPage,
    status: @escaping @Sendable (PageRequest) -> PageAnswer
  ) {
    requests = AdminRequests(hosts: hosts)
    self.health = health
    self.metrics = metrics
    self.status = status
  }

  /// The value of the Server field in all answers. It lets `aasa healthcheck` and `aasa status`
  /// distinguish this server from another program on the same port.
  package static let serverField = "aasa"

  package func answer(_ request: PageRequest) -> PageAnswer {
    var answer = requests.refusal(request) ?? page(request)
    answer.fields.append(("Server", Self.serverField))
    return answer
  }

  private func page(_ request: PageRequest) -> PageAnswer {
    switch request.path {
    case "/livez": health.livePage()
    case "/readyz": health.readyPage(request)
    case "/metrics": metrics.answer(request)
    case "/status": status(request)
    case "/": PageAnswer(text: Self.list)
    default: PageAnswer(.notFound, text: "not found; there are:\n" + Self.list)
    }
  }

  private static let list = """
    /livez    200 as long as the server answers
    /readyz   200 when traffic should be sent here, else 503 and why not
              (?listener=http or https for one of them)
    /metrics  for Prometheus and OpenMetrics
    /status   domains, certificates and who fetched what, as JSON
              (?domain=NAME, ?limit=N, ?format=text)
    """
}
