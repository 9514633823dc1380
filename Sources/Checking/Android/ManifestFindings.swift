internal import AppSiteAssociation
internal import Diagnostics

/// The kinds of findings about an Android manifest and about the hosts that it lists.
extension Kind {
  private static let google = "Google's documentation says so"
  private static let collector = "DomainVerificationCollector in Android's source code"
  private static let matcher = "IntentFilter and PatternMatcher in Android's source code"

  static let manifestWithoutLinks = Kind(
    "F092", "manifest-without-links",
    "the manifest has no intent filter for https links",
    "the app opens no links", google, effect: .expectation,
    fix: "add an intent filter with android:autoVerify=\"true\"; aasa code kotlin prints such a "
      + "filter",
    right: "<intent-filter android:autoVerify=\"true\">…<data android:scheme=\"https\" />"
      + "<data android:host=\"example.com\" />")

  static let filterIncomplete = Kind(
    "F093", "filter-incomplete", "a filter for links lacks an action or a category",
    "no link in a browser opens the app", google, effect: .expectation,
    fix: "add the action VIEW and the categories DEFAULT and BROWSABLE to the filter")

  static let filterNotVerified = Kind(
    "F094", "filter-not-verified", "a filter for links does not request verification",
    "since Android 12, links of an unverified host stay in the browser unless the user chooses "
      + "the app in the settings", google, effect: .expectation,
    fix: "write <intent-filter android:autoVerify=\"true\">")

  static let filterWithOtherScheme = Kind(
    "F095", "filter-with-other-scheme",
    "a filter for links also has a scheme other than http and https",
    "if the app targets Android 12 or later, Android verifies no host of such a filter; the "
      + "filter's links stay in the browser unless the user chooses the app in the settings",
    collector,
    effect: .expectation,
    fix: "put schemes other than http and https into a separate filter")

  static let manifestHost = Kind(
    "F096", "manifest-host", "a host in the manifest is not a valid host name",
    "Android compares hosts exactly, so no link matches this host", google, effect: .expectation,
    wrong: "android:host=\"https://Example.com/\"", right: "android:host=\"example.com\"")

  static let manifestPath = Kind(
    "F097", "manifest-path",
    "a path in the manifest does not begin with a slash, or is not a valid pattern",
    "the path of a link always begins with a slash, so no link matches a path that begins "
      + "otherwise; an app with an invalid pattern cannot be installed", matcher,
    effect: .expectation,
    wrong: "android:pathPrefix=\"buy\"", right: "android:pathPrefix=\"/buy\"")

  static let activityNotExported = Kind(
    "F098", "activity-not-exported", "an activity for links is not exported",
    "links cannot open the activity; an app for Android 12 or later cannot be installed if the "
      + "activity does not set android:exported", google, effect: .expectation,
    fix: "write android:exported=\"true\" in the activity")

  static let manifestWithVariable = Kind(
    "F099", "manifest-with-variable",
    "a host in the manifest contains a placeholder that only "
      + "the build replaces",
    "the host was not checked", nil, severity: .warning,
    fix: "set the value of the placeholder, as in --set HOST=example.com, or check the merged "
      + "manifest")

  static let hostWithoutStatements = Kind(
    "F100", "host-without-statements",
    "a host of the manifest serves no assetlinks.json",
    "links to the host stay in the browser", google, effect: .expectation,
    fix: "serve the file at https://HOST/.well-known/assetlinks.json with status 200, not a "
      + "redirect")

  static let hostWithoutApp = Kind(
    "F101", "host-without-app", "assetlinks.json does not let the app open links",
    "links to the host stay in the browser", google, effect: .expectation,
    fix: "add a statement with the relation delegate_permission/common.handle_all_urls")

  static let hostWithOtherFingerprint = Kind(
    "F102", "host-with-other-fingerprint",
    "assetlinks.json lists the app, but not with the fingerprint of the app's certificate",
    "Android compares the fingerprint with the certificate of the installed app", google,
    effect: .expectation,
    fix: "add the fingerprint of the app signing key; the Play Console shows it under App "
      + "integrity")

  static let manifestLeavesLink = Kind(
    "F103", "manifest-leaves-link", "no filter of the manifest matches a link",
    "the link stays in the browser", matcher, effect: .expectation,
    fix: "add a filter for the link's scheme, host and path, or add the link's path to a filter")

  static let dynamicRulesKeepLink = Kind(
    "F104", "dynamic-rules-keep-link",
    "the dynamic rules of a host keep a link in the browser",
    "since Android 15 the first rule that matches decides; a link that no rule matches stays in "
      + "the browser", google, effect: .expectation,
    fix: "add a rule for the link to dynamic_app_link_components")

  static let dynamicRuleOutsideManifest = Kind(
    "F105", "dynamic-rule-outside-manifest",
    "no filter of the manifest matches the links of a dynamic rule",
    "dynamic rules can only exclude links that the manifest accepts; they cannot add links", google,
    severity: .warning, effect: .expectation,
    fix: "add the rule's path to a filter of the manifest, or remove the rule")

  static let filterWithType = Kind(
    "F135", "filter-with-type", "a filter for links has a MIME type",
    "links have no MIME type, so no link matches the filter", matcher, effect: .expectation,
    fix: "put android:mimeType into a separate filter")

  static let filterWithoutHTTPS = Kind(
    "F136", "filter-without-https", "a filter for links is for http only",
    "https links do not match the filter", matcher, severity: .warning, effect: .expectation,
    fix: "add <data android:scheme=\"https\" />")

  static let hostsVerifiedTogether = Kind(
    "F137", "hosts-verified-together",
    "Android 11 and older verify no host of the manifest, because one host does not list the app",
    "Android 11 and older make an app the default handler of its links only if the "
      + "assetlinks.json of every host in the manifest lists the app; Android 12 and later "
      + "verify each host by itself",
    "Google, Verify Android App Links, note on Android 11 (API level 30) and lower",
    severity: .warning, effect: .expectation,
    fix: "on each host, serve an assetlinks.json that lists the app; if a host is not yours, "
      + "remove the host from the manifest, or, if the app requires Android 12 or later, put it "
      + "into a filter without android:autoVerify")

  static let manifestKinds: [Kind] = [
    .filterWithType, .filterWithoutHTTPS, .hostsVerifiedTogether,
    .manifestWithoutLinks, .filterIncomplete, .filterNotVerified, .filterWithOtherScheme,
    .manifestHost, .manifestPath, .activityNotExported, .manifestWithVariable,
    .hostWithoutStatements, .hostWithoutApp, .hostWithOtherFingerprint, .manifestLeavesLink,
    .dynamicRulesKeepLink, .dynamicRuleOutsideManifest,
  ]
}
