package import Diagnostics

/// Diagnostics about files of expectations.
extension Kind {
  package static let expectationsTooLarge = Kind(
    "E001", "expectations-too-large",
    "a file of expectations has more than 4 MiB or more than 100,000 lines",
    "expectations beyond the limit would not be checked, so none are", nil,
    fix: "split the file into several")
  package static let expectationUnreadable = Kind(
    "E002", "expectation-unreadable", "a line cannot be split into its fields",
    "in CSV a field with a quote in it must be in quotes, and quotes in it are doubled",
    "RFC 4180 section 2", wrong: #"/a,"opens,K27TX9P4QD.org.swift.shop"#,
    right: #"/a,"opens",K27TX9P4QD.org.swift.shop"#)
  package static let expectationMissing = Kind(
    "E003", "expectation-missing", "a line has a URL without an expectation",
    "it would check nothing", nil, wrong: "/buy/42",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let expectationUnknown = Kind(
    "E004", "expectation-unknown", "a word is not one of opens, blocked and browser",
    "it would check nothing", nil, wrong: "/buy/42  open K27TX9P4QD.org.swift.shop",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let expectationWithoutApp = Kind(
    "E005", "expectation-without-app", "`opens` names no app",
    "with several apps it would be unclear which one is intended", nil, wrong: "/buy/42  opens",
    right: "/buy/42  opens K27TX9P4QD.org.swift.shop")
  package static let textAfterExpectation = Kind(
    "E006", "text-after-expectation", "something follows the app",
    "it may be a second expectation, which would not be checked", nil,
    wrong: "/help  browser K27TX9P4QD.org.swift.shop help pages",
    right: "/help  browser K27TX9P4QD.org.swift.shop  # help pages")
  package static let expectationURL = Kind(
    "E007", "expectation-url", "the beginning of an expectation is neither a URL nor a path",
    "nothing can be said about it", "RFC 3986", wrong: "buy/42  browser",
    right: "/buy/42  browser")
  package static let expectationNotMet = Kind(
    "E010", "expectation-not-met", "the association file decides something else about the URL",
    "aasa serve does not take a version that breaks its own expectations: the last good one stays",
    nil,
    fix: "aasa match --explain shows which rule decides; correct the association file, or the "
      + "line if it is no longer what you expect")
  package static let patternsTooLargeForExpectations = Kind(
    "E011", "patterns-too-large-for-expectations",
    "the patterns of the association file are too large to be checked against expectations",
    "variables with many values are in many rules; see A136", nil,
    fix: "use fewer values, or use the variable in fewer rules")
}

/// All kinds about expectations.
package let expectationKinds: [Kind] = [
  .expectationsTooLarge, .expectationUnreadable, .expectationMissing, .expectationUnknown,
  .expectationWithoutApp, .textAfterExpectation, .expectationURL, .expectationNotMet,
  .patternsTooLargeForExpectations,
]
