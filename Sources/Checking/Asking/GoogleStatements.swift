internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import JSON

/// The statements of a site according to Google's Digital Asset Links service. Android devices ask
/// this service to verify an app's links.
package enum GoogleStatements: Sendable, Equatable {
  /// The statements that Google's service has. Each line contains the relation, the package and the
  /// fingerprint of one statement.
  case found(Set<String>)
  /// Google's service could not fetch the site's list, or the list does not exist. The text is
  /// Google's reason.
  case missing(String)
  /// The request to Google's service failed. The text is the reason.
  case unknown(String)

  /// The address of Google's service, from Google's documentation of the method `statements.list`.
  package static let service = "https://digitalassetlinks.googleapis.com"

  /// - Parameter service: The address of Google's service, or of a replacement.
  package init(of host: String, _ client: ClientSettings, service: HostTarget) {
    let path = "/v1/statements:list?source.web.site=https://\(host)"
    guard let request = service.request(path: path) else {
      self = .unknown("the address of Google's service is invalid")
      return
    }
    let exchange = client.fetch(request, isOwn: false)
    guard let (head, body) = exchange.response else {
      self = .unknown(exchange.fault?.description ?? "no answer")
      return
    }
    let source = SourceText(path: "statements", bytes: body)
    let answer = (try? Document(parsing: source).root).flatMap { $0.kind == .object ? $0 : nil }
    let fault = answer?.member("error")?.member("message")?.string
    // Any other status is about Google's service and not about the host.
    guard [200, 400, 404].contains(head.status), let answer else {
      self = .unknown(
        head.status == 200
          ? "another server answers in place of Google's service"
          : "Google's service answers with status \(head.status)" + (fault.map { " (\($0))" } ?? "")
      )
      return
    }
    let lines = answer.member("statements").map { $0.elements.compactMap(Self.line) } ?? []
    if head.status == 200, !lines.isEmpty {
      self = .found(Set(lines))
    } else if let fault {
      self = .missing(fault)
    } else {
      let codes = answer.member("errorCode").map { $0.elements.compactMap(\.string) } ?? []
      self = .missing(codes.joined(separator: ", "))
    }
  }

  private static func line(_ statement: Value) -> String? {
    guard let relation = statement.member("relation")?.string,
      let target = statement.member("target")
    else { return nil }
    let app = target.member("androidApp")
    return statementLine(
      relation, site: target.member("web")?.member("site")?.string,
      app: app?.member("packageName")?.string,
      fingerprint: app?.member("certificate")?.member("sha256Fingerprint")?.string)
  }

  /// Returns whether Google's service has the same statements as this `assetlinks.json`. Nil if
  /// Google's statements are unknown, the file is not a list of statements, or the file includes
  /// another list.
  package func isSame(as file: [UInt8]) -> Bool? {
    guard case .found(let found) = self,
      let lines = statementLines(
        of: AssetLinksFile(SourceText(path: "assetlinks.json", bytes: file)))
    else { return nil }
    return found == lines
  }
}
