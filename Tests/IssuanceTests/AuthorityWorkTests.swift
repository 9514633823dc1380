import JSON
import Posix
import ScriptedServer
import Settings
import Synchronization
import TLS
import TLSTestSupport
import Testing

@testable import Issuance

/// What is asked at a CA, and what is made of its answers.
@Suite struct AuthorityWorkTests {
  @Test(arguments: [
    ("409 Conflict", "alreadyReplaced"), ("400 Bad Request", "malformed"),
    ("404 Not Found", "malformed"), ("403 Forbidden", "unauthorized"),
  ])
  func `an order that is refused because of what it replaces is made without it`(
    status: String, type: String
  ) throws {
    let ca = try ScriptedAuthority { path, payload, _ in
      guard path == "/order", payload.contains(#""replaces":"a.b""#) else { return nil }
      return ScriptedAuthority.problem(status, type)
    }
    guard case .ordered(let url) = ca.advance(ca.order(isKnown: false, replaces: "a.b")) else {
      Issue.record("no order")
      return
    }
    #expect(url.hasSuffix("/order/1") && ca.paths == ["/order", "/order"])
    let record = try #require(ca.folder.record("a.example", ca.authority))
    #expect(record.order.replaces == nil && record.order.url == url && record.order.begun == 77)
  }

  @Test(arguments: [("429 Too Many Requests", "rateLimited"), ("500 Error", "serverInternal")])
  func `a limit or a failure is no reason to order again at once`(status: String, type: String)
    throws
  {
    let ca = try ScriptedAuthority { path, _, _ in
      path == "/order" ? ScriptedAuthority.problem(status, type) : nil
    }
    guard case .fault(_, at: .order) = ca.advance(ca.order(isKnown: false, replaces: "a.b")) else {
      Issue.record("no fault")
      return
    }
    #expect(ca.paths == ["/order"])
  }

  @Test(arguments: [77, 76] as [Int64])
  func `an order that goes on keeps its key, and one that begins anew has another`(begun: Int64)
    throws
  {
    let ca = try ScriptedAuthority()
    var order = ca.order(isKnown: false)
    let key = try SigningKey.generate()
    let earlier = OpenOrder(authority: order.authority, challenge: .http, begun: begun)
    try ca.folder.write(OrderRecord(host: "a.example", order: earlier, key: key), ca.authority)
    _ = ca.advance(order)
    let record = try #require(ca.folder.record("a.example", ca.authority))
    order.url = record.order.url
    #expect(record.order.begun == 77 && order.url != nil)
    #expect((record.key.pem() == key.pem()) == (begun == 77))
  }

  /// A CA that lists more delays only itself.
  @Test func `the one authorization of an order is read, and its challenge answered`() throws {
    let ca = try ScriptedAuthority()
    guard case .progress(.pending, _) = ca.advance(ca.order()) else {
      Issue.record("no progress")
      return
    }
    #expect(ca.paths == ["/order/1", "/authorization/1", "/challenge"])
    _ = ca.advance(ca.order(), answers: false)
    #expect(ca.paths.count == 4)
  }

  @Test func `an order goes on from what the CA said when it created it`() throws {
    let ca = try ScriptedAuthority()
    _ = ca.advance(ca.order(isKnown: false))
    guard case .progress(.pending, _) = ca.advance(ca.order()) else {
      Issue.record("no progress")
      return
    }
    #expect(ca.paths == ["/order", "/authorization/1", "/challenge"])
    _ = ca.advance(ca.order(), answers: false)
    #expect(ca.paths.last == "/order/1")
  }

  @Test(arguments: ["valid", "processing"])
  func `a challenge that the CA checks already is not answered again`(status: String) throws {
    let ca = try ScriptedAuthority { path, _, _ in
      guard path == "/authorization/1" else { return nil }
      return ScriptedAuthority.answer(
        #"{"status":"pending","challenges":[{"type":"http-01","url":"https://x/","token":"abc","#
          + #""status":"\#(status)"}]}"#)
    }
    guard case .progress = ca.advance(ca.order()) else {
      Issue.record("no progress")
      return
    }
    #expect(ca.paths == ["/order/1", "/authorization/1"])
  }

  @Test func `a CA that offers other challenges is not asked for one of them`() throws {
    let ca = try ScriptedAuthority { path, _, _ in
      guard path == "/authorization/1" else { return nil }
      return ScriptedAuthority.answer(
        #"{"status":"pending","challenges":[{"type":"dns-01","url":"https://x/","token":"abc"}]}"#)
    }
    guard case .fault(let fault, at: .challenge) = ca.advance(ca.order()) else {
      Issue.record("no fault")
      return
    }
    #expect(
      fault.problem?.detail == "the CA does not offer the challenge http-01, but offers dns-01")
  }

  @Test(arguments: [
    ("/order/1", Step.read), ("/authorization/1", .challenge), ("/challenge", .challenge),
  ])
  func `a page from a middlebox is not an answer`(place: String, step: Step) throws {
    let ca = try ScriptedAuthority { path, _, _ in
      path == place ? [.answer(type: "text/html", "<html>")] : nil
    }
    guard case .fault(let fault, at: let found) = ca.advance(ca.order()) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .noAnswer && found == step)
  }

  @Test func `why an order failed is said in the words of its challenge`() throws {
    let ca = try ScriptedAuthority { path, _, base in
      switch path {
      case "/order/1": ScriptedAuthority.answer(ScriptedAuthority.order("invalid", base: base))
      case "/authorization/1":
        ScriptedAuthority.answer(
          #"{"status":"invalid","challenges":[{"type":"http-01","url":"u","error":{"type":"#
            + #""urn:ietf:params:acme:error:dns","detail":"no address"}}]}"#)
      default: nil
      }
    }
    guard case .failed(let fault, life: nil) = ca.advance(ca.order()) else {
      Issue.record("not failed")
      return
    }
    #expect(fault.problem?.type == "dns" && fault.problem?.detail == "no address")
  }

  // MARK: The certificate

  @Test(arguments: ["", "<html>", "-----BEGIN CERTIFICATE-----\nMIIB\n"])
  func `what is not a certificate is said at once`(text: String) throws {
    let ca = try ValidOrder { _ in text }
    guard case .fault(let fault, at: .certificate) = ca.reply else {
      Issue.record("\(ca.reply)")
      return
    }
    #expect(fault == .unfit("the CA's answer is not a certificate"))
  }

  @Test func `a certificate that fits is installed, and its order is gone`() throws {
    let ca = try ValidOrder { String(decoding: $0.good, as: UTF8.self) }
    guard case .installed(let file) = ca.reply else {
      Issue.record("\(ca.reply)")
      return
    }
    #expect(ca.ca.folder.issuedFile("a.example") == file)
    #expect(file.account.hasSuffix("/account/1") && file.authority == ca.ca.authority.url)
    #expect(ca.ca.folder.record("a.example", ca.ca.authority) == nil)
    #expect(ca.ca.paths == ["/order/1", "/certificate"])
    let steps = ca.ca.folder.journal.entries().map(\.step)
    #expect(steps.suffix(3) == [.downloading, .installing, .installed])
  }

  @Test(arguments: [("letsencrypt-staging", true), ("letsencrypt", false)])
  func `a certificate that nobody trusts is served only if the CA is one for tests`(
    name: String, isServed: Bool
  ) throws {
    let ca = try ValidOrder(at: name, isTrusted: false) {
      String(decoding: $0.good, as: UTF8.self)
    }
    if case .installed = ca.reply { #expect(isServed) } else { #expect(!isServed) }
    #expect((ca.ca.folder.issuedFile("a.example") != nil) == isServed)
  }

  @Test func `of other chains three are tried, and the first that fits is served`() throws {
    let links = (1...5).map { "Link: <BASE/chain/\($0)>;rel=\"alternate\"" }
    for fitting in [nil, 2, 4] {
      let ca = try ValidOrder(links) { chains in
        let isFitting = fitting.map { "/chain/\($0)" } == chains.path
        return String(decoding: isFitting ? chains.good : chains.foreign, as: UTF8.self)
      }
      switch ca.reply {
      case .installed: #expect(fitting == 2)
      case .failed(let fault, let life):
        #expect(fitting != 2 && life.map { $0 > 80 * 86_400 } == true)
        #expect(
          fault
            == .unfit(
              "the certificate from the CA cannot be served: the certificate is for a different key"
            ))
      default: Issue.record("\(ca.reply)")
      }
      #expect(ca.ca.paths.count { $0.hasPrefix("/chain/") } == (fitting == 2 ? 2 : 3))
      let folder = ca.ca.folder
      #expect((folder.issuedFile("a.example") != nil) == (fitting == 2))
    }
  }

  // MARK: The account

  @Test func `an account that must be bound is not asked for without a binding`() throws {
    let directory = #","meta":{"externalAccountRequired":true}"#
    let ca = try ScriptedAuthority(directory: directory)
    guard case .fault(let fault, at: .account) = ca.work.perform(.account, for: "") else {
      Issue.record("no fault")
      return
    }
    #expect(fault.problem?.type == "externalAccountRequired" && fault.text.contains("--acme-eab"))
    let bound = Mutex("")
    let second = try ScriptedAuthority(
      directory: directory, binding: ExternalAccount("kid: a\nkey: Zm9v\n")
    ) { path, payload, _ in
      if path == "/account" { bound.withLock { $0 = payload } }
      return nil
    }
    guard case .known = second.work.perform(.account, for: "") else {
      Issue.record("no account")
      return
    }
    #expect(bound.withLock { $0.contains(#""externalAccountBinding":{"protected""#) })
    #expect(second.work.facts.account?.hasSuffix("/account/1") == true)
    #expect(second.folder.account(at: second.authority).url == second.work.facts.account)
  }

  @Test func `a key that belongs to another account is found out`() throws {
    let ca = try ScriptedAuthority { path, payload, _ in
      switch path {
      case "/order": return ScriptedAuthority.problem("400 Bad Request", "malformed")
      case "/account" where payload.contains("onlyReturnExisting"):
        return ScriptedAuthority.problem("400 Bad Request", "accountDoesNotExist")
      default: return nil
      }
    }
    guard case .accountUnknown = ca.advance(ca.order(isKnown: false)) else {
      Issue.record("not found out")
      return
    }
    #expect(ca.work.facts.account == nil)
  }

  @Test(arguments: ["accountDoesNotExist", "unauthorized", "malformed", "serverInternal"])
  func `a key change that is refused ends only if neither key has the account`(type: String) throws
  {
    for isThere in [true, false] {
      let ca = try ScriptedAuthority { path, payload, _ in
        if path == "/key" { return ScriptedAuthority.problem("403 Forbidden", type) }
        guard path == "/account", payload.contains("onlyReturnExisting") else { return nil }
        return isThere
          ? ScriptedAuthority.answer("{}", ["Location: https://x/other"])
          : ScriptedAuthority.problem("400 Bad Request", "accountDoesNotExist")
      }
      _ = ca.work.perform(.account, for: "")
      try ca.folder.write(try SigningKey.generate(), to: ca.folder.newAccountKey)
      switch ca.work.perform(.changeKey, for: "") {
      case .keyChanged(isLost: true): #expect(!isThere && type != "serverInternal")
      case .fault(let fault, at: .account):
        #expect(fault.problem?.type == type && (isThere || type == "serverInternal"))
      case let reply: Issue.record("\(reply)")
      }
    }
  }

  @Test func `a CA that accepts none of its nonces gets at most 20 requests a minute`() throws {
    let asked = Mutex(0)
    let ca = try ScriptedAuthority { path, _, _ in
      if path != "/account" { return nil }
      asked.withLock { $0 += 1 }
      return ScriptedAuthority.problem("400 Bad Request", "badNonce")
    }
    for _ in 0..<5 {
      guard case .fault(let fault, at: .account) = ca.work.perform(.account, for: "") else {
        Issue.record("no fault")
        return
      }
      #expect(fault.kind == .noAnswer)
    }
    // One more in each pause of six seconds, with the directory and the first nonce.
    #expect((8...9).contains(asked.withLock(\.self)))
  }

  @Test func `a profile that the CA does not have is said once, and not asked for`() throws {
    for (profile, isThere) in [("short", true), ("long", false)] {
      let asked = Mutex<[String]>([])
      let ca = try ScriptedAuthority(
        directory: #","meta":{"profiles":{"short":"x"}}"#, profile: profile
      ) { path, payload, _ in
        if path == "/order" { asked.withLock { $0.append(payload) } }
        return nil
      }
      for _ in 1...2 { _ = ca.advance(ca.order(isKnown: false)) }
      #expect(asked.withLock { $0.allSatisfy { $0.contains(#""profile":"short""#) == isThere } })
      #expect(ca.codes == (isThere ? [] : ["I013"]))
    }
  }

  @Test(arguments: [("7200", 7_200), ("-5", nil), ("soon", nil)] as [(String, Int64?)])
  func `a window is asked for by the certificate's own identifier`(wait: String, seconds: Int64?)
    throws
  {
    let ca = try ScriptedAuthority { path, _, _ in
      guard path.hasPrefix("/renewal/") else { return nil }
      return ScriptedAuthority.answer(
        #"{"suggestedWindow":{"start":"2030-01-01T00:00:00Z","end":"2030-01-02T00:00:00Z"}}"#,
        ["Retry-After: \(wait)"])
    }
    let chain = try #require(IssuedChain(pem: TestCertificate("x", names: ["a.example"]).pem))
    var file = IssuedFile(
      chain, authority: ca.authority.url, account: "", profile: nil, issued: 0)
    file.renewalIdentifier = "a.b"
    guard case .window(let window?, let found) = ca.work.perform(.window(file), for: "a.example")
    else {
      Issue.record("no window")
      return
    }
    #expect(ca.paths == ["/renewal/a.b"] && found == seconds)
    #expect(window.serial == file.serial && window.end - window.start == 86_400)
  }
}

/// An order that the CA says is valid, and what comes of a certificate.
private final class ValidOrder {
  /// What may be answered: chains for the order's key and for another one.
  struct Chains: Sendable {
    let path: String
    let good: [UInt8]
    let foreign: [UInt8]
  }

  let ca: ScriptedAuthority
  let reply: Reply

  /// - Parameters:
  ///   - fields: Fields of the certificate's answer. BASE is the CA's address.
  ///   - name: The CA's name in settings.
  ///   - isTrusted: Whether clients trust what the CA issues.
  init(
    _ fields: [String] = [], at name: String = "x", isTrusted: Bool = true,
    _ text: @escaping @Sendable (Chains) -> String
  ) throws {
    let key = try SigningKey.generate()
    let pem = String(decoding: key.pem(), as: UTF8.self)
    guard let testKey = TestKey(pem: pem) else { throw Failure() }
    let root = TestCertificate("root", isAuthority: true)
    let issuer = isTrusted ? root : TestCertificate("other", isAuthority: true)
    let good = TestCertificate("a", names: ["a.example"], key: testKey, issuer: issuer).pem
    let foreign = TestCertificate("a", names: ["a.example"], issuer: root).pem
    ca = try ScriptedAuthority(name: name, root: root) { path, _, base in
      if path == "/order/1" {
        return ScriptedAuthority.answer(ScriptedAuthority.order("valid", base: base))
      }
      guard path == "/certificate" || path.hasPrefix("/chain/") else { return nil }
      return ScriptedAuthority.answer(
        text(Chains(path: path, good: good, foreign: foreign)),
        path == "/certificate" ? fields.map { $0.replacing("BASE", with: base) } : [])
    }
    let order = ca.order()
    try ca.folder.write(OrderRecord(host: "a.example", order: order, key: key), ca.authority)
    reply = ca.advance(order)
  }

  private struct Failure: Error {}
}
