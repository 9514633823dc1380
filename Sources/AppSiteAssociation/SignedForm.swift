internal import Bytes
internal import Diagnostics

/// Whether the bytes begin with a DER SEQUENCE. Its first byte is also the digit `0`, so the second
/// must be a byte that cannot follow `0` in JSON, or signed data must follow.
func beginsDER(_ bytes: [UInt8]) -> Bool {
  guard bytes.count > 1, bytes[0] == 0x30 else { return false }
  let isText = (0x20...0x7E).contains(bytes[1]) || isWhiteSpace(bytes[1])
  return !isText || isSignedData(bytes)
}

/// The object identifier 1.2.840.113549.1.7.2, id-signedData (RFC 5652 5.1), in DER.
private let signedDataIdentifier: [UInt8] = [
  0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
]

/// Returns why a file that begins like a signed one is not complete; nil if it is complete.
func signedFormFault(in source: SourceText) -> Diagnostic? {
  let bytes = source.bytes
  func refused(_ message: String, _ help: String) -> Diagnostic {
    Diagnostic(.brokenSignedFile, message, at: .init(path: source.path), help: help)
  }
  guard let (headerLength, contentLength) = lengthInDER(bytes) else {
    return refused(
      "the file looks like a signed file but its DER length cannot be read",
      "sign it again, with output in DER and not in streaming form (BER)")
  }
  guard headerLength + contentLength == bytes.count else {
    return refused(
      "the signed file has \(bytes.count) bytes where its DER header says "
        + "\(headerLength + contentLength)",
      "copy the file again, in binary mode")
  }
  guard isSignedData(bytes) else {
    return refused(
      "the file is DER but no CMS signed data",
      "sign the JSON with openssl smime -sign -nodetach -outform DER, or serve it unsigned")
  }
  return nil
}

private func isSignedData(_ bytes: [UInt8]) -> Bool {
  guard let (headerLength, _) = lengthInDER(bytes) else { return false }
  return bytes.dropFirst(headerLength).starts(with: signedDataIdentifier)
}

/// Returns the lengths of the outer header and its content (X.690 8.1.3); nil if the length is
/// indefinite or truncated.
private func lengthInDER(_ bytes: [UInt8]) -> (header: Int, content: Int)? {
  guard bytes.count >= 2 else { return nil }
  let first = Int(bytes[1])
  if first < 0x80 { return (2, first) }
  let octets = first - 0x80
  guard (1...4).contains(octets), bytes.count >= 2 + octets else { return nil }
  return (2 + octets, bytes[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) })
}
