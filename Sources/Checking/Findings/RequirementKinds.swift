internal import Diagnostics
internal import Rules

extension Kind {
  static let appNotNamed = Kind(
    "F070", "app-not-named", "the file does not list an expected app",
    "the app opens no links of the domain, or is offered no passwords or App Clip", nil,
    effect: .expectation,
    fix: "add the app with its prefix: in most cases the Team ID, a dot and the bundle identifier")

  static let linkDoesNotOpen = Kind(
    "F071", "url-opens-nothing", "the file does not permit a URL to open the app",
    "the link stays in the browser", nil, effect: .expectation,
    fix: "check the rules that were tried, in order: the first that matches decides; aasa match "
      + "shows the same for a local file")

  static let expectationNotMet = Kind(
    "F072", "served-expectation-not-met",
    "the file that is served does not meet an expectation",
    "links do not behave as expected", nil, effect: .expectation,
    fix: "correct the file, or this line if it is no longer what you expect")

  static let serviceWithoutApp = Kind(
    "F073", "service-without-app",
    "an app lists the domain for a service that the file does not have",
    "the app's entitlement has no effect", nil, effect: .expectation,
    fix: "add the app under the service")

  static let otherThanExpectedFile = Kind(
    "F074", "other-than-expected-file",
    "the served file differs in meaning from the expected one",
    "links behave differently than the committed file says", nil, effect: .expectation,
    fix: "deploy the file, or compare with the right file")

  static let linkRedirects = Kind(
    "F056", "link-redirects", "a link redirects to another host",
    "the host of the tapped link decides, not the redirect's target",
    "seen with tracking and short links (grade O)", severity: .note,
    fix:
      "add the link's host to the app, and permit the link in that host's file; or share links "
      + "to the other host (tracking links redirect like this)")

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
