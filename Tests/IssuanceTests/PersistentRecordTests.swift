import Posix
import Testing

@testable import Issuance

/// The TXT record that shows for good whose a name is.
@Suite struct PersistentRecordTests {
  private static let account = "https://ca.example/acct/1"
  private static let caaIdentity = CAAIdentity(
    identities: ["ca.example", "other-name.example"], account: account, methods: [])

  @Test func `the record names the CA and the account, and a wildcard has its domain's`() {
    func line(_ host: String) -> String {
      PersistentRecord(host, identity: "ca.example", account: Self.account).line
    }
    let start = #"_validation-persist.example.com. TXT "ca.example; accounturi=\#(Self.account)"#
    #expect(line("example.com") == start + "\"")
    #expect(line("*.example.com") == start + "; policy=wildcard\"")
  }

  @Test(
    arguments: [
      // Values, the host, and a part of what is said.
      ([], "example.com", "does not exist"),
      (["ca.example; accounturi=ACCOUNT"], "example.com", nil),
      (["CA.example;AccountURI = ACCOUNT ;policy=wildcard"], "example.com", nil),
      (["other-name.example; accounturi=ACCOUNT"], "example.com", nil),
      (["x.example; accounturi=ACCOUNT"], "example.com", "is for another CA or account"),
      (["ca.example; accounturi=ACCOUNT2"], "example.com", "is for another CA or account"),
      (["ca.example"], "example.com", "is for another CA or account"),
      (["v=spf1 -all", "ca.example; accounturi=ACCOUNT"], "example.com", nil),
      (["ca.example; accounturi=ACCOUNT"], "*.example.com", "lacks policy=wildcard"),
      (["ca.example; accounturi=ACCOUNT; policy=Wildcard"], "*.example.com", nil),
      (["ca.example; accounturi=ACCOUNT; persistUntil=2000"], "example.com", nil),
      (
        ["ca.example; accounturi=ACCOUNT; persistUntil=1000"], "example.com",
        "is valid only until 1970-01-01"
      ),
      (["ca.example; accounturi=ACCOUNT; persistUntil=soon"], "example.com", "cannot be read"),
      (
        ["ca.example; accounturi=ACCOUNT; persistUntil=-9223372036854775808"], "example.com",
        "cannot be read"
      ),
      (
        ["ca.example; accounturi=ACCOUNT; persistUntil=253402300800"], "example.com",
        "cannot be read"
      ),
      (["ca.example; accounturi=ACCOUNT; persistUntil=253402300799"], "example.com", nil),
      (
        ["ca.example; accounturi=ACCOUNT; persistUntil=9", "ca.example; accounturi=ACCOUNT"],
        "example.com", nil
      ),
    ] as [([String], String, String?)])
  func `a record of this CA and account lets a name have a certificate, and no other does`(
    values: [String], host: String, words: String?
  ) {
    let values = values.map { $0.replacing("ACCOUNT", with: Self.account) }
    let fault = recordFault(values, for: host, Self.caaIdentity, now: 1000)
    if let words {
      #expect(fault?.text.contains(words) == true, "\(String(describing: fault))")
      #expect(fault?.help.contains("_validation-persist.example.com. TXT \"ca.example; ") == true)
    } else {
      #expect(fault == nil)
    }
  }

  @Test func `the strings of a TXT record are one text`() {
    let message: [UInt8] =
      [0, 1, 0x81, 0x80, 0, 0, 0, 2, 0, 0, 0, 0]
      + [0, 0, 16, 0, 1, 0, 0, 0, 60, 0, 6, 2] + Array("ab".utf8) + [2] + Array("cd".utf8)
      // The length of this string is too great.
      + [0, 0, 16, 0, 1, 0, 0, 0, 60, 0, 3, 9] + Array("ef".utf8)
    #expect(textRecords(in: message) == ["abcd", "ef"])
    #expect(textRecords(in: []) == [])
    for count in 1..<message.count {
      #expect(textRecords(in: Array(message.prefix(count))) == nil)
    }
  }

  @Test(
    arguments: [
      (["issue": "x.example"], false), (["issue": "ca.example"], true),
      (["issue": "ca.example", "issuewild": ";"], false),
      (["issue": ";", "issuewild": "ca.example"], true), (["iodef": "mailto:a@b.example"], true),
    ] as [([String: String], Bool)])
  func `for a wildcard issuewild counts, and issue where there is none`(
    records: [String: String], isAllowed: Bool
  ) {
    let records = records.map { AuthorizationRecord(tag: $0.key, value: $0.value) }
    let fault = obstacle(in: records, of: "example.com", for: Self.caaIdentity, isWildcard: true)
    #expect((fault == nil) == isAllowed)
  }

  @Test func `files of wildcards are called as in the domains folder`() {
    let folder = StateFolder("/s")
    #expect(folder.certificate("*.example.com") == "certificates/_wildcard.example.com.pem")
    for host in ["example.com", "*.example.com"] {
      #expect(StateFolder.host(String(folder.certificate(host).dropFirst(13).dropLast(4))) == host)
    }
  }
}
