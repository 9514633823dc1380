internal import COpenSSL

// The callbacks of the server during a handshake, in the order in which OpenSSL calls them.

/// Reads the server name and selects the certificates. OpenSSL calls this callback first, before
/// the resumption of a session.
let clientHelloCallback: SSL_client_hello_cb_fn = { ssl, alert, _ in
  guard let ssl = unsafe ssl, let state = unsafe ServerState.attached(to: ssl) else {
    return SSL_CLIENT_HELLO_ERROR
  }
  state.hasClientHello = true
  switch unsafe serverName(in: ssl) {
  case .name(let name): state.serverName = name
  case .noName: break
  case .malformed:
    state.refusal = .malformedServerName
    unsafe alert?.pointee = SSL_AD_DECODE_ERROR
    return SSL_CLIENT_HELLO_ERROR
  }
  if let challenges = state.context.challenges, unsafe isChallenge(ssl) {
    state.challenge = state.serverName.flatMap(challenges.find)
  } else {
    state.selection = state.material.select(serverName: state.serverName)
  }
  guard state.selection.choice != nil || state.challenge != nil else {
    if let name = state.serverName { state.context.challenges?.noteRefused(name) }
    state.refusal = .unknownServerName
    unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
    return SSL_CLIENT_HELLO_ERROR
  }
  // A session for one name must not be resumed for another name. In TLS 1.2 and TLS 1.3, OpenSSL
  // compares the session ID context with the context in the ticket.
  let name = state.serverName ?? []
  let digest = Digest.sha256(name.span)
  guard unsafe SSL_set_session_id_context(ssl, digest, UInt32(digest.count)) == 1 else {
    return SSL_CLIENT_HELLO_ERROR
  }
  return SSL_CLIENT_HELLO_SUCCESS
}

/// Returns whether the client is a CA that checks whether the name points to this server.
private func isChallenge(_ ssl: OpaquePointer) -> Bool {
  var start: UnsafePointer<UInt8>? = nil
  var count = 0
  let present = unsafe SSL_client_hello_get0_ext(
    ssl, UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation), &start, &count)
  guard present == 1 else { return false }
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  return unsafe ChallengeCertificates.isOffered(in: bytes.span)
}

private func serverName(in ssl: OpaquePointer) -> ServerNameExtension.Outcome {
  var start: UnsafePointer<UInt8>? = nil
  var count = 0
  let present = unsafe SSL_client_hello_get0_ext(
    ssl, UInt32(TLSEXT_TYPE_server_name), &start, &count)
  guard present == 1 else { return .noName }
  // OpenSSL owns the bytes. They are valid only until the callback returns.
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  return unsafe ServerNameExtension.parse(bytes.span)
}

/// Passes the selected certificates to OpenSSL. OpenSSL does not call this callback for a resumed
/// session, so a resumption takes no private-key operation.
let certificateCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
  ssl, _ in
  guard let ssl = unsafe ssl, let state = unsafe ServerState.attached(to: ssl) else { return 0 }
  if let challenge = state.challenge { return unsafe challenge.install(on: ssl) ? 1 : 0 }
  for certificate in state.selection.certificates where unsafe !certificate.install(on: ssl) {
    state.refusal = .certificateNotUsable(certificate.path)
    return 0
  }
  return 1
}

/// Chooses the protocol. OpenSSL calls this callback only if the client sends ALPN (RFC 7301).
let protocolCallback: SSL_CTX_alpn_select_cb_func = {
  ssl, chosen, chosenCount, offered, count, _ in
  if unsafe ServerState.attached(to: ssl)?.challenge != nil, count > 10 {
    // In a challenge, the client's list contains only `acme-tls/1`. Choose this protocol.
    unsafe chosen?.pointee = offered.map { unsafe $0 + 1 }
    unsafe chosenCount?.pointee = 10
    return SSL_TLSEXT_ERR_OK
  }
  guard
    let range = unsafe http11(
      in: UnsafeBufferPointer(start: offered, count: Int(count)).span)
  else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  // The result may point into the client's list, because OpenSSL copies the result before it frees
  // the list.
  unsafe chosen?.pointee = offered.map { unsafe $0 + range.lowerBound }
  unsafe chosenCount?.pointee = UInt8(range.count)
  return SSL_TLSEXT_ERR_OK
}

/// Returns the range of `http/1.1` in a ProtocolNameList. The list must not begin with its total
/// length, and each name in it is preceded by the name's length.
func http11(in list: Span<UInt8>) -> Range<Int>? {
  let wanted: StaticString = "http/1.1"
  var position = 0
  while position < list.count {
    let start = position + 1
    let end = start + Int(list[position])
    guard end <= list.count else { return nil }
    if end - start == wanted.utf8CodeUnitCount, matches(list, start, wanted) { return start..<end }
    position = end
  }
  return nil
}

private func matches(_ list: Span<UInt8>, _ start: Int, _ wanted: StaticString) -> Bool {
  wanted.withUTF8Buffer { wanted in
    for index in wanted.indices where unsafe list[start + index] != wanted[index] {
      return false
    }
    return true
  }
}
