import Diagnostics
import Posix
import Synchronization
import TLS
import Testing

@testable import Issuance

/// Files are removed while the issuer works with them; what it has in memory is written again.
@Suite final class LostFileTests: Sendable {
  private let root: String
  private let folder: StateFolder
  private let authority = Authority(name: "letsencrypt", url: "https://127.0.0.1:1/dir")
  private let reported = Mutex<[Diagnostic]>([])
  private let served = Mutex<[String: Certificate]>([:])

  init() throws {
    root = try temporaryFolder()
    folder = StateFolder(root + "/state")
  }

  private var codes: [String] { reported.withLock { $0.map(\.code) } }
  private var notes: [String?] { reported.withLock { $0.map(\.note) } }

  /// Two hosts whose certificates are served, and an issuer for them that has begun to work.
  private func begin() throws -> IssuerWork {
    try folder.make()
    for host in ["a.example", "b.example"] {
      let certificate = try selfSigned(names: [host])
      let (chain, key) = try #require(IssuedChain.served(certificate))
      let file = IssuedFile(
        chain, authority: authority.url, account: "https://ca/account", profile: nil,
        issued: Posix.Clock.wallSeconds())
      try folder.install(file, chain, key, for: host)
      served.withLock { $0[folder.certificatePath(host)] = certificate }
    }
    try folder.writeAccount("https://ca/account", ["ca.example"], authority)
    var environment = Issuer.Environment { ["a.example", "b.example"] }
    environment.served = { [self] in served.withLock(\.self) }
    environment.report = { [self] diagnostic in reported.withLock { $0.append(diagnostic) } }
    let work = IssuerWork(
      Issuer.Options(authorities: [authority], folder: folder), environment, StatusBoard(),
      Mailbox {})
    var turns = 2
    work.run { milliseconds in
      if milliseconds > 0 { turns -= 1 }
      return turns > 0
    }
    return work
  }

  /// As at so many later times.
  private func look(_ work: IssuerWork, times: Int = 1) {
    for _ in 1...times { work.checkFolder() }
  }

  private func removeFolder() throws {
    // A rename, as a folder that is put back may have the same numbers.
    try renameFile(folder.root, to: root + "/gone")
  }

  @Test func `the file of a certificate that is served is written again, and no other is ordered`()
    throws
  {
    let work = try begin()
    let before = try folder.store.read(folder.certificate("a.example"), limit: 65_536)
    try folder.store.remove(folder.certificate("a.example"))
    look(work, times: 2)
    try #expect(folder.store.read(folder.certificate("a.example"), limit: 65_536) == before)
    #expect(folder.store.status(folder.certificate("a.example"))?.mode == 0o600)
    #expect(codes == ["I017"] && notes == ["written again: 1 certificate"])
    #expect(work.plan.hosts["a.example"]?.certificate != nil && work.plan.hosts.waiting.isEmpty)
  }

  @Test func `a certificate that may be revoked is not written again, but ordered`() throws {
    let work = try begin()
    work.apply(.requested("a.example"))
    try folder.store.remove(folder.certificate("a.example"))
    look(work)
    #expect(folder.store.status(folder.certificate("a.example")) == nil)
    #expect(codes.isEmpty && work.plan.hosts["a.example"]?.certificate == nil)
  }

  @Test func `what is not served any more, or is another certificate, is ordered at once`() throws {
    let work = try begin()
    let other = try selfSigned(names: ["b.example"])
    served.withLock { $0 = [folder.certificatePath("b.example"): other] }
    for host in ["a.example", "b.example"] { try folder.store.remove(folder.certificate(host)) }
    look(work)
    work.apply(.time)
    let isAsked = ["a.example", "b.example"].map { host in
      work.plan.hosts.checking.contains(host)
    }
    #expect(isAsked == [true, true] && codes.isEmpty)
  }

