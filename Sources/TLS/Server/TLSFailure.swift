internal import COpenSSL

/// Why a session has failed, and by whose fault.
package struct TLSFailure: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Fault: Sendable, Equatable {
    /// The client or the network: nothing to mend here.
    case peer
    /// This server or its files.
    case ours
  }

  package let fault: Fault
  /// One sentence, with OpenSSL's own words, oldest first.
  package let description: String

  init(_ fault: Fault, _ description: String) {
    self.fault = fault
    self.description = description
  }
}

extension SessionState.Refusal {
  /// The failure to report for a handshake that a callback of ours refused.
  func failure(serverName: String?, queue: String) -> TLSFailure {
    switch self {
    case .malformedServerName:
      TLSFailure(.peer, "the client sent a malformed server name")
    case .unknownServerName:
      if let serverName {
        TLSFailure(.peer, "no certificate for the server name \"\(serverName)\"")
      } else {
        TLSFailure(.peer, "the client sent no server name and no default certificate is set")
      }
    case .certificateNotUsable(let path):
      TLSFailure(.ours, "cannot use the certificate \(path): \(queue)")
    }
  }
}

/// What OpenSSL's queue says about a call that failed with `SSL_ERROR_SSL`.
struct QueueVerdict {
  var text = ""
  var isPlainHTTP = false
  /// The record's version is no version of TLS. In a first record: what came is no TLS at all.
  var isWrongVersion = false
  var fault = TLSFailure.Fault.peer

  /// Empties the queue.
  init() {
    var isPlainHTTP = false
    var isWrongVersion = false
    var fault = TLSFailure.Fault.peer
    text = ErrorQueue.drain { entry in
      // No memory, a broken library, a missing algorithm: never what a client sent.
      if entry.isFatal { fault = .ours }
      guard entry.library == ERR_LIB_SSL else { return }
      switch entry.reason {
      case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: isPlainHTTP = true
      case SSL_R_WRONG_VERSION_NUMBER: isWrongVersion = true
      case SSL_R_CERT_CB_ERROR, SSL_R_CALLBACK_FAILED, SSL_R_NO_CERTIFICATE_SET,
        SSL_R_NO_CERTIFICATE_ASSIGNED:
        fault = .ours
      default: break
      }
    }
    self.isPlainHTTP = isPlainHTTP
    self.isWrongVersion = isWrongVersion
    self.fault = fault
  }
}
