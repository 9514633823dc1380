internal import Bytes
package import Diagnostics

/// The kinds of findings for the reasons that Apple's CDN sends in the field
/// `Apple-Failure-Reason`. The reasons were collected from real answers, because Apple publishes no
/// list.
package let failureKinds = [
  Kind(
    "SWCERR00101", "cdn-bad-response",
    "the server answered the CDN with a status other than 200; the CDN shows this status after "
      + "the code",
    "nearly all devices get no file until the CDN fetches the file again; the CDN caches a "
      + "failure for about an hour", observed,
    fix: "send the CDN's request yourself (aasa check, or curl -A AASA-Bot/1.0.0): status 404 "
      + "means that the file is not at the path; 403 often means that a firewall blocks Apple's "
      + "robot; 3xx means a redirect, and the CDN follows no redirect"),
  Kind(
    "SWCERR00202", "cdn-private-address",
    "the domain resolves to a private or reserved address, and the CDN does not connect to such "
      + "an address",
    "nearly all devices get no file; the CDN caches the failure for about an hour", observed,
    fix:
      "use public addresses in public DNS; check AAAA records too. On a private network, "
      + "use ?mode=developer or ?mode=managed, which bypass the CDN"),
  Kind(
    "SWCERR00301", "cdn-timeout",
    "the CDN's request to the server timed out",
    "nearly all devices get no file; the CDN caches the failure for about an hour", observed,
    fix: "check whether a firewall drops connections by country, hosting provider or rate; "
      + "whether the server listens on its IPv6 addresses; and how long the first answer after "
      + "a pause takes"),
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
    "Apple's CDN could not fetch the file; what this code means is not publicly known",
    "nearly all devices get no file; the CDN caches a failure for about an hour", observed,
    fix:
      "read the field Apple-Failure-Details of the CDN's answer, and fix the other faults that "
      + "aasa check finds"
  )
}
