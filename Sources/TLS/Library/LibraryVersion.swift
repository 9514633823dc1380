internal import COpenSSL

/// The OpenSSL version that this process uses at run time, such as `3.0.15`.
package let openSSLVersion: String = {
  // OpenSSL returns a text such as `OpenSSL 3.0.15 3 Sep 2024`.
  let text = unsafe OpenSSL_version(OPENSSL_VERSION).map { unsafe String(cString: $0) } ?? ""
  let words = text.split(separator: " ")
  return words.count > 1 ? String(words[1]) : text
}()
