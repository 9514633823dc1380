internal import AppSiteAssociation
internal import Diagnostics

/// The pages of the differences that `aasa diff` finds. A loss for users is an error, a gain is a
/// note.
let differencePages = [
  RulePage(
    "D001", "app-added", "the new file names an app for a service that the old one does not",
    "the app may open links, use passwords or continue activities", nil, severity: .note,
    fix: "check that the app is intended"),
  RulePage(
    "D002", "app-removed", "the old file names an app for a service that the new one does not",
    "the app loses the service as soon as devices have the new file", nil,
    fix: "put the app back, or accept it with --ignore D002"),
  RulePage(
    "D003", "links-gained", "links open an app that did not open it before",
    "such links now open the app for people who have it", nil, severity: .note,
    fix: "check the example; --fail-on error accepts what is gained"),
  RulePage(
    "D004", "links-lost", "links that opened an app do not any more",
    "such links now stay in the browser for people who have the app", nil,
    fix: "put the rule back, or accept it with --ignore D004"),
  RulePage(
    "D005", "links-blocked", "links that no rule matched are blocked, or the reverse",
    "neither opens the app; only a rule that is added later makes a difference", nil,
    severity: .note, fix: "check the example"),
  RulePage(
    "D006", "apps-swapped", "two apps that open the same links have changed places",
    "if both are installed, the first one opens", "seen in the field (grade O)",
    severity: .warning, fix: "put the app first that should win"),
  RulePage(
    "D007", "not-compared", "further differences are unknown",
    "an exact comparison of patterns can take very long, so it stops at a limit", nil,
    severity: .warning, fix: "use fewer wildcards, or give variables fewer values"),
]
