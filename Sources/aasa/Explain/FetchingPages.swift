internal import AppSiteAssociation
internal import Diagnostics

private let trustedSource = "Apple asks for HTTPS with a publicly trusted certificate (grade D)"
private let refused = "devices and Apple's CDN refuse the connection"

/// The pages of what `aasa check` finds between a file and the devices.
let fetchingPages =
  [
    RulePage(
      "F001", "name-without-address", "the domain's name has no address",
      "nobody can connect to it", nil, mend: "add A and AAAA records, or mend the spelling"),
    RulePage(
      "F002", "name-not-resolved", "it cannot be found out which address the name has",
      "it may be this machine's resolver, or the domain's name servers", nil,
      mend: "ask from another network; look at the domain's name servers and at DNSSEC"),
    RulePage(
      "F003", "private-address", "the name leads to an address that the internet does not lead to",
      "Apple's CDN does not connect to it: SWCERR00202", "seen in the field (grade O)",
      mend: "use public addresses; for a test inside a network, ?mode=developer asks the server "
        + "itself"),
    RulePage(
      "F004", "unreachable", "no address of the host accepts a connection", "there is no file", nil,
      mend: "look whether the server runs and listens on port 443, and at firewalls before it"),
    RulePage(
      "F005", "address-without-answer", "one of the host's addresses gives no answer",
      "devices and Apple's CDN take any of them: it works for some and not for others", nil,
      mend: "mend what stands at this address, or take it out of DNS; often IPv6 is forgotten"),
    RulePage(
      "F006", "addresses-differ", "two addresses of the host give different answers",
      "what a device gets depends on chance", nil,
      mend: "bring all servers to the same version of the file"),
    RulePage(
      "F007", "proxy", "the proxy of HTTPS_PROXY makes no tunnel",
      "nothing is known of the domain: the way to it is closed here", nil,
      mend: "mend HTTPS_PROXY, or name the host in NO_PROXY"),
    RulePage(
      "F009", "plain-http", "the file was asked for by HTTP", "devices ask by HTTPS only",
      trustedSource, severity: .warning, mend: "check https:// too"),
  ] + tlsPages + answerPages + surroundingPages + cdnPages + wishPages + entitlementPages

private let tlsPages = [
  RulePage(
    "F010", "no-tls", "the server does not speak TLS on the port", refused, trustedSource,
    mend: "let it speak HTTPS on port 443; often a plain port is forwarded to 443"),
  RulePage(
    "F011", "handshake-failed", "the TLS handshake fails", refused, trustedSource,
    mend: "let the server know the host by its name (SNI), and speak TLS 1.2 or later"),
  RulePage(
    "F012", "wrong-name", "the certificate is for other names", refused, trustedSource,
    mend: "request one that has this host as subjectAltName; often it is the server's default "
      + "certificate because no other has the name"),
  RulePage(
    "F013", "served-certificate-expired", "a certificate of the chain has expired", refused,
    trustedSource,
    mend: "renew it, and let the server read the new one"),
  RulePage(
    "F014", "not-yet-valid", "a certificate of the chain is not valid yet", refused, trustedSource,
    mend: "look at the clocks"),
  RulePage(
    "F015", "served-self-signed", "the certificate was issued by itself", refused, trustedSource,
    mend: "use one of a public authority"),
  RulePage(
    "F016", "incomplete-chain", "the server sends its certificate without the intermediates",
    "browsers often know the intermediate from elsewhere and hide it; Apple's CDN and devices that "
      + "do not know it refuse the connection", "RFC 8446 section 4.4.2",
    mend: "send the whole chain: certbot's fullchain.pem instead of cert.pem"),
  RulePage(
    "F017", "unknown-authority", "the chain ends at an authority that is not trusted", refused,
    trustedSource,
    mend: "use a certificate of a public authority; a private one is good for ?mode=managed only"),
  RulePage(
    "F018", "served-certificate-refused", "the certificate cannot be verified for another reason",
    refused,
    trustedSource, mend: "request a new certificate"),
  RulePage(
    "F019", "expires-soon", "the certificate expires within 14 days",
    "from then on devices refuse the connection", nil, severity: .warning,
    mend: "renew it, and see why that did not happen by itself"),
]

