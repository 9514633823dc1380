/// The address of an OpenSSL object that several threads may use at once.
///
/// `SSL_CTX`, `X509`, `EVP_PKEY`, `X509_STORE` and `EVP_CIPHER` count their references atomically
/// and lock their internal changes (openssl-threads(7)), provided that nobody configures them any
/// more. A handle is made only after configuration, by a final class that frees the object in its
/// `deinit`; that is why this type may be `Sendable` and a bare pointer may not. An `SSL` is never
/// put into one, because it belongs to one thread.
struct Handle: Sendable {
  private let address: UInt

  init(_ pointer: OpaquePointer) {
    address = UInt(bitPattern: pointer)
  }

  var pointer: OpaquePointer {
    guard let pointer = unsafe OpaquePointer(bitPattern: address) else {
      preconditionFailure("a handle is made from a pointer, which is never null")
    }
    return unsafe pointer
  }
}
