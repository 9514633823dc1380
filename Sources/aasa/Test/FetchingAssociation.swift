internal import Checking
internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix

/// Reads the file at a path, or fetches the association file of a domain. A domain is given as a
/// URL such as `https://example.com`. If there is no file, reports the fault and returns nil.
func readText(_ text: String, orAsking client: ClientOptions) throws -> SourceText? {
  guard text.contains("://") else { return readText(text) }
  return fetchAssociation(try parsing(HostTarget(text)), try client.settings())
}

/// Fetches a host's association file as Apple does, without redirects. Requests the file in
/// `.well-known` first. If this file does not exist, requests the file in the root folder. If there
/// is no file, reports the fault on the standard error stream and returns nil.
func fetchAssociation(_ target: HostTarget, _ client: ClientSettings) -> SourceText? {
  for (index, path) in associationPaths.enumerated() {
    guard let request = target.request(path: path) else { return nil }
    let exchange = client.fetch(request)
    let isMissing = exchange.response.map { [404, 410].contains($0.head.status) } ?? false
    if isMissing && index == 0 { continue }
    guard let (head, body) = exchange.response, head.status == 200 else {
      printError("error: " + escapingInvisible(failure(of: exchange)))
      return nil
    }
    if let problem = contentTypeProblem(of: head) {
      printError("warning: \(request.url): \(problem)")
    }
    return SourceText(path: request.url, bytes: body)
  }
  return nil
}

/// Returns why a response contains no file, as a lower-case sentence without a period.
private func failure(of exchange: Exchange) -> String {
  let url = exchange.request.url
  if let fault = exchange.fault {
    return "\(url): \(fault)" + (fault.help.map { "; \($0)" } ?? "")
  }
  guard let head = exchange.head else { return "\(url): no answer" }
  if head.isRedirect {
    let place = head.value(of: "location").map { " to \($0)" } ?? ""
    return
      "\(url) redirects\(place) (\(head.status)), and Apple follows no redirect; serve the file "
      + "at this URL itself"
  }
  if head.status == 404 || head.status == 410 {
    return
      "\(url): there is no file at this URL or in /.well-known (\(head.status)); serve it at "
      + "https://\(exchange.request.authority)\(associationPaths[0])"
  }
  return
    "\(url): the answer is \"\(head.statusLine)\" instead of 200; every client and address "
    + "must get the same answer"
}
