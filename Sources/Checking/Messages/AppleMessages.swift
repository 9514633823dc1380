internal import Diagnostics

/// Messages of Apple's systems and tools about associated domains.
let appleMessages: [SystemMessage] = [
  SystemMessage(
    "SWCErrorDomain 7", "cdn-refused-device", [], codes: ["SWCErrorDomain 7"],
    "Apple's CDN had no file for the device",
    because: """
      the CDN could not get the file, or has cached an earlier failure; the text often shows the \
      CDN's reason after SWCERR
      """,
    fix: "aasa check HOST requests the file from the CDN and from the domain, and shows the CDN's "
      + "reason",
    source: .swcd),
  SystemMessage(
    "denied because the CDN told us to stop", "cdn-told-to-stop",
    ["because the CDN told us to stop"],
    """
    Apple's CDN answered that it has no file, and the device does not ask the domain \
    itself
    """,
    because: """
      the text shows the status and the reason of the CDN; the CDN caches a failure for about an \
      hour
      """,
    fix: "fix what aasa check HOST finds, wait an hour, then install the app again",
    source: .swcd),
  SystemMessage(
    "Domain is invalid. Will not attempt a download", "swcd-invalid-domain",
    ["will not attempt a download"], codes: ["SWCErrorDomain 8"],
    """
    the device refuses a host in the app's associated domains, and does not request a file from \
    this host
    """,
    because: """
      the associated domain is not a plain host: it has a scheme, a path or a stray dot; one \
      forum thread reports this message for an internationalized host (xn--)
      """,
    fix: "aasa check --entitlements App.ipa shows the wrong associated domain; use a host in ASCII",
    source: .swcd),
  SystemMessage(
    "Data exceeded maximum length of 131072 bytes", "swcd-too-large",
    ["data exceeded maximum length", "exceeded maximum length of 131072"],
    "the device refuses the file, because it has more than 128 KiB",
    because: "131,072 bytes is the limit of the uncompressed file, so compression does not help",
    fix: "aasa validate FILE shows the size of the file (A001); to make the file smaller, merge "
      + "entries of details or use wildcards",
    source: .swcd),
  SystemMessage(
    "SWCErrorDomain 104", "swcd-not-json", [], codes: ["SWCErrorDomain 104"],
    "the device got an answer that is not JSON",
    because: "often a single-page application answers with its page and status 200",
    fix: "aasa check HOST shows the answer (F041, or codes that begin with J)",
    source: .field),
  SystemMessage(
    "SWCErrorDomain 1701", "swcd-managed", ["associated domain data from ManagedConfiguration"],
    codes: ["SWCErrorDomain 1701"],
    "the device could not read the associated domains that device management set",
    because: "the profile of the device management is missing or faulty",
    fix: "check the payload com.apple.associated-domains in the profile, and install the profile "
      + "again",
    source: .swcd),
  SystemMessage(
    "Already downloading data for domain", "swcd-already-downloading",
    ["already downloading data for domain"],
    "the device has already sent a request, and waits for the answer",
    because: "this is normal",
    fix: "read the next log line about the same domain",
    source: .swcd, severity: .note),
  SystemMessage(
    "Bad apple-app-site-association server trust", "swcd-server-trust",
    [
      "site-association server trust", "NSURLAuthenticationMethodServerTrust",
      "failed to verify server trust",
    ],
    "the device does not trust the certificate of the server",
    because: """
      the certificate has expired, is for another name, lacks its intermediate certificate, or \
      comes from a proxy
      """,
    fix: "run aasa check HOST (F012 to F018)",
    source: .field),
  SystemMessage(
    "Denying redirect", "swcd-redirect", ["denying redirect"],
    "the device requested the file, and refused the redirect that the server sent",
    because: """
      the log lines that were seen show redirects to http; Apple permits no redirect at all, not \
      even to www, to HTTPS, to a language or to a path with a slash
      """,
    fix: "aasa check HOST shows the redirect (F030)",
    source: .other(
      "Apple, TN3155: no redirects (grade D); the log lines were seen in the field (grade O)")),
  SystemMessage(
    "Site/Fmwk Approval: denied", "device-denied", ["Site/Fmwk Approval: denied"],
    "the device got no file from the domain, or the file does not list the app",
    because: """
      when the device fetched the file, it was missing or faulty, or did not list the app; the \
      Error line of the record shows more
      """,
    fix: """
      aasa check --device swcutil_show.txt compares the device's records with the files that are \
      served now
      """,
    source: notApproved),
  SystemMessage(
    "Site/Fmwk Approval: unspecified", "device-unspecified", ["Site/Fmwk Approval: unspecified"],
    "the device has not yet got a file of the domain",
    because: "the device has not sent the request yet, or the request failed",
    fix: """
      aasa check --device swcutil_show.txt compares the device's records with the files that are \
      served now
      """,
    source: notApproved),
  SystemMessage(
    "Site/Fmwk Approval: approved", "device-approved", ["Site/Fmwk Approval: approved"],
    "the domain's file lists the app, so the device associates the app with the domain",
    because: "links that match a rule open the app, unless User Approval is denied",
    fix: "aasa match --explain FILE LINK shows whether a rule matches",
    source: .tn3155, severity: .note),
  SystemMessage(
    "User Approval: denied", "device-user-denied", ["User Approval: denied"],
    "the user chose the browser for links of this domain",
    because: "users choose with a long press on a link, or with the banner in Safari",
    fix: "long-press a link of the domain and choose the app",
    source: .tn3155),
  SystemMessage(
    "NSURLErrorDomain -1001", "url-timed-out",
    ["NSURLErrorDomain Code=-1001", "NSURLErrorDomain error -1001", "the request timed out"],
    "the request timed out",
    because: "a firewall drops the connection, or the server is slow",
    fix: "run aasa check HOST (F005)",
    source: .urlError),
  SystemMessage(
    "NSURLErrorDomain -1003", "url-no-host",
    [
      "NSURLErrorDomain Code=-1003", "NSURLErrorDomain error -1003",
      "server with the specified hostname could not be found",
    ],
    "the name of the host does not resolve",
    because: "the host has no A or AAAA record, or the resolver does not know the record",
    fix: "run aasa check HOST (F001)",
    source: .urlError),
  SystemMessage(
    "NSURLErrorDomain -1004", "url-no-connection",
    [
      "NSURLErrorDomain Code=-1004", "NSURLErrorDomain error -1004",
      "could not connect to the server",
    ],
    "nothing accepts connections at the address",
    because: "the server is not running, or the address or port is wrong",
    fix: "run aasa check HOST (F005)",
    source: .urlError),
  SystemMessage(
    "NSURLErrorDomain -1200", "url-tls",
    ["NSURLErrorDomain Code=-1200", "NSURLErrorDomain error -1200", "an SSL error has occurred"],
    "no secure connection could be made",
    because: "the TLS version, the certificate or a proxy prevents the connection",
    fix: "run aasa check HOST (F010 to F018)",
    source: .urlError),
  SystemMessage(
    "NSURLErrorDomain -1202", "url-untrusted",
    [
      "NSURLErrorDomain Code=-1202", "NSURLErrorDomain error -1202",
      "certificate for this server is invalid",
    ],
    "the certificate of the server is not trusted",
    because: """
      no trusted root signed the certificate, or the server does not send the intermediate \
      certificate; a certificate for a different name causes the same message
      """,
    fix: "run aasa check HOST (F012 to F018)",
    source: .urlError),
  SystemMessage(
    "OSStatus -10814", "no-app-for-link", ["OSStatus error -10814", "code=-10814"],
    "no installed app opens the address",
    because: "the app is not installed, or is not associated with the domain",
    fix: """
      install the app again, then look at Settings > Developer > Universal Links > \
      Diagnostics
      """,
    source: .other(
      "Apple, Launch Services, kLSApplicationNotFoundErr (grade D); links with this error were "
        + "seen in the field (grade O)")),
  SystemMessage(
    "networkURLUnauthorized", "message-filter-not-authorized",
    ["networkURLUnauthorized", "ILMessageFilterErrorDomain Code=3"],
    "the system does not permit the message filter to defer queries to its server",
    because: """
      the containing app's associated domains lack messagefilter:HOST, or the file of the \
      host does not list the app under messagefilter
      """,
    fix: "add messagefilter:HOST to the app, not to the extension, then run aasa check HOST",
    source: .messageFilter),
  SystemMessage(
    "invalidNetworkURL", "message-filter-url",
    ["invalidNetworkURL", "ILMessageFilterErrorDomain Code=2"],
    "the address of the message filter's server is missing or invalid",
    because: "the extension's Info.plist has no usable ILMessageFilterExtensionNetworkURL",
    fix: "write an https address with a host that the app lists under messagefilter",
    source: .messageFilter),
  SystemMessage(
    "redundantNetworkDeferral", "message-filter-twice",
    ["redundantNetworkDeferral", "ILMessageFilterErrorDomain Code=5"],
    "the message filter deferred to its server more than once",
    because: "a query may be deferred only once",
    fix: "call deferQueryRequestToNetwork once for each query",
    source: .messageFilter),
  SystemMessage(
    "profile without Associated Domains", "profile-lacks-capability",
    [
      "doesn't include the com.apple.developer.associated-domains entitlement",
      "support the Associated Domains capability", "include the Associated Domains capability",
    ],
    "the provisioning profile does not allow associated domains",
    because: """
      the App ID lacks the capability, the profile is older than the capability of the App ID, or \
      the team is a personal team
      """,
    fix: """
      turn on Associated Domains for the App ID, and make the profile again; aasa check \
      --entitlements App.ipa shows the fault (F088)
      """,
    source: .other("Xcode's message, seen in the field (grade O)")),
  SystemMessage(
    "ITMS-90046", "upload-entitlements", ["ITMS-90046"],
    "the App Store refuses an entitlement of the build",
    because: """
      if the entitlement is com.apple.developer.associated-domains, signing copied `*` from the \
      profile, or an associated domain is not a service, a colon and a domain
      """,
    fix: "sign with the app's own entitlements; aasa check --entitlements App.ipa shows the fault "
      + "(F082, F115)",
    source: .field),
  SystemMessage(
    "universal link校验不通过", "wechat-link",
    ["universal link校验不通过", "universal link 校验", "checkUniversalLinkReady"],
    "WeChat could not open the app by its universal link",
    because: """
      WeChat appends a path to the registered link, so a rule for that link alone does not \
      match; or the device has no file of the domain yet
      """,
    fix: """
      end the rule with *, such as /app/*, then run aasa match --explain FILE LINK/wx1234/pay; \
      the link must belong to your own domain
      """,
    source: .field),
]

/// The source for messages about states other than `approved`.
private let notApproved = SystemMessage.Source.other(
  "Apple, TN3155, lists the states, with the same advice for both (grade D); the difference of "
    + "the states was seen in the field (grade O)")
