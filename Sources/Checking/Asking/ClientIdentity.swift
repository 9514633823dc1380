internal import Diagnostics

/// Who asks for a file, as servers see it: by the words that firewalls look for.
///
/// Each ends with this program's own name, so that a server which keeps account of its fetchers, as
/// `aasa serve` does, knows that it was not they.
package enum ClientIdentity: CaseIterable {
  /// Apple's CDN (seen in the field).
  case robot
  /// A device in developer mode, which asks the server itself (seen in the field).
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
