internal import COpenSSL

/// Why a session has failed, and whether this side or the peer is at fault.
package struct TLSFailure: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Fault: Sendable, Equatable {
    /// The client or the network failed; there is nothing to fix on this side.
    case peer
    /// This server failed, or its files are at fault.
    case ours
  }

  /// The kind of failure, for metrics.
  package enum Reason: UInt8, Sendable, CaseIterable {
    case malformedServerName, unknownServerName, certificate, plainHTTP
    /// The two sides have no TLS version in common.
    case version
    /// The two sides have no cipher suite, group or signature scheme in common.
    case negotiation
    /// The client refused with an alert, most often because of our certificate.
    case alert
    case connectionLost
    /// The client sent more bytes than are allowed in a handshake.
    case tooLong
    case other

    /// The name of the failure in metrics, such as `unknown-server-name`.
    package var name: String {
      switch self {
      case .malformedServerName: "malformed-server-name"
      case .unknownServerName: "unknown-server-name"
      case .certificate: "certificate"
      case .plainHTTP: "plain-http"
      case .version: "version"
      case .negotiation: "negotiation"
      case .alert: "alert"
      case .connectionLost: "connection-lost"
      case .tooLong: "too-long"
      case .other: "other"
      }
    }
  }

  package let fault: Fault
  package let reason: Reason
  /// One sentence about the failure. It may include OpenSSL's reasons, the oldest first.
  package let description: String

  init(_ fault: Fault, _ description: String, _ reason: Reason = .other) {
    self.fault = fault
    self.reason = reason
    self.description = description
  }
}

extension ServerState.Refusal {
  /// Returns the failure to report for a handshake that our callback refused.
  func failure(serverName: String?, queue: String) -> TLSFailure {
    switch self {
    case .malformedServerName:
      TLSFailure(.peer, "the client sent a malformed server name", .malformedServerName)
    case .unknownServerName:
      if let serverName {
        TLSFailure(
          .peer, "no certificate for the server name \"\(serverName)\"", .unknownServerName)
      } else {
        TLSFailure(
          .peer, "the client sent no server name and no default certificate is set",
          .unknownServerName)
      }
    case .certificateNotUsable(let path):
      TLSFailure(.ours, "cannot use the certificate \(path): \(queue)", .certificate)
    }
  }
}

/// The meaning of OpenSSL's error queue after a call that failed with `SSL_ERROR_SSL`.
struct QueueVerdict {
  var text = ""
  var isPlainHTTP = false
  /// Whether a record contains a version that is not a TLS version. If this record was the first,
  /// the bytes are not TLS.
  var isWrongVersion = false
  var fault = TLSFailure.Fault.peer
  var reason = TLSFailure.Reason.other

  /// Removes all errors from OpenSSL's error queue and examines them.
  init() {
    text = ErrorQueue.drain { entry in
      // A fatal entry means that memory is full, the library is broken or an algorithm is missing.
      // A client cannot cause any of these faults.
      if entry.isFatal { fault = .ours }
      guard entry.library == ERR_LIB_SSL else { return }
      switch entry.reason {
      case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: isPlainHTTP = true
      case SSL_R_WRONG_VERSION_NUMBER: isWrongVersion = true
      case SSL_R_CERT_CB_ERROR, SSL_R_CALLBACK_FAILED, SSL_R_NO_CERTIFICATE_SET,
        SSL_R_NO_CERTIFICATE_ASSIGNED:
        fault = .ours
      case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW: reason = .version
      case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
        SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
        reason = .negotiation
      // OpenSSL's reason for a received alert is this offset plus the number of the alert (RFC 8446
      // section 6).
      case SSL_AD_REASON_OFFSET..<(SSL_AD_REASON_OFFSET + 256): reason = .alert
      default: break
      }
    }
  }
}
