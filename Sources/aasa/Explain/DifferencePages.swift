internal import AppSiteAssociation
internal import Diagnostics

/// The pages of what `aasa diff` finds. What users lose is an error, what they gain a note.
let differencePages = [
  RulePage(
    "D001", "app-added", "the new file names an app for a service that the old one does not",
    "the app may open links, use passwords or continue activities", nil, severity: .note,
    fix: "check that the app is meant"),
  RulePage(
    "D002", "app-removed", "the old file names an app for a service that the new one does not",
    "what the app could do, it no longer can, as soon as devices have the new file", nil,
    fix: "put the app back, or accept it with --ignore D002"),
  RulePage(
    "D003", "links-gained", "links open an app that did not open it before",
    "people who have the app leave the browser by such links", nil, severity: .note,
    fix: "check the example; --fail-on error accepts what is gained"),
  RulePage(
    "D004", "links-lost", "links that opened an app do not any more",
    "people who have the app stay in the browser by such links", nil,
    fix: "put the rule back, or accept it with --ignore D004"),
  RulePage(
    "D005", "links-blocked", "links that no rule matched are blocked, or the reverse",
    "the app opens by neither; only a rule that is added later makes a difference", nil,
    severity: .note, fix: "check the example"),
  RulePage(
    "D006", "apps-swapped", "two apps that open the same links stand in another order",
    "where both are installed, the one that stands first opens", "seen in the field (grade O)",
    severity: .warning, fix: "put the app first that is to win"),
  RulePage(
    "D007", "not-compared", "whether more differs was not found out",
    "to compare patterns exactly can take very long, so it ends at a limit", nil,
    severity: .warning, fix: "use fewer wildcards, or give variables fewer values"),
]
