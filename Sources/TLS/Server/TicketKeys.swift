internal import COpenSSL

/// The keys that protect session tickets: one key that encrypts new tickets, and older keys that
/// only decrypt tickets.
///
/// In TLS 1.2, anyone who has a key can decrypt the sessions whose tickets it encrypted, and the
/// sessions resumed with these tickets. So keys exist only in memory, are
/// replaced (`rotated`), and are overwritten when the last reference is released.
package final class TicketKeys: Sendable {
  /// The keys, the current one first.
  let keys: [TicketKey]

  /// Makes a new random key. Tickets from other keys are not accepted.
  package init() { keys = [TicketKey()] }

  private init(keys: [TicketKey]) { self.keys = keys }

  /// Returns keys with a new current key. Tickets of the previous key are still accepted, and
  /// renewed.
  package func rotated() -> TicketKeys {
    TicketKeys(keys: [TicketKey()] + keys.prefix(TLSLimits.previousTicketKeys))
  }
}

/// One key: 16 bytes for its name, 32 for AES-256-CBC and 32 for HMAC-SHA256, as in RFC 5077
/// section 4.
final class TicketKey: Sendable {
  static let nameBytes = 16
  private static let cipherKeyBytes = 32
  private static let macKeyBytes = 32
  private static let bytes = nameBytes + cipherKeyBytes + macKeyBytes

  private let handle: Handle

  init() {
    guard let memory = unsafe aasa_malloc(Self.bytes) else { preconditionFailure("no memory") }
    handle = unsafe Handle(OpaquePointer(memory))
    precondition(
      unsafe RAND_bytes(name, Int32(Self.bytes)) == 1, "the system gave no random bytes")
  }

  deinit { unsafe aasa_clear_free(UnsafeMutableRawPointer(handle.pointer), Self.bytes) }

  var name: UnsafeMutablePointer<UInt8> { unsafe UnsafeMutablePointer(handle.pointer) }
  var cipherKey: UnsafeMutablePointer<UInt8> { unsafe name + Self.nameBytes }

  /// Initializes OpenSSL's `mac` with the bytes of this key that are for HMAC-SHA256.
  func initialize(mac: OpaquePointer?) -> Bool {
    unsafe aasa_ticket_mac_init(mac, cipherKey + Self.cipherKeyBytes, Self.macKeyBytes) == 1
  }

  func hasName(_ other: UnsafePointer<UInt8>) -> Bool {
    unsafe CRYPTO_memcmp(name, other, Self.nameBytes) == 0
  }
}

/// Prepares the encryption or decryption of a ticket. SSL_CTX_set_tlsext_ticket_key_evp_cb(3)
/// describes the result.
let ticketCallback:
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?,
    OpaquePointer?, Int32
  ) -> Int32 = { ssl, name, iv, cipher, mac, isEncrypting in
    guard let ssl = unsafe ssl, let name = unsafe name, let iv = unsafe iv,
      let keys = unsafe ServerState.attached(to: ssl)?.material.ticketKeys.keys
    else { return Ticket.failed }
    if isEncrypting == 1 {
      return unsafe encrypt(with: keys[0], name: name, iv: iv, cipher: cipher, mac: mac)
    }
    for (age, key) in keys.enumerated() where unsafe key.hasName(name) {
      guard unsafe EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipherKey, iv) == 1,
        unsafe key.initialize(mac: mac)
      else { return Ticket.failed }
      // In TLS 1.3, a client uses each ticket only once, and then needs a new ticket.
      let renew = unsafe age > 0 || SSL_version(ssl) >= TLS1_3_VERSION
      return renew ? Ticket.acceptedAndRenewed : Ticket.accepted
    }
    return Ticket.unknown
  }

private enum Ticket {
  static let failed: Int32 = -1
  /// No key has the name in the ticket. This is not an error: OpenSSL makes a full handshake and
  /// sends a new ticket.
  static let unknown: Int32 = 0
  static let accepted: Int32 = 1
  static let acceptedAndRenewed: Int32 = 2
}

private func encrypt(
  with key: TicketKey, name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>,
  cipher: OpaquePointer?, mac: OpaquePointer?
) -> Int32 {
  unsafe name.update(from: key.name, count: TicketKey.nameBytes)
  guard unsafe RAND_bytes(iv, EVP_MAX_IV_LENGTH) == 1,
    unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipherKey, iv) == 1,
    unsafe key.initialize(mac: mac)
  else { return Ticket.failed }
  return Ticket.accepted
}
