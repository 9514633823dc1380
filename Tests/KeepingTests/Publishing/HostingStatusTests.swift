import CatalogSupport
import Diagnostics
import Synchronization
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// The state of hosting, for readers of the status.
@Suite struct HostingStatusTests {
  private func diagnostic(
    _ severity: Diagnostic.Severity = .error, _ code: String = "J001"
  ) -> Diagnostic {
    Diagnostic(Kind(code, "x", "x", "x", nil), severity: severity, "something is wrong")
  }

  // MARK: ProblemTable

  @Test func `errors come first, and no more than the limit are kept`() {
    var problems = ProblemTable<Int>()
    let many = (0..<LoadingLimits.keptPerProblem).map { _ in diagnostic(.warning, "A001") }
    problems.set(1, many + [diagnostic()], isLastGood: true)
    let problem = problems[1]
    #expect(problem?.diagnostics.count == LoadingLimits.keptPerProblem)
    #expect(problem?.diagnostics.first?.code == "J001")
    #expect(problem?.omitted == 1 && problem?.hasErrors == true && problem?.isLastGood == true)
  }

  @Test func `nothing wrong is nothing kept`() {
    var problems = ProblemTable<Int>()
    problems.set(1, [diagnostic()], isLastGood: false)
    problems.set(1, [], isLastGood: false)
    #expect(problems.all.isEmpty)
    problems.remove(2)
    problems.add(3, [diagnostic(.warning)])
    #expect(problems[3]?.hasErrors == false)
  }

  @Test func `of many problems the texts of the first are kept, and all errors are counted`() {
    var problems = ProblemTable<Int>()
    let limit = LoadingLimits.describedProblems
    for number in 0..<(limit + 10) { problems.set(number, [diagnostic()], isLastGood: false) }
    #expect(problems.all.count == limit + 10)
    #expect(problems.all.values.count { !$0.diagnostics.isEmpty } == limit)
    #expect(problems[limit]?.omitted == 1 && problems[limit]?.hasErrors == true)
    // A warning beyond the limit is left out.
    problems.set(-1, [diagnostic(.warning)], isLastGood: false)
    #expect(problems[-1] == nil)
    // Room comes back.
    problems.remove(0)
    problems.set(-1, [diagnostic(.warning)], isLastGood: false)
    #expect(problems[-1]?.diagnostics.count == 1)
  }

  // MARK: Readiness

  private func status(_ sites: [Site], _ change: (inout HostingStatus) -> Void = { _ in })
    -> HostingStatus
  {
    var status = HostingStatus()
    status.isLoaded = true
    status.catalog = Catalog(sites: sites, material: nil)
    change(&status)
    return status
  }

  private func site(_ name: String, _ association: Availability) -> Site {
    Site(name: .named(name), association: association, assetLinks: .absent)
  }

  private var good: Availability {
    var store = ContentStore(cacheControl: "no-cache")
    return .served(
      ServedFile(
        content: store.content(of: Array(small.utf8), kind: .association), lastModified: 0))
  }

  @Test func `faults that keep a server from being ready`() {
    func reason(_ status: HostingStatus) -> String { status.obstacles(now: 0).joined() }
    #expect(reason(HostingStatus()).contains("still being loaded"))
    // Good, empty, without a folder's entry at all.
    #expect(reason(status([site("a.test", good)])) == "")
    #expect(reason(status([site("a.test", .absent)])) == "")
    #expect(reason(status([])) == "")
    // All are broken, or only one.
    #expect(reason(status([site("a.test", .unavailable)])).contains("only domain"))
    let two = [site("a.test", .unavailable), site("b.test", .unavailable)]
    #expect(reason(status(two)).contains("none of the 2 domains"))
    #expect(reason(status(two + [site("c.test", good)])) == "")
    // The folder is gone: before anything was read, and after.
    let fault = diagnostic()
    #expect(reason(status([]) { $0.folderFault = fault }).contains("something is wrong"))
    #expect(reason(status([]) { $0.isFolderUnread = true }).contains("does not answer"))
    #expect(reason(status([site("a.test", good)]) { $0.folderFault = fault }) == "")
    // No file was read, or not all were.
    #expect(reason(status([]) { $0.unreadAtStart = 5 }).contains("5 domains have not been read"))
    let one = status([site("a.test", good)]) { $0.unreadAtStart = 1 }
    #expect(reason(one).contains("a domain has not been read"))
    // What was kept of it is served, and everything else is unknown.
    let unread = status([site("a.test", good)]) {
      $0.folderFault = fault
      $0.isFolderUnread = true
    }
    #expect(reason(unread).contains("something is wrong"))
    // TLS without anything to serve it with.
    #expect(reason(status([]) { $0.hasHTTPS = true }).contains("no usable certificate"))
    let selfSignedFallback = status([]) {
      $0.hasHTTPS = true
      $0.usesSelfSigned = true
    }
    #expect(reason(selfSignedFallback) == "")
  }

