internal import Diagnostics

/// The client that a request imitates with its user agent. Some firewalls allow or refuse a request
/// by its user agent.
///
/// Each user agent ends with this program's name. This name lets a server that counts clients, such
/// as `aasa serve`, recognize the imitation.
package enum ClientIdentity: CaseIterable {
  /// Apple's CDN. Its user agent is known from requests that the CDN made.
  case robot
  /// A device in developer mode, which fetches the file directly from the server. Its user agent is
  /// known from such requests.
  case device
  case browser

  package var userAgent: String { "\(imitated) aasa/\(programVersion)" }

  private var imitated: String {
    switch self {
    case .robot: "AASA-Bot/1.0.0"
    case .device: "swcd (unknown version) CFNetwork/1490.0.4 Darwin/23.2.0"
    case .browser:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/17.0 Safari/605.1.15"
    }
  }

  var name: String {
    switch self {
    case .robot: "Apple's robot"
    case .device: "a device"
    case .browser: "a browser"
    }
  }
}
