import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let options: [Scenario] = [
    Scenario("the app is named", 0, "applinks names", served) {
      try $0.origin()
      $0.arguments += ["--expect", shop]
    },
    Scenario(
      "another team", 1, "F070",
      unexpected + "the file does not name B1B2B3B4B5.org.swift.shop under applinks"
    ) {
      try $0.origin()
      $0.arguments += ["--expect", "B1B2B3B4B5.org.swift.shop"]
    },
    Scenario(
      "another bundle", 1, "F070",
      unexpected + "the file does not name K27TX9P4QD.org.swift.shopp under applinks"
    ) {
      try $0.origin()
      $0.arguments += ["--expect", "K27TX9P4QD.org.swift.shopp"]
    },
    Scenario("the app is named for passkeys", 0, "webcredentials names", served) {
      try $0.origin(.answer(#"{"webcredentials":{"apps":["\#(shop)"]}}"#))
      $0.arguments += ["--expect", shop]
    },
    Scenario("a link that opens", 0, "opens an app", served) {
      try $0.origin()
      $0.arguments = ["https://example.com/buy/42"]
    },
    Scenario(
      "a link that no rule matches", 1, "F071",
      unexpected + "the file does not permit /help to open any app"
    ) {
      try $0.origin()
      $0.arguments = ["https://example.com/help"]
    },
    Scenario(
      "a link that an exclusion blocks", 1, "F071",
      unexpected + "the file does not permit /buy/x to open any app"
    ) {
      try $0.origin(
        .answer(shopFile(components: #"[{"/":"/buy/x","exclude":true},{"/":"/buy/*"}]"#)))
      $0.arguments = ["https://example.com/buy/x"]
    },
    Scenario(
      "a link that differs in case", 1, "F071",
      unexpected + "the file does not permit /Buy/42 to open any app"
    ) {
      try $0.origin()
      $0.arguments += ["--url", "/Buy/42"]
    },
    Scenario("a tracking link", 0, "F056", served) {
      try $0.origin {
        path(of: $0) == "/buy/42"
          ? [.redirect(to: "https://shop.example.org/42")] : [.answer(Lab.good)]
      }
      $0.arguments = ["https://example.com/buy/42"]
    },
    Scenario("the committed file", 0, "is equivalent to file", served) {
      try $0.origin()
      try $0.option("--file", " " + Lab.good)
    },
    Scenario("the committed file with a byte order mark", 0, "is equivalent to file", served) {
      try $0.origin()
      try $0.option("--file", "\u{FEFF}" + Lab.good)
    },
    Scenario("a served byte order mark", 0, "is equivalent to file", served + ", with 1 warning") {
      try $0.origin(.answer("\u{FEFF}" + Lab.good))
      try $0.option("--file", Lab.good)
    },
    Scenario(
      "another file than the committed one", 1, "F074",
      unexpected + "the file differs in meaning from file"
    ) {
      try $0.origin()
      try $0.option("--file", Lab.other)
    },
    Scenario("expectations that are met", 0, "1 expectations are met", served) {
      try $0.origin()
      try $0.option("--cases", "/buy/1 opens \(shop)\n")
    },
    Scenario(
      "an expectation that is not met", 1, "F072",
      unexpected
        + "/sell/1 stays in the browser for K27TX9P4QD.org.swift.shop, but opens is expected"
    ) {
      try $0.origin()
      try $0.option("--cases", "/sell/1 opens \(shop)\n")
    },
    Scenario(
      "expectations of another domain", 2, "",
      "Error: file: no line is about a domain that is checked; name its domain, or write paths"
    ) {
      try $0.origin()
      try $0.option("--cases", "https://other.com/1 opens \(shop)\n")
    },
    Scenario("an app that names the domain", 0, "applinks names", served) {
      try $0.origin()
      try $0.entitlements("applinks:example.com")
    },
    Scenario(
      "an app that names it for passkeys", 1, "F073",
      unexpected + "the app names the domain for webcredentials, but the file has no app under it"
    ) {
      try $0.origin()
      $0.arguments = ["webcredentials:example.com"]
    },
    Scenario("a profile without the capability", 1, "F088", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.option("--entitlements", LabIdentity.profile(permitsDomains: false))
    },
    Scenario("a good profile", 0, "applinks names", served) {
      try $0.origin()
      try $0.option("--entitlements", LabIdentity.profile(permitsDomains: true))
    },
    Scenario("a build that was signed again", 1, "F115", "2 checked: 1 is wrong, 1 is right") {
      try $0.origin()
      try $0.entitlements("*")
    },
    Scenario(
      "a link of a host that the app does not name", 1, "F113",
      unexpected + "the app does not name example.com, so no link to it opens the app"
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
      "file: applinks:$(DOMAIN) was not checked: the build fills in DOMAIN [F087]"
    ) {
      $0.arguments = []
      try $0.entitlements("applinks:$(DOMAIN)")
    },
    Scenario(
      "entitlements without domains", 1, "F086", "file: the file names no associated domains"
    ) {
      $0.arguments = []
      try $0.entitlements()
    },
    Scenario(
      "a note that is strict", 1, "F036", served + "; 1 finding fails, as --fail-on note asks"
    ) {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer("404 Not Found", "no"))
      $0.arguments += ["--fail-on", "note"]
    },
    Scenario(
      "a warning that is strict", 1, "F040",
      served + ", with 1 warning; 1 finding fails, as --fail-on warning asks"
    ) {
      try $0.origin(.answer(type: nil, Lab.good))
      $0.arguments += ["--strict"]
    },
    Scenario("a fault that is accepted", 0, "fine:", served) {
      try $0.origin(wellKnown: .answer(Lab.good), root: .answer(Lab.other))
      $0.arguments += ["--ignore", "F037"]
    },
  ]
}