private let answerPages = [
  RulePage(
    "F024", "slow-answer", "the answer takes more than three seconds",
    "Apple's CDN gives up at some time: SWCERR00301",
    "Apple does not say how long it waits; "
      + "failures show about ten seconds (grade O)", severity: .warning,
    mend: "serve the file from memory or disk, not from a program that must wake up first"),
  RulePage(
    "F020", "no-answer", "the connection broke, or time was over before the whole answer came",
    "Apple's CDN gives up too: SWCERR00301", "seen in the field (grade O)",
    mend: "look at the server's log, and at firewalls that drop what they do not like"),
  RulePage(
    "F021", "broken-answer", "the answer cannot be understood as HTTP", "there is no file",
    "RFC 9112", mend: "mend what stands before the server"),
  RulePage(
    "F022", "broken-coding", "the answer is compressed in a way that cannot be undone",
    "there is no file", "RFC 9110 section 8.4",
    mend: "send it uncompressed, or as gzip to who asks for that"),
  RulePage(
    "F023", "sloppy-answer", "the answer bends the rules of HTTP",
    "clients may understand it in different ways, or not at all", "RFC 9112", severity: .warning,
    mend: "mend the program that makes the answer"),
  RulePage(
    "F030", "redirect", "the server redirects to another place",
    "Apple follows no redirect, of whatever kind: there is no file",
    "Apple asks for the file without redirects (grade D)",
    mend: "exempt both paths from the rules that redirect, before all others"),
  RulePage(
    "F031", "no-file", "both paths say that there is nothing",
    "no app opens links of the domain", nil,
    wrong: "https://example.com/apple-app-site-association.json",
    right: "https://example.com/.well-known/apple-app-site-association"),
  RulePage(
    "F032", "access-refused", "the server refuses access to the file",
    "Apple's CDN cannot log in, and comes from addresses and countries that it does not tell",
    "Apple publishes no list of addresses (grade D)",
    mend: "exempt both paths from login, bot protection, rate limits and firewalls"),
  RulePage(
    "F033", "server-error", "the server fails", "there is no file", nil,
    mend: "look at the server's log"),
  RulePage(
    "F034", "other-status", "the answer has a status that is not 200",
    "only 200 with the file is taken", nil, mend: "answer both paths with 200"),
  RulePage(
    "F035", "root-only", "the file is at the root and not in /.well-known",
    "devices in developer mode ask only /.well-known", "seen in the field (grade O)",
    severity: .warning, mend: "serve it at both paths"),
  RulePage(
    "F036", "well-known-only", "the file is in /.well-known and not at the root",
    "it is right; only very old systems asked the root first", nil, severity: .note,
    mend: "nothing needs to be done"),
  RulePage(
    "F037", "paths-differ", "the two paths serve different content",
    "some devices see the one, some the other", nil, severity: .warning,
    mend: "serve the same bytes at both"),
  RulePage(
    "F040", "content-type", "the content type is not application/json",
    "Apple asks for it, and takes others from some very large sites",
    "grade D; that others work was seen in the field (grade O)", severity: .warning,
    mend: "set the type of these two paths: their name has no extension to find it by"),
  RulePage(
    "F041", "page-instead-of-file", "a web page is served where the file should be",
    "a page is no JSON: there is no file", nil,
    mend: "answer both paths before the fallback of a single-page application, the login, or the "
      + "bot protection does"),
  RulePage(
    "F042", "empty-answer", "the answer has no content", "there is no file", nil,
    mend: "serve the file's content"),
  RulePage(
    "F050", "robot-refused", "Apple's robot does not get the file that others get",
    "devices ask Apple's CDN, and the CDN asks with its robot: for nearly all devices there is no "
      + "file",
    "the robot is AASA-Bot/1.0.0, as seen in the field (grade O); Apple publishes no list of "
      + "addresses or user agents (grade D)",
    mend: "exempt both paths from bot protection, for every client"),
  RulePage(
    "F051", "device-refused", "a device gets another answer than Apple's robot",
    "devices in developer mode ask the server itself: what is tried there is not what others get",
    "their user agent begins with swcd, as seen in the field (grade O)",
    mend: "give every client the same answer on both paths"),
  RulePage(
    "F052", "browser-differs", "a browser gets another answer than Apple's robot",
    "devices are not affected, but who looks with a browser sees something else", nil,
    severity: .note, mend: "give every client the same answer on both paths"),
]

