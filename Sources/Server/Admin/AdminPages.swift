internal import HTTP

/// What the admin listener has, by path.
package struct AdminPages: Sendable {
  private let health: Health
  private let metrics: MetricsPage
  private let status: @Sendable (AdminRequest) -> AdminAnswer

  /// - Parameter status: the answer to `/status`.
  package init(
    health: Health, metrics: MetricsPage, status: @escaping @Sendable (AdminRequest) -> AdminAnswer
  ) {
    self.health = health
    self.metrics = metrics
    self.status = status
  }

  package func answer(_ request: AdminRequest) -> AdminAnswer {
    switch request.path {
    case "/livez": health.livePage()
    case "/readyz": health.readyPage()
    case "/metrics": metrics.answer(request)
    case "/status": status(request)
    case "/": AdminAnswer(text: Self.list)
    default: AdminAnswer(.notFound, text: "not found; there are:\n" + Self.list)
    }
  }

  private static let list = """
    /livez    200 as long as the server answers
    /readyz   200 when traffic should be sent here, else 503 and why not
    /metrics  for Prometheus and OpenMetrics
    /status   domains, certificates and who fetched what, as JSON (?domain=NAME, ?limit=N)
    """
}
