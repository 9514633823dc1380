import Foundation
import TLSTestSupport

extension TestFolder {
  /// Writes a certificate and its key as `NAME.crt` and `NAME.key`.
  func write(_ certificate: TestCertificate, _ name: String) {
    write(certificate, name + ".crt", name + ".key")
  }

  func write(_ certificate: TestCertificate, _ chain: String, _ key: String) {
    write(chain, bytes: certificate.pem)
    writeKey(certificate.key, key)
  }

  /// Writes a key that only its owner can read.
  func writeKey(_ key: TestKey, _ name: String, mode: mode_t = 0o600) {
    write(name, bytes: key.pem())
    chmod(self(name), mode)
  }
}
