/// The address of an OpenSSL object that several threads may use at once.
///
/// `SSL_CTX`, `X509`, `EVP_PKEY`, `X509_STORE` and `EVP_CIPHER` count their references atomically
/// and lock their internal changes (openssl-threads(7)) once their configuration is complete. A
/// final class makes the handle after configuring the object, and frees the object in its `deinit`.
/// For these reasons this type may be `Sendable` although a bare pointer may not. It never contains
/// the address of an `SSL`, which only one thread may use.
struct Handle: Sendable {
  private let address: UInt

  init(_ pointer: OpaquePointer) {
    address = UInt(bitPattern: pointer)
  }

  var pointer: OpaquePointer {
    guard let pointer = unsafe OpaquePointer(bitPattern: address) else {
      preconditionFailure("the pointer of a handle must not be null")
    }
    return unsafe pointer
  }
}
