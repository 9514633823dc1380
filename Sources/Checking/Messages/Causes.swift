/// The usual reasons why a link opens in Safari. The reasons have the same order as the table in
/// Documentation/Troubleshooting.md.
let causes: [SystemMessage] = [
  SystemMessage(
    cause: 1, "a file that is not JSON", "not-json",
    ["is not JSON", "trailing comma", "unexpected token"],
    because: "devices cannot read the file at all",
    fix: "aasa validate FILE shows the place of each error (codes that begin with J)"),
  SystemMessage(
    cause: 2, "a wrong app identifier", "wrong-app-identifier",
    ["app identifier is a placeholder", "lacks its prefix", "invalid app id"],
    because: "the file lists an app that cannot exist",
    fix: "run aasa validate FILE (A032 to A042)"),
  SystemMessage(
    cause: 3, "another app's identifier", "other-app",
    ["not this app's", "wrong team id", "another bundle"],
    because: "the file lists an app, but not the installed one",
    fix: "run aasa check HOST --expect TEAM.bundle (F070)"),
  SystemMessage(
    cause: 4, "no rule for the link", "no-rule", ["no rule matches"],
    because: "links that no rule matches stay in the browser",
    fix: "run aasa match --explain FILE LINK; run aasa check HOST --url LINK (F071)"),
  SystemMessage(
    cause: 5, "an earlier rule", "earlier-rule", ["earlier rule decides"],
    because: "the first rule that matches decides",
    fix: "run aasa match --explain FILE LINK; run aasa validate FILE (A080 to A084)"),
  SystemMessage(
    cause: 6, "a pattern with unsupported syntax", "other-pattern-language",
    ["written in another language", "regular expression", "regex"],
    because: "only * and ? are wildcards",
    fix: "run aasa validate FILE (A090 to A111)"),
  SystemMessage(
    cause: 7, "different case or percent escapes", "case-and-escapes",
    ["upper and lower case", "percent escapes", "case sensitive"],
    because: "devices compare the pattern and the link letter by letter",
    fix: "run aasa match --explain FILE LINK"),
  SystemMessage(
    cause: 8, "an app in two entries of details", "app-in-two-entries", ["two entries of details"],
    because: "devices use only one of the two entries",
    fix: "run aasa validate FILE (A044)"),
  SystemMessage(
    cause: 9, "components and paths", "components-and-paths", ["both components and paths"],
    because: "devices ignore paths if the entry also has components",
    fix: "run aasa validate FILE (A052)"),
  SystemMessage(
    cause: 10, "no file", "no-file", ["file is not there", "404 not found", "HTTP 404"],
    because: "devices get no file",
    fix: "run aasa check HOST (F031)"),
  SystemMessage(
    cause: 11, "a redirect", "redirect",
    ["301 moved permanently", "302 found", "308 permanent redirect", "a redirect: "],
    because: "devices and the CDN follow no redirect",
    fix: "run aasa check HOST (F030)"),
  SystemMessage(
    cause: 12, "a page instead of the file", "page-instead",
    ["page instead of the file", "<!doctype html"],
    because: "a web page is not the file, although the answer has status 200",
    fix: "run aasa check HOST (F041)"),
  SystemMessage(
    cause: 13, "the content type", "content-type",
    ["content type is wrong", "content-type: text/html", "content-type: application/octet-stream"],
    because: "the file must be sent as application/json",
    fix: "run aasa check HOST (F040)"),
  SystemMessage(
    cause: 14, "the certificate", "certificate",
    ["certificate has expired", "certificate expired"],
    because: "clients end the connection before they ask for the file",
    fix: "run aasa check HOST (F012 to F018)"),
  SystemMessage(
    cause: 15, "the intermediate certificate", "intermediate-certificate",
    ["intermediate certificate is missing", "incomplete chain", "incomplete certificate chain"],
    because: "browsers often know the intermediate certificate from other sites; other clients do "
      + "not",
    fix: "serve fullchain.pem; run aasa check HOST (F016)"),
  SystemMessage(
    cause: 16, "one of several addresses", "one-address",
    ["one of several addresses", "ENETUNREACH"],
    because: "some devices connect to the faulty address",
    fix: "aasa check HOST checks every address (F005, F006)"),
  SystemMessage(
    cause: 17, "a firewall", "firewall", ["403 forbidden", "HTTP 403", "firewall refuses"],
    because: "the firewall refuses Apple's robot, a country or a hosting provider",
    fix: "run aasa check HOST (F050, F032, F061)"),
  SystemMessage(
    cause: 18, "a private address", "private-address", ["private address"],
    because: "Apple's CDN cannot reach a private address",
    fix: "use a public address; run aasa check HOST (F003)"),
  SystemMessage(
    cause: 19, "www and the bare domain", "www-or-bare", ["www.example.com and only"],
    because: "each host needs its own file, and the app must list each host",
    fix: "run aasa check HOST (F054, F055)"),
  SystemMessage(
    cause: 20, "an old copy in the CDN", "old-copy",
    ["has an older version", "CDN is not updated", "CDN not updated"],
    because: "the CDN keeps a copy for hours",
    fix: "run aasa wait HOST --until cdn-matches; run aasa check HOST (F062)"),
  SystemMessage(
    cause: 21, "a failure that the CDN has cached", "cached-failure",
    ["cached a failure", "Apple-Failure-Reason"],
    because: "the CDN remembers a failure for about an hour",
    fix: "run aasa check HOST (F061), then wait"),
  SystemMessage(
    cause: 22, "a wrong entry in Associated Domains", "wrong-entry",
    ["entry in Associated Domains is wrong", "applinks:https://"],
    because: "devices ignore a wrong entry in Associated Domains",
    fix: "run aasa check --entitlements App.entitlements (F080 to F085)"),
  SystemMessage(
    cause: 23, "an app that does not list the domain", "no-entry",
    ["does not name this domain at all"],
    because: "a device requests files only from domains that the app lists",
    fix: "run aasa check LINK --entitlements App.ipa (F086, F088, F113)"),
  SystemMessage(
    cause: 24, "a device that requested the file too early", "asked-too-early",
    ["asked before the file was right"],
    because: "a device requests the file when the app is installed or updated, and then about "
      + "once a week",
    fix: "install the app again; aasa status HOST shows requests of devices"),
  SystemMessage(
    cause: 25, "developer mode", "developer-mode",
    ["?mode=developer", "mode=developer", "Associated Domains Development"],
    because:
      "developer mode works only in development builds, and only if the switch in Settings > "
      + "Developer is on",
    fix: "run aasa check --entitlements App.ipa (F091)"),
  SystemMessage(
    cause: 26, "a tracking or short link", "tracking-link",
    ["tracking or short link", "short link", "tracking link"],
    because: "only the host of the tapped link matters",
    fix: "run aasa check SHORTLINK (F056)"),
]
