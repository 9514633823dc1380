internal import Diagnostics
internal import Rules

extension Kind {
  static let appNotNamed = Kind(
    "F070", "app-not-named", "the file does not list an expected app",
    "links to the domain do not open the app, or the system offers no passwords or App Clip for "
      + "the domain", nil,
    effect: .expectation,
    fix: "add the app's identifier to the file: the prefix (usually the Team ID), a dot and the "
      + "bundle identifier")

  static let linkDoesNotOpen = Kind(
    "F071", "url-opens-nothing", "the rules of the file do not let a URL open the app",
    "the link stays in the browser", nil, effect: .expectation,
    fix: "check the listed rules: the first rule that matches the link decides; aasa match "
      + "--explain lists the rules of a local file")

  static let expectationNotMet = Kind(
    "F072", "served-expectation-not-met",
    "the file that is served does not meet an expectation",
    "links do not behave as expected", nil, effect: .expectation,
    fix: "correct the file, or change the expectation if you no longer expect this result")

  static let serviceWithoutApp = Kind(
    "F073", "service-without-app",
    "an app lists the domain for a service that the file does not have",
    "the app's entitlement has no effect", nil, effect: .expectation,
    fix: "add the app to this service in the file")

  static let otherThanExpectedFile = Kind(
    "F074", "other-than-expected-file",
    "the served file differs in meaning from the expected file",
    "links behave differently than the expected file says", nil, effect: .expectation,
    fix: "deploy the expected file, or give the check another expected file")

  static let linkRedirects = Kind(
    "F056", "link-redirects", "a link redirects to another host",
    "devices use only the file of the tapped link's host, not the file of the redirect's target",
    "seen with tracking and short links (grade O)", severity: .note,
    fix:
      "add the link's host to the app, and permit the link in that host's file; or share links to "
      + "the target of the redirect (tracking links often redirect)")

  static let hostNotNamed = Kind(
    "F113", "host-not-named", "the app does not list the host of a link",
    "a device checks only hosts that the app lists, so the link stays in the browser",
    "Apple's page on the Associated Domains entitlement (grade D)", effect: .expectation,
    fix: "add applinks: and the host to the app's associated domains")

  static let expectationKinds: [Kind] = [
    .hostNotNamed,
    .otherThanExpectedFile, .linkRedirects, .appNotNamed, .linkDoesNotOpen, .expectationNotMet,
    .serviceWithoutApp,
  ]
}
