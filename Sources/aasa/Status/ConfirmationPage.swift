internal import Diagnostics
internal import HTTP
internal import JSON
internal import Keeping
internal import Posix
internal import Server

/// `POST /confirm`: applies the losses that an operator has confirmed.
struct ConfirmationPage {
  private let requests: MaintenanceRequests

  /// The maximum number of IDs in one request.
  static let mostIDs = 1000
  /// Milliseconds to wait until the confirmed losses take effect.
  static let patience: Int64 = 30_000

  init(_ requests: MaintenanceRequests) { self.requests = requests }

  func answer(to request: PageRequest) -> PageAnswer {
    guard let ids = ids(in: request.content) else {
      return PageAnswer(
        .badRequest,
        text: #"send {"holds": ["ID"]} with at most \#(Self.mostIDs) IDs of /status"#)
    }
    do throws(SystemError) {
      let end = Deadline(afterMilliseconds: Self.patience)
      guard let confirmed = try requests.confirm(Set(ids), until: end) else {
        return PageAnswer(
          .serviceUnavailable, text: "files are still being read; the IDs count after that")
      }
      return answer(ids, confirmed)
    } catch {
      return PageAnswer(.serviceUnavailable, text: "\(error)")
    }
  }

  private func answer(_ ids: [String], _ confirmed: Set<String>) -> PageAnswer {
    let object: JSONTree = [
      "confirmed": ids.filter(confirmed.contains).json,
      "notHeld": ids.filter { !confirmed.contains($0) }.json,
    ]
    return PageAnswer(contentType: "application/json", object.minified + "\n".utf8)
  }

  /// Returns the IDs without duplicates; nil if the content has another form.
  private func ids(in content: [UInt8]) -> [String]? {
    let source = SourceText(path: "", bytes: content)
    guard let list = try? Document(parsing: source).root.member("holds"), list.kind == .array else {
      return nil
    }
    let holds = Array(list.elements)
    let ids = holds.compactMap(\.string)
    if holds.count > Self.mostIDs || ids.count < holds.count { return nil }
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
