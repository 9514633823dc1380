internal import COpenSSL

/// Cryptographic digests.
package enum Digest {
  /// Returns the 32 bytes of the SHA-256 digest of `bytes`.
  package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let done = unsafe digest.withUnsafeMutableBufferPointer { output in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe EVP_Digest(
          input.baseAddress, input.count, output.baseAddress, nil, algorithm?.pointer, nil)
      }
    }
    precondition(done == 1, "this OpenSSL has no SHA-256")
    return digest
  }

  /// The algorithm, looked up by name once, because a lookup takes longer than a small digest.
  /// Never freed.
  private static let algorithm: Handle? = unsafe EVP_MD_fetch(nil, "SHA256", nil).map {
    unsafe Handle($0)
  }
}

/// Returns `count` unpredictable bytes.
package func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let done = unsafe bytes.withUnsafeMutableBufferPointer { output in
    unsafe RAND_bytes(output.baseAddress, Int32(output.count))
  }
  // Crash if there are no random bytes, because predictable bytes would be worse than a crash.
  precondition(done == 1, "the system gave no random bytes")
  return bytes
}