  @Test func `a file that is put back is used, and its loss is over`() throws {
    let work = try begin()
    let path = folder.certificatePath("a.example")
    served.withLock { $0 = [:] }
    // The second one today, so that another is not asked for at once.
    let issue = PastIssue(time: Posix.Clock.wallSeconds() - 1_000, life: 90 * 86_400)
    work.plan.hosts["a.example"]?.issues.append(issue)
    try renameFile(path, to: root + "/elsewhere")
    look(work)
    let lost = try #require(work.plan.hosts["a.example"])
    #expect(lost.certificate == nil && lost.failure != nil && codes.count == 1)
    try renameFile(root + "/elsewhere", to: path)
    look(work, times: 2)
    let found = try #require(work.plan.hosts["a.example"])
    #expect(found.certificate != nil && found.failure == nil && codes.count == 1)
  }

  @Test(arguments: [true, false])
  func `a folder that is removed is made again from memory, whether an empty one is in its place`(
    isEmpty: Bool
  ) throws {
    let work = try begin()
    let key = try #require(try folder.readKey()).pem()
    work.plan.authorities[0].limits.freeze(.orders, until: Posix.Clock.wallSeconds() + 900)
    work.apply(.requested("b.example"))
    // The CA is asked later.
    work.plan.authorities[0].keyChange = .max
    let serial = try #require(work.plan.hosts["a.example"]?.certificate?.serial)
    let window = RenewalWindow(start: 5, end: 7, serial: serial)
    work.plan.hosts["a.example"]?.window = window
    try removeFolder()
    if isEmpty { try makeFolder(folder.root, mode: 0o700) }
    look(work, times: 2)
    work.writeLimits()
    try #expect(folder.readKey()?.pem() == key)
    #expect(folder.account(at: authority).url == "https://ca/account")
    #expect(folder.limits(authority) == work.plan.authorities[0].limits)
    #expect(folder.readWindow("a.example", of: serial)?.0 == window && folder.wantsRollover)
    // The one for which another was asked for is not there; that it was is not forgotten.
    #expect(Set(folder.issuedFiles().keys) == ["a.example"])
    #expect(folder.store.status(folder.renewal("b.example"))?.kind == .regular)
    #expect(codes == ["I017"])
    #expect(
      notes == ["written again: the account's key, data about the CAs, 1 certificate"])
    let other = try FileLock(folder.path(folder.lock))
    let isFree = other != nil
    #expect(!isFree && work.isIssuer)
  }

  @Test(arguments: ["certificates", "acme"])
  func `a part of the folder that is removed is made again`(part: String) throws {
    let work = try begin()
    try renameFile(folder.root + "/" + part, to: root + "/gone")
    look(work)
    #expect(folder.issuedFiles().count == 2 && codes == ["I017"] && work.isIssuer)
    try #expect(folder.readKey() != nil)
  }

  @Test func `who takes the lock of a folder that was put in its place is the issuer`() throws {
    let work = try begin()
    try removeFolder()
    try makeFolder(folder.root, mode: 0o700)
    let other = try FileLock(folder.path(folder.lock))
    let isTaken = other != nil
    look(work)
    #expect(isTaken && !work.isIssuer)
    try #expect(folder.readKey() == nil && folder.issuedFiles().isEmpty)
    _ = consume other
  }

  @Test(arguments: [true, false])
  func `the lock is taken again by name when its file alone was removed`(isFree: Bool) throws {
    let work = try begin()
    try folder.store.remove(folder.lock)
    let other = isFree ? nil : try FileLock(folder.path(folder.lock))
    if isFree { try folder.write("", to: folder.lock) }
    look(work)
    #expect(work.isIssuer == isFree)
    _ = consume other
    let next = try FileLock(folder.path(folder.lock))
    let isFreeNow = next != nil
    #expect(isFreeNow != isFree)
  }

  @Test func `while the folder cannot be made again nothing is forgotten`() throws {
    let work = try begin()
    try removeFolder()
    // In its place is a file.
    try writeFileAtomically(folder.root, [])
    look(work, times: 3)
    #expect(codes == ["I007"] && work.isIssuer && work.plan.hosts.states.count == 2)
    try removeFile(folder.root)
    look(work)
    #expect(codes == ["I007", "I017"] && folder.issuedFiles().count == 2)
  }
}