private let surroundingPages = [
  RulePage(
    "F053", "plain-only", "the file is served on port 80 and not on port 443",
    "devices and Apple's CDN ask by HTTPS only", trustedSource, severity: .note,
    mend: "serve it by HTTPS"),
  RulePage(
    "F054", "sibling-without-file", "www and the bare domain do not both have the file",
    "they are different hosts for Apple: links to the one without do not open the app",
    "each host needs its own file (grade D)", severity: .note,
    mend: "serve the file at both, and name both in the app, if links to both are shared"),
  RulePage(
    "F055", "sibling-differs", "www and the bare domain serve different files",
    "the same link opens the app at one of them and not at the other", nil, severity: .note,
    mend: "serve the same file at both, if that is not meant"),
  RulePage(
    "F057", "assetlinks", "assetlinks.json is answered with something that is no list of links",
    "Android's links do not open the app; Apple does not look at it", nil, severity: .note,
    mend: "serve a JSON array there, without a redirect, or answer with 404"),
]

private let wishPages = [
  RulePage(
    "F070", "app-not-named", "the file does not name an app that is expected",
    "the app opens no links of the domain, or is offered no passwords or App Clip", nil,
    mend: "add it, with its prefix: in most cases the Team ID, a dot, and the bundle identifier"),
  RulePage(
    "F071", "url-opens-nothing", "the file does not permit a URL to open the app",
    "the link stays in the browser", nil,
    mend: "look at the rules that were tried, in order: the first that matches decides"),
  RulePage(
    "F072", "served-expectation-not-met", "the file that is served does not meet an expectation",
    "links do other things than is thought", nil, mend: "correct the file, or the expectation"),
  RulePage(
    "F073", "service-without-app",
    "an app names the domain for a service that the file does not have",
    "the app has no use of its entitlement", nil, mend: "add the app under the service"),
]

private let entitlementSource = "Apple's page on the Associated Domains entitlement (grade D)"

private let entitlementPages = [
  RulePage(
    "F080", "entitlement-without-service", "an associated domain has no service before it",
    "the entry is ignored", entitlementSource, wrong: "https://example.com",
    right: "applinks:example.com"),
  RulePage(
    "F081", "entitlement-unknown-service", "there is no such service", "the entry is ignored",
    entitlementSource, wrong: "applink:example.com", right: "applinks:example.com"),
  RulePage(
    "F082", "entitlement-no-host", "behind the service stands more than a host",
    "the entry is ignored", entitlementSource, wrong: "applinks:https://example.com/",
    right: "applinks:example.com"),
  RulePage(
    "F083", "entitlement-unknown-mode", "there is no such mode",
    "the entry is ignored, or its mode",
    entitlementSource, wrong: "applinks:example.com?mode=debug",
    right: "applinks:example.com?mode=developer"),
  RulePage(
    "F084", "entitlement-wildcard", "App Clips have no wildcards", "the entry is ignored",
    "Apple's page on App Clips (grade D)", wrong: "appclips:*.example.com",
    right: "appclips:example.com"),
  RulePage(
    "F085", "entitlement-twice", "an associated domain stands twice", "it has no effect", nil,
    severity: .warning, mend: "leave one out"),
  RulePage(
    "F086", "entitlement-missing", "the entitlements name no associated domains",
    "the app opens no links and is offered no passwords", entitlementSource,
    right:
      "<key>com.apple.developer.associated-domains</key>\n<array><string>applinks:example.com</string></array>"
  ),
]

private let cdnPages = [
  RulePage(
    "F060", "cdn-not-asked", "Apple's CDN could not be asked",
    "nothing is known of its copy, which is what nearly all devices get", nil, severity: .note,
    mend: "look whether this network lets connections out to app-site-association.cdn-apple.com"),
  RulePage(
    "F061", "cdn-has-no-file", "Apple's CDN has no file of the domain",
    "devices ask the CDN, so for nearly all of them there is none; it keeps a failure for about an "
      + "hour, and asks for a new domain within a day",
    "reasons such as SWCERR00301 were seen in the field (grade O); Apple publishes no list",
    mend: "mend what the reason names, then wait; ?mode=developer asks the server itself"),
  RulePage(
    "F062", "cdn-copy-differs", "Apple's CDN has another version of the file than the server",
    "devices get the CDN's version until it asks again", "max-age=21600 was seen (grade O)",
    severity: .warning, mend: "wait; nothing makes the CDN ask sooner"),
]
