import Posix
import TLS
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a new empty folder.
func temporaryFolder() throws -> String {
  var template = Array("/tmp/aasa-issuance-XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension SigningKey {
  /// The key as PEM text.
  func pem() -> [UInt8] {
    var text: [UInt8] = []
    appendPEM(to: &text)
    return text
  }
}
