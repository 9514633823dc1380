import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let options: [Scenario] = [
    green("the app is named", "applinks names", options: ["--expect", shop]),
    unexpected(
      "another team", "F070", "the file does not list B1B2B3B4B5.org.swift.shop under applinks",
      options: ["--expect", "B1B2B3B4B5.org.swift.shop"]),
    unexpected(
      "another bundle", "F070", "the file does not list K27TX9P4QD.org.swift.shopp under applinks",
      options: ["--expect", "K27TX9P4QD.org.swift.shopp"]),
    green(
      "the app is named for passkeys", "webcredentials names",
      serving: .answer(#"{"webcredentials":{"apps":["\#(shop)"]}}"#), options: ["--expect", shop]),
    green("a link that opens", "opens an app", asking: "https://example.com/buy/42"),
    unexpected(
      "a link that no rule matches", "F071", "the file does not permit /help to open any app",
      asking: "https://example.com/help"),
    unexpected(
      "a link that an exclusion blocks", "F071", "the file does not permit /buy/x to open any app",
      serving: .answer(shopFile(components: #"[{"/":"/buy/x","exclude":true},{"/":"/buy/*"}]"#)),
      asking: "https://example.com/buy/x"),
    unexpected(
      "a link that differs in case", "F071", "the file does not permit /Buy/42 to open any app",
      options: ["--url", "/Buy/42"]),
    green("a tracking link", "F056") {
      try $0.origin {
        path(of: $0) == "/buy/42"
          ? [.redirect(to: "https://shop.example.org/42")] : [.answer(Lab.good)]
      }
      $0.arguments = ["https://example.com/buy/42"]
    },
    green("the committed file", "is equivalent to file") {
      try $0.origin()
      try $0.option("--file", " " + Lab.good)
    },
    green("the committed file with a byte order mark", "is equivalent to file") {
      try $0.origin()
      try $0.option("--file", "\u{FEFF}" + Lab.good)
    },
    green("a served byte order mark", "is equivalent to file", ", with 1 warning") {
      try $0.origin(.answer("\u{FEFF}" + Lab.good))
      try $0.option("--file", Lab.good)
    },
    unexpected(
      "another file than the committed one", "F074", "the file differs in meaning from file"
    ) {
      try $0.origin()
      try $0.option("--file", Lab.other)
    },
    green("expectations that are met", "1 expectation is met") {
      try $0.origin()
      try $0.option("--cases", "/buy/1 opens \(shop)\n")
    },
    unexpected(
      "an expectation that is not met", "F072",
      "/sell/1 stays in the browser for K27TX9P4QD.org.swift.shop, but opens is expected"
    ) {
      try $0.origin()
      try $0.option("--cases", "/sell/1 opens \(shop)\n")
    },
    Scenario(
      "expectations of another domain", 2, "",
      "Error: file: no line is about a checked domain; also check the domain of the URLs, or "
        + "write paths instead of URLs"
    ) {
      try $0.origin()
      try $0.option("--cases", "https://other.com/1 opens \(shop)\n")
    },
    green("an app that names the domain", "applinks names") {
      try $0.origin()
      try $0.entitlements("applinks:example.com")
    },
    unexpected(
      "an app that names it for passkeys", "F073",
      "the app lists the domain for webcredentials, but the file has no app under webcredentials",
      asking: "webcredentials:example.com"),
    Scenario("a profile without the capability", 1, "F088", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.option("--entitlements", LabIdentity.profile(permitsDomains: false))
    },
    green("a good profile", "applinks names") {
      try $0.origin()
      try $0.option("--entitlements", LabIdentity.profile(permitsDomains: true))
    },
    Scenario("a build that was signed again", 1, "F115", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("*")
    },
    unexpected(
      "a link of a host that the app does not name", "F113",
      "the app does not list example.com, so no link to it opens the app"
    ) {
      try $0.origin(
        .answer(
          #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":[{"/":"/buy/*"}]}]},"#
            + #""webcredentials":{"apps":["\#(shop)"]}}"#))
      try $0.entitlements("webcredentials:example.com")
      $0.arguments += ["--url", "https://example.com/buy/42"]
    },
    Scenario("an entry without a service", 1, "F080", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("https://example.com")
    },
    Scenario("an entry with a path", 1, "F082", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("applinks:example.com/buy")
    },
    Scenario("an unknown mode", 1, "F083", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("applinks:example.com?mode=debug")
    },
    Scenario("an unknown service", 1, "F081", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("applink:example.com")
    },
    Scenario("a wildcard of an App Clip", 1, "F084", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("appclips:*.example.com")
    },
    Scenario("an entry twice", 0, "F085", "2 checked: 2 are right") {
      try $0.origin()
      try $0.entitlements("applinks:example.com", "applinks:example.com")
    },
    Scenario("developer mode in a release", 0, "F091", "2 checked: 2 are right") {
      try $0.origin()
      try $0.release("applinks:example.com?mode=developer")
    },
    Scenario(
      "a prefix that is not the team, and the file names the team", 1, "F089",
      "2 checked: 1 is wrong, 1 is right"
    ) {
      try $0.origin()
      try $0.option("--entitlements", LabIdentity.otherPrefix)
    },
    Scenario(
      "an entry with a variable", 2, "F087",
      "file: warning: applinks:$(DOMAIN) was not checked, because only the build knows the value of "
        + "DOMAIN"
    ) {
      $0.arguments = []
      try $0.entitlements("applinks:$(DOMAIN)")
    },
    Scenario(
      "entitlements without domains", 1, "F086", "file: the file lists no associated domains"
    ) {
      $0.arguments = []
      try $0.entitlements()
    },
    Scenario(
      "a note that is strict", 1, "F036",
      served + "; 1 finding makes the check fail because of --fail-on note"
    ) {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer("404 Not Found", "no"))
      $0.arguments += ["--fail-on", "note"]
    },
    Scenario(
      "a warning that is strict", 1, "F040",
      served + ", with 1 warning; 1 finding makes the check fail because of --fail-on warning"
    ) {
      try $0.origin(.answer(type: nil, Lab.good))
      $0.arguments += ["--strict"]
    },
    green("a fault that is accepted", "fine:") {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer(Lab.other))
      $0.arguments += ["--ignore", "F037"]
    },
  ]
}
