internal import Diagnostics

/// Messages about passkeys, passwords and sign-in.
let passkeyMessages: [SystemMessage] = [
  SystemMessage(
    "HTTPS callback", "callback-without-webcredentials", ["using https callbacks requires"],
    "ASWebAuthenticationSession rejects HTTPS callbacks for this host",
    because: "the app must list webcredentials:HOST in its associated domains; applinks:HOST is "
      + "not enough",
    fix: """
      add the app under webcredentials in the file, and webcredentials:HOST to the app's \
      associated domains; aasa check HOST --entitlements App.ipa compares the file with the app
      """,
    source: .field),
  SystemMessage(
    "1004", "not-associated",
    ["not associated with domain", "unable to verify webcredentials", "-25293"],
    codes: ["AuthorizationError 1004"], whole: ["1004"],
    """
    the system does not associate the app with a passkey's or password's domain (1004, \
    -25293)
    """,
    because: """
      the domain is the relying party ID, even if the app contacts another host; the domain's \
      file must list the app under webcredentials, and the app's associated domains must contain \
      webcredentials:DOMAIN
      """,
    fix: """
      aasa check DOMAIN --entitlements App.ipa compares the file with the app; if both are \
      correct, the device fetched the file before the file was correct: install the app again
      """,
    source: .field),
  SystemMessage(
    "Please try again in a few seconds", "association-not-yet", ["try again in a few seconds"],
    "the device has no file of the domain yet",
    because: "the device fetches the file when the app is installed, but the app sent its request "
      + "before the device had the file",
    fix: """
      try again; if the error remains, run aasa check DOMAIN --entitlements App.ipa; in a \
      development build, use ?mode=developer
      """,
    source: .field),
  SystemMessage(
    "1000", "authorization-unknown", [], codes: ["AuthorizationError 1000"],
    "the authorization failed for an unknown reason",
    because: "often the capability Sign in with Apple is missing, or no user is signed in",
    fix: """
      check the capability in the build: aasa check --entitlements App.ipa lists faults of \
      signing
      """,
    source: authorizationCode),
  SystemMessage(
    "1001", "authorization-canceled", [], codes: ["AuthorizationError 1001"],
    "the user canceled the authorization, or the system did so because no passkey was suitable",
    because: "there may be no passkey for this relying party ID on the device",
    fix: """
      compare the relying party ID with the ID at registration; aasa check DOMAIN checks the \
      association
      """,
    source: authorizationCode, severity: .note),
  SystemMessage(
    "Client is not properly entitled", "client-not-entitled",
    ["not properly entitled for this request"],
    "the app's signature does not allow the request",
    because: """
      the log line before this message shows the reason; often the app is not associated with the \
      domain
      """,
    fix: "run aasa check DOMAIN --entitlements App.ipa",
    source: .field),
  SystemMessage(
    "RP ID cannot be validated", "android-not-associated",
    ["rp id cannot be validated", "rpid cannot be validated", "50152"],
    "Android does not associate the app with the domain of a passkey",
    because: """
      assetlinks.json of exactly this domain must list the package and the certificate of the \
      installed app under the relation delegate_permission/common.get_login_creds
      """,
    fix: checkAndroid,
    source: .field),
  SystemMessage(
    "The incoming request cannot be validated", "android-request-refused",
    ["incoming request cannot be validated"],
    "Android does not associate the app with the domain of a passkey",
    because: """
      assetlinks.json of the relying party ID lacks the package, the certificate of this \
      build, or the relation delegate_permission/common.get_login_creds
      """,
    fix: checkAndroid,
    source: .field),
  SystemMessage(
    "No credentials available", "android-no-credential",
    [
      "no credentials available", "no credentials were returned", "no viable credential",
      "NoCredentialException", "no credentials found",
    ], whole: ["no credentials"],
    "Android found no passkey or password for the request",
    because: """
      no passkey or password exists for this relying party ID, or the domain's assetlinks.json \
      does not let the app use it; Android reports the same error in both cases
      """,
    fix: """
      run aasa check DOMAIN --android PACKAGE:FINGERPRINT, then compare the relying party ID with \
      the ID at registration
      """,
    source: .field),
  SystemMessage(
    "This is an invalid domain", "rp-id-not-a-domain", ["this is an invalid domain"],
    "the browser refuses passkeys on this host",
    because: "the page is on an IP address, which is never a relying party ID",
    fix: "open the page with a domain in its URL; for development, use localhost",
    source: .other("W3C, Web Authentication Level 3: the effective domain must be a valid domain")),
  SystemMessage(
    "not a registrable domain suffix", "rp-id-of-another-domain",
    ["not a registrable domain suffix", "is invalid for this domain"],
    "the page asks for a relying party ID that is not its domain or a parent of it",
    because: "often the server's relying party ID is its API host, or has a scheme or a port",
    fix: """
      set the relying party ID to the page's domain without a scheme and a port, or list \
      the page's origin in the file webauthn of the relying party ID
      """,
    source: .webAuthn),
  SystemMessage(
    "webauthn of the claimed RP ID", "related-origin-refused", ["well-known/webauthn"],
    "the file webauthn of the relying party ID does not allow the page's origin",
    because: """
      the file is missing, is not JSON, or does not list the origin among the first five \
      names
      """,
    fix: """
      aasa check DOMAIN checks the file (F108, F109); aasa validate FOLDER checks its content \
      (D150 to D155)
      """,
    source: .webAuthn),
  SystemMessage(
    "The operation is insecure", "webauthn-security-error", ["the operation is insecure"],
    "Firefox refuses the request for a passkey",
    because: "the relying party ID is not the page's domain, or the page is not secure",
    fix: "compare the relying party ID with the page's host",
    source: .field),
  SystemMessage(
    "The operation either timed out or was not allowed", "webauthn-not-allowed",
    ["timed out or was not allowed", "NotAllowedError"],
    "the user canceled, there was no suitable passkey, or the time ran out",
    because: "browsers do not say which of these three causes occurred",
    fix: "try with a new passkey; compare the relying party ID with the ID at registration",
    source: .webAuthn, severity: .note),
  SystemMessage(
    "TLS certificate errors", "webauthn-tls",
    ["not supported on sites with TLS certificate errors"],
    "the browser offers no passkeys, because it does not trust the page's certificate",
    because: "the user ignored the browser's warning about the certificate",
    fix: "run aasa check HOST (F012 to F018), or trust the local authority on the device",
    source: .field),
  SystemMessage(
    "Unexpected registration response origin", "unexpected-origin",
    [
      "unexpected registration response origin", "unexpected authentication response origin",
      "android:apk-key-hash",
    ],
    "the passkey server does not accept the app's origin",
    because: """
      apps for Android send the origin android:apk-key-hash:DIGEST; apps for Apple's systems send \
      the origin https://RPID
      """,
    fix: """
      add the app's origin to the passkey server's list of origins; aasa check DOMAIN --android \
      PACKAGE:FINGERPRINT prints both origins
      """,
    source: .field),
  SystemMessage(
    "Unexpected RP ID hash", "unexpected-rp-id", ["unexpected rp id hash"],
    "the server expects a different relying party ID than the app used",
    because: "registration and sign-in use different IDs, or the server's ID has a port",
    fix: "use one relying party ID everywhere",
    source: .field),
]

private let authorizationCode = SystemMessage.Source.other(
  "Apple, ASAuthorizationError.Code (grade D); the causes were seen in the field (grade O)")

/// The help text that says how to check the statements about an Android app.
let checkAndroid = """
  aasa check DOMAIN --android PACKAGE:FINGERPRINT shows what is missing; use the fingerprint of \
  the app signing key in the Play Console, not of your upload key
  """
