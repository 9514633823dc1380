internal import Bytes
package import Diagnostics

/// The kinds of findings for the reasons that Apple's CDN sends in the field
/// `Apple-Failure-Reason`. The reasons were collected from real answers, because Apple publishes no
/// list.
package let failureKinds = [
  Kind(
    "SWCERR00101", "cdn-bad-response",
    "the server answered the CDN with a status other than 200; the status follows the code",
    "nearly all devices get no file until the CDN fetches it again: it caches a failure for "
      + "about an hour", observed,
    fix: "send the CDN's request yourself (aasa check, or curl -A AASA-Bot/1.0.0): 404 means that "
      + "the file is not at the path, 403 often that a firewall blocks the robot, 3xx that there "
      + "is a redirect, which the CDN does not follow"),
  Kind(
    "SWCERR00202", "cdn-private-address",
    "the domain resolves to a private or reserved address, to which the CDN does not connect",
    "nearly all devices get no file; the CDN caches the failure for about an hour", observed,
    fix:
      "use public addresses in public DNS; check AAAA records too. On a private network, "
      + "use ?mode=developer or ?mode=managed, which bypass the CDN"),
  Kind(
    "SWCERR00301", "cdn-timeout",
    "the CDN's request to the server timed out",
    "nearly all devices get no file; the CDN caches the failure for about an hour", observed,
    fix: "check firewalls that drop connections by country, by hosting provider, or by rate; "
      + "IPv6 addresses without a listener; and how long the first answer after a "
      + "pause takes"),
]

private let observed =
  "seen in the field (grade O); Apple publishes neither the codes nor how long it caches failures"

/// Returns the kind of finding for a failure code of Apple's CDN, such as `SWCERR00301`. A code of
/// this form that is not in `failureKinds` also gets a kind. Nil if the text is not such a code.
package func failureKind(of code: String) -> Kind? {
  failureKinds.first { $0.code == code } ?? unknownFailureKind(code)
}

/// Returns the kind of finding for a failure code that is not in `failureKinds`. Nil if the text is
/// not a failure code: `SWCERR` and five digits.
private func unknownFailureKind(_ code: String) -> Kind? {
  let digits = code.dropFirst(6)
  guard code.hasPrefix("SWCERR"), digits.count == 5, digits.isDecimal else { return nil }
  return Kind(
    code, "cdn-unknown-reason",
    "Apple's CDN could not fetch the file, for a reason that is not "
      + "publicly documented for this code",
    "nearly all devices get no file; the CDN caches such failures for about an hour", observed,
    fix:
      "read the field Apple-Failure-Details of the same answer, and fix whatever else aasa check "
      + "finds"
  )
}
