import Diagnostics
import Testing

@testable import Keeping
@testable import Settings

@Suite struct SecurityTextTests {
  /// 2027-01-31T12:00:00Z
  private static let now: Int64 = 1_801_396_800

  private func warning(_ text: String) -> Diagnostic? {
    expiryWarning(
      ofSecurityText: SourceText(path: "security.txt", bytes: Array(text.utf8)), now: Self.now)
  }

  @Test(arguments: [
    "Expires: 2027-01-31T11:59:59Z", "expires: 2020-01-01t00:00:00z",
    "Contact: mailto:a@a.test\r\nExpires: 2027-01-31T11:59:59.999Z\r\n",
    "Expires: 2027-01-31T13:59:59+02:00", "Expires: 2027-01-31T09:59:59-02:00",
  ])
  func `a time in the past is a warning`(text: String) {
    #expect(warning(text)?.code == "H039")
  }

  @Test(arguments: [
    "", "Contact: mailto:a@a.test", "Expires: 2027-01-31T12:00:00Z",
    "Expires: 2027-01-31T14:00:00+02:00", "Expires: 2027-01-31T10:00:00-02:00",
    // Not a time.
    "Expires: soon", "Expires: 2020-13-01T00:00:00Z", "Expires: 2020-01-01", "Expires:",
    "# Expires: 2020-01-01T00:00:00Z", "Expires: 2020-01-01T00:00:00", "Expires: 2020-01-01T00:00Z",
  ])
  func `anything else is not`(text: String) {
    #expect(warning(text) == nil)
  }

  @Test func `the warning has the place of the field`() {
    let found = warning("Contact: x\nExpires: 2020-01-01T00:00:00Z\n")
    #expect(found?.location?.place?.line == 2 && found?.location?.place?.column == 1)
  }
}
