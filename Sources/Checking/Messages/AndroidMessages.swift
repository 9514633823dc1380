internal import Diagnostics

/// Messages of Android, Chrome and Google's service for asset links.
let androidMessages: [SystemMessage] = [
  SystemMessage(
    "OriginVerifier", "web-activity-not-verified",
    ["originverifier", "digital asset link", "digital_asset_links"],
    """
    Chrome does not associate an app with the site that the app shows: a Trusted Web Activity \
    shows the address bar
    """,
    because: """
      assetlinks.json must list the package and the certificate of the installed app under the \
      relation delegate_permission/common.handle_all_urls
      """,
    fix: checkAndroid,
    source: .field),
  SystemMessage(
    "Statement failure matching fingerprint", "statement-fingerprint",
    ["statement failure matching fingerprint"],
    """
    a statement in assetlinks.json lists the app, but not with the certificate of the installed \
    app
    """,
    because: """
      the file has the upload key, the debug key, or a fingerprint in lower case or \
      without colons
      """,
    fix: checkAndroid,
    source: .chromium),
  SystemMessage(
    "Statement failure matching package", "statement-package",
    ["statement failure matching package"],
    "no statement in assetlinks.json lists the package of the app",
    because: "the package of the installed app has a suffix such as .debug, or the file lists "
      + "only other apps",
    fix: checkAndroid,
    source: .chromium),
  SystemMessage(
    "Statement failure matching relationship", "statement-relation",
    ["statement failure matching relation"],
    "no statement in assetlinks.json has the relation that Android asks for",
    because: "the statement needs delegate_permission/common.handle_all_urls",
    fix: checkAndroid,
    source: .chromium),
  SystemMessage(
    "Verification link handling allowed: false", "android-links-off",
    ["verification link handling allowed: false"],
    "the user turned off the app's links in the settings",
    because: "the settings of the app have a switch for links",
    fix: "turn on Open supported links in Settings, Apps, the app, Open by default",
    source: .other("Android's source code, output of adb shell pm get-app-links")),
  SystemMessage(
    "Invalid autoVerify domains", "android-invalid-host", ["invalid autoverify domains"],
    "the manifest requests verification for texts that are not host names",
    because: "Android prints the invalid texts below this log line",
    fix: "run aasa check --manifest AndroidManifest.xml (F096)",
    source: .other("Android's source code, output of adb shell pm get-app-links")),
  SystemMessage(
    "SingleHostAsyncVerifier", "android-verifier",
    [
      "SingleHostAsyncVerifier", "IntentFilterIntentOp", "IntentFilterIntentSvc",
      "AppLinksAsyncVerifierV2", "AppLinksHostsVerifierV2", "failed hosts:",
    ],
    """
    Android's verifier asked hosts for a statement about the app: the line ends with true, \
    false, or the hosts that failed
    """,
    because: """
      Android 11 and older verify an app only if every host in the app's manifest has a statement \
      for the app; Android 12 and later verify each host by itself (AppLinksHostsVerifierV2)
      """,
    fix: "aasa check --manifest AndroidManifest.xml --fingerprint App.apk checks every host",
    source: .other(
      "Google, Verify Android App Links; the log lines were seen in the field (grade O)"),
    severity: .note),
  SystemMessage(
    "android:exported needs to be explicitly specified", "android-exported",
    [
      "android:exported needs to be explicitly specified", "explicit value for android:exported",
      "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED",
    ],
    """
    Android cannot use the manifest: usually an activity with an intent filter lacks \
    android:exported
    """,
    because: "apps for Android 12 and later must set android:exported in each activity with an "
      + "intent filter",
    fix: "write android:exported=\"true\" in the activity; aasa check --manifest App.apk shows "
      + "the activity (F098)",
    source: .other("Google, Android 12, behavior changes")),
  SystemMessage(
    "AppLinksAutoVerify", "lint-app-links",
    ["AppLinksAutoVerify", "does not support app links to your app"],
    "Android's lint found no statement for the app at a host of the manifest",
    because: "the host serves no assetlinks.json, or the file does not list the app",
    fix: "aasa check --manifest AndroidManifest.xml shows the reason",
    source: .other("Google, Android lint, AppLinksAutoVerify")),
  SystemMessage(
    "ERROR_CODE_REDIRECT", "dal-redirect", ["ERROR_CODE_REDIRECT"],
    "Google's service got a redirect instead of assetlinks.json",
    because: "Google's service follows no redirect",
    fix: "serve the file itself; aasa check HOST shows the redirect (F057, F100)",
    source: .statements),
  SystemMessage(
    "ERROR_CODE_WRONG_CONTENT_TYPE", "dal-type", ["ERROR_CODE_WRONG_CONTENT_TYPE"],
    "assetlinks.json is not served as JSON",
    because: "the content type of the answer is not application/json",
    fix: "send content-type: application/json; run aasa check HOST (F058)",
    source: .statements),
  SystemMessage(
    "ERROR_CODE_MALFORMED_CONTENT", "dal-content", ["ERROR_CODE_MALFORMED_CONTENT"],
    "Google's service cannot read assetlinks.json",
    because: "assetlinks.json is not valid JSON, or is not a list of statements",
    fix: "aasa validate assetlinks.json shows the place of each error",
    source: .statements),
  SystemMessage(
    "ERROR_CODE_FETCH_ERROR", "dal-fetch", ["ERROR_CODE_FETCH_ERROR"],
    "Google's service could not get assetlinks.json",
    because: "the host does not resolve or answer, or a firewall refuses Google",
    fix: "run aasa check HOST --manifest AndroidManifest.xml",
    source: .statements),
  SystemMessage(
    "ERROR_CODE_FAILED_SSL_VALIDATION", "dal-tls", ["ERROR_CODE_FAILED_SSL_VALIDATION"],
    "Google's service does not trust the certificate of the host",
    because: "the certificate has expired, is for another name, or lacks its intermediate "
      + "certificate",
    fix: "run aasa check HOST (F012 to F018)",
    source: .statements),
  SystemMessage(
    "ERROR_CODE_TOO_LARGE", "dal-large", ["ERROR_CODE_TOO_LARGE"],
    "assetlinks.json is too large for Google's service",
    because: "Google publishes no limit for the size of assetlinks.json",
    fix: "remove statements about apps that are not yours",
    source: .statements),
]
