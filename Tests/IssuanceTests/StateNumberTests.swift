import Posix
import Settings
import TLS
import Testing

@testable import Issuance

/// Numbers in files of the state folder that no time or count can have. Somebody may have edited a file,
/// or a disk may have damaged it.
@Suite final class StateNumberTests {
  private let folder: StateFolder
  private let authority = Authority(name: "letsencrypt", url: "https://127.0.0.1:1/dir")
  private let chain: IssuedChain
  private let key: SigningKey

  /// A place in a file that has a number.
  enum Place: String, CaseIterable {
    case full, frozen, refusedCount, refusedSince, refusedNext, issued, next, start, end, begun,
      time, life, waiting
  }

  /// Milliseconds are allowed for up to the same time as seconds.
  private static let numbers = [
    "-1", "253402300800000", "9223372036854775807", "9223372036854775808", "1e400", "1.5", "\"7\"",
    "null", "{}",
  ]

  init() throws {
    folder = StateFolder(try temporaryFolder())
    try folder.make()
    (chain, key) = try #require(IssuedChain.served(try selfSigned(names: ["a.example"])))
  }

  /// Writes all files, with a number in these places and right ones elsewhere.
  private func write(_ number: String, in places: [Place]) throws {
    func value(_ place: Place) -> String { places.contains(place) ? number : "7" }
    try folder.write(
      #"{"version":1,"full":\#(value(.full)),"frozen":{"orders":\#(value(.frozen))},"refused":"#
        + #"{"c.example":{"count":\#(value(.refusedCount)),"since":\#(value(.refusedSince)),"#
        + #""next":\#(value(.refusedNext))}}}"# + "\n", to: folder.limitsFile(authority))
    try folder.write(
      #"{"version":1,"serial":"\#(chain.serial)","next":\#(value(.next)),"start":\#(value(.start))"#
        + #","end":\#(places.contains(.end) ? number : "9")}"# + "\n",
      to: folder.window("a.example"))
    try folder.writeSecret(
      #"# {"version":1,"authority":"\#(authority.url)","issued":\#(value(.issued))}"# + "\n", key,
      chain.pem, to: folder.certificate("a.example"))
    try folder.writeSecret(
      #"{"version":1,"authority":"\#(authority.url)","begun":\#(value(.begun))}"# + "\n", key,
      to: folder.order("b.example", authority))
    // The life is a text, as all details are.
    let life = value(.life).filter { $0 != "\"" }
    try folder.write(
      #"{"time":\#(value(.time)),"host":"d.example","authority":"letsencrypt","step":"installing","#
        + #""detail":"\#(life)"}"# + "\n", to: folder.journal.name)
    try folder.write(
      #"{"version":1,"hosts":{"e.example":\#(value(.waiting))}}"# + "\n", to: folder.waiting)
  }

  /// Whether the number in a place is read. Nil if what it belongs to is passed over with it.
  private func isRead(_ place: Place) throws -> Bool {
    var limits = RateLimits(authority)
    if let value = folder.read(folder.limitsFile(authority)) { limits.read(value) }
    let window = folder.readWindow("a.example", of: chain.serial)
    let journal = folder.journal.entries()
    switch place {
    case .full: return limits.budget?.full != 0
    case .frozen: return !limits.frozen.isEmpty
    case .refusedCount, .refusedSince, .refusedNext: return !limits.refused.isEmpty
    case .issued: return try #require(folder.issuedFile("a.example")).issued != chain.notBefore
    case .next: return window != nil
    case .start, .end: return try #require(window).0 != nil
    case .begun: return folder.record("b.example", authority) != nil
    case .time: return !journal.isEmpty
    case .life:
      let loaded = LoadedState(folder, [authority], .now)
      return try #require(loaded.hosts["d.example"]?.issues.first).life != 0
    case .waiting: return folder.queue()["e.example"]?.time != 0
    }
  }

  @Test(arguments: Place.allCases)
  func `a number that cannot be one is as absent, and a right one is read`(place: Place) throws {
    try write("8", in: [place])
    try #expect(isRead(place))
    // The latest second, or millisecond, of the year 9999.
    let beyond = [.full, .refusedCount].contains(place) ? [] : ["253402300800"]
    for number in Self.numbers + beyond where place != .life || Int64(number) != nil {
      try write(number, in: [place])
      try #expect(!isRead(place), "\(number)")
    }
  }

  @Test(arguments: numbers + ["253402300799", "253402300800", "0"])
  func `with such a number in every place the issuer begins its work`(number: String) throws {
    for places in [Place.allCases] + Place.allCases.map({ [$0] }) {
      try write(number, in: places)
      let loaded = LoadedState(folder, [authority], .now)
      var plan = HostPlan(loaded.authorities)
      plan.hosts = HostTable(loaded.hosts)
      let hosts = ["a", "b", "c", "d", "e"].map { "\($0).example" }
      let effects = plan.step(.hosts(Set(hosts)), at: .now)
      #expect(!effects.isEmpty)
      _ = plan.step(.time, at: .now)
      _ = (plan.nextDue(), plan.queue(.now), folder.queue())
      // It has no refusal for years.
      let due = try #require(plan.hosts["c.example"]).due
      #expect(due <= Moment.now.uptime + IssuanceLimits.longestRetryAfter * 1_000)
      var limits = folder.limits(authority)
      limits.freeze(.orders, until: 5)
      try folder.write(limits, authority, now: Posix.Clock.wallSeconds())
    }
  }
}