  @Test func `the certificate made for a run is enough only where no folder was named`() {
    func reason(_ change: (inout HostingStatus) -> Void) -> String {
      status([]) {
        $0.hasHTTPS = true
        $0.usesSelfSigned = true
        change(&$0)
      }.obstacles(now: 0).joined()
    }
    #expect(reason { _ in } == "")
    #expect(reason { $0.isCertificatesFolderExpected = true }.contains("no usable certificate"))
    // Nor where something could not be read.
    let fault = reason { $0.certificateFault = diagnostic() }
    #expect(fault.contains("something is wrong"))
  }

  @Test func `a folder that is held takes nothing from readiness, for good answers are served`() {
    let held = status([site("a.test", good)]) {
      $0.folderFault = diagnostic()
      $0.certificateFault = diagnostic()
      $0.areCertificatesHeld = true
    }
    #expect(held.obstacles(now: 0).isEmpty)
  }

  @Test func `each entry has one state`() {
    let sites = [
      site("good.test", good), site("old.test", good), site("refused.test", .unavailable),
      site("empty.test", .absent), site("flawed.test", good),
    ]
    var problems = ProblemTable<DomainName>()
    problems.set(.named("old.test"), [diagnostic()], isLastGood: true)
    problems.set(.named("good.test"), [diagnostic(.warning)], isLastGood: false)
    problems.set(.named("flawed.test"), [diagnostic()], isLastGood: false)
    let status = status(sites) { $0.problems = problems.all }
    #expect(status.counts.map(\.count) == [1, 1, 1, 1, 1])
    #expect(
      sites.map { status.state(of: $0) } == [.served, .lastGood, .refused, .empty, .flawed])
  }

  // MARK: After loading

  @Test func `a fault is known until it is fixed, and the good version keeps its time`() throws {
    let folder = TestFolder()
    folder.write("a.test.json", small)
    var loader = DomainRunner(root: folder.path)
    #expect(loader.scanAll().failures == 0)
    let name = DomainName.named("a.test")
    let first = try #require(loader.site("a.test"))
    #expect(first.since > 0 && loader.problems[name]?.hasErrors != true)

    folder.write("a.test.json", "{")
    #expect(loader.scan("a.test").failures == 1)
    #expect(loader.problems[name]?.isLastGood == true)
    #expect(loader.problems[name]?.diagnostics.first?.severity == .error)
    #expect(loader.site("a.test")?.since == first.since)

    folder.write("a.test.json", small)
    #expect(loader.scanAll().failures == 0)
    #expect(loader.problems[name]?.hasErrors != true)

  }

  @Test func `the published status says which changes are held back, and counts the domains`() {
    let folder = TestFolder()
    for index in 0..<4 { folder.write("h\(index).test.json", small) }
    folder.write("h4.test.json", "[")
    var options = HostingOptions()
    options.domains = folder.path
    options.withdrawAfter = 0
    let publisher = StatusPublisher()
    var keeper = StatusKeeper(options, publisher)
    var loader = DomainRunner(DomainKeeper(options), work: .untiring)
    var maker = CatalogMaker(options)
    var report = Report()
    #expect(!publisher.current.isLoaded)
    let outcome = loader.scanAll()
    keeper.noteReload(failed: outcome.failures > 0, isFirst: true, at: .now())
    _ = maker.make(outcome.changes, loader.keeper, nil, at: .now(), &report)
    keeper.publish(loader.keeper, nil, maker)
    #expect(publisher.current.isLoaded && publisher.current.folderFault == nil)
    #expect(!publisher.current.reloads.isLastSuccessful)
    let counts = keeper.domainCounts
    #expect(counts.all == 5 && counts.served == 4 && counts.faulty == 0)
    for index in 0..<4 { folder.remove("h\(index).test.json") }
    #expect(loader.scanAndWithdraw().failures > 0)
    keeper.publish(loader.keeper, nil, maker)
    #expect(publisher.current.folderFault?.code == "H031")
    #expect(publisher.current.obstacles(now: 0).isEmpty)
  }

  @Test func `each new status reaches its follower, which can read it`() {
    let publisher = StatusPublisher()
    let seen = Mutex<[String]>([])
    publisher.publish(HostingStatus())
    publisher.follow { seen.withLock { $0.append(publisher.current.folder) } }
    for folder in ["a", "b"] {
      var status = HostingStatus()
      status.folder = folder
      publisher.publish(status)
    }
    #expect(seen.withLock(\.self) == ["a", "b"])
  }

  @Test func `reloads are counted, the first loading is not`() {
    var reloads = Reloads()
    reloads.note(failed: true, isFirst: true, now: 1)
    #expect(reloads.failures == 0 && !reloads.isLastSuccessful && reloads.lastSuccess == nil)
    reloads.note(failed: false, isFirst: false, now: 2)
    reloads.note(failed: true, isFirst: false, now: 3)
    #expect(reloads.successes == 1 && reloads.failures == 1)
    #expect(reloads.lastSuccess == 2 && reloads.lastFailure == 3 && !reloads.isLastSuccessful)
  }

  @Test func `a domain with faults counts as served, one without an answer does not`() {
    let counts = DomainCounts([
      (.served, 3), (.flawed, 1), (.lastGood, 2), (.refused, 4), (.empty, 1),
    ])
    #expect(counts.all == 11 && counts.served == 6 && counts.faulty == 3)
  }
}
