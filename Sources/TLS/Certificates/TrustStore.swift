internal import Bytes
internal import COpenSSL
package import Diagnostics
internal import LibC
internal import Synchronization

/// The trusted root certificates, at which a chain may end.
package final class TrustStore: Sendable {
  let handle: Handle
  /// Whether the store contains no roots, for example in a minimal container.
  package let isEmpty: Bool

  /// Loads OpenSSL's default file and directory, or the file in SSL_CERT_FILE and the directory in
  /// SSL_CERT_DIR.
  package static func system() throws(TLSError) -> TrustStore {
    ErrorQueue.clear()
    guard let store = unsafe X509_STORE_new() else { throw ErrorQueue.error("X509_STORE_new") }
    // OpenSSL fails if the file or the directory is absent. Ignore this failure.
    _ = unsafe X509_STORE_set_default_paths(store)
    ErrorQueue.clear()
    return unsafe TrustStore(
      owning: store, isEmpty: aasa_store_is_empty(store) == 1 && !hasDefaultDirectory())
  }

  /// The system's roots, loaded on first use; nil if OpenSSL cannot make a store. Loading the roots
  /// takes about 30 ms of processor time.
  package static let ofSystem: TrustStore? = try? system()

  /// Makes a store that contains only the certificates of a PEM file.
  ///
  /// Throws `CMSError.file` if the file has no certificate, or an unreadable certificate.
  package static func roots(in source: SourceText) throws(CMSError) -> TrustStore {
    let roots = try certificates(in: source)
    ErrorQueue.clear()
    guard let store = unsafe X509_STORE_new() else {
      throw .refused(ErrorQueue.error("X509_STORE_new"))
    }
    let trust = unsafe TrustStore(owning: store, isEmpty: false)
    try trust.add(roots)
    return trust
  }

  /// Makes a store of the system's roots. If `source` is not nil, adds the roots in this PEM file,
  /// for example those of a private CA.
  package static func system(and source: SourceText?) throws(CMSError) -> TrustStore {
    let trust = try mapping(system(), to: CMSError.refused)
    if let source { try trust.add(certificates(in: source)) }
    return trust
  }

  private func add(_ roots: [X509]) throws(CMSError) {
    for root in roots where unsafe X509_STORE_add_cert(handle.pointer, root.handle.pointer) != 1 {
      throw .refused(ErrorQueue.error("X509_STORE_add_cert"))
    }
  }

  private init(owning store: OpaquePointer, isEmpty: Bool) {
    handle = unsafe Handle(store)
    self.isEmpty = isEmpty
  }

  deinit { unsafe X509_STORE_free(handle.pointer) }

  /// Returns whether a trusted root could have issued `certificate`.
  func knowsIssuer(of certificate: X509) -> Bool {
    guard let search = unsafe X509_STORE_CTX_new() else { return false }
    defer { unsafe X509_STORE_CTX_free(search) }
    ErrorQueue.clear()
    guard unsafe X509_STORE_CTX_init(search, handle.pointer, nil, nil) == 1 else { return false }
    var issuer: OpaquePointer? = nil
    let found = unsafe X509_STORE_CTX_get1_issuer(&issuer, search, certificate.handle.pointer) == 1
    unsafe X509_free(issuer)
    return found
  }

  /// Returns whether a trusted root could have issued `certificate`. If `memory` is not nil, looks
  /// up each issuer only once, because OpenSSL reads its whole directory again for each missing
  /// issuer.
  func knowsIssuer(of certificate: X509, remembering memory: KnownIssuers?) -> Bool {
    guard let memory, let question = certificate.issuerSearch else {
      return knowsIssuer(of: certificate)
    }
    if let answer = memory.answer(to: question) { return answer }
    let answer = knowsIssuer(of: certificate)
    memory.remember(answer, to: question)
    return answer
  }

  /// Returns whether OpenSSL's directory of root certificates contains any file.
  private static func hasDefaultDirectory() -> Bool {
    let path =
      unsafe getenv(X509_get_default_cert_dir_env())
      ?? UnsafeMutablePointer(
        mutating: X509_get_default_cert_dir())
    guard let path = unsafe path, let directory = unsafe opendir(path) else { return false }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      // Skip `.` and `..`, and other hidden files.
      if unsafe entry.pointee.d_name.0 != 0x2E { return true }
    }
    return false
  }
}

/// The issuers that were looked up while certificates were loaded, and whether each issuer is
/// trusted. Do not use this object for the next load, because roots may be added in between.
package final class KnownIssuers: Sendable {
  private let answers = Mutex<[[UInt8]: Bool]>([:])

  package init() {}

  func answer(to question: [UInt8]) -> Bool? { answers.withLock { $0[question] } }

  func remember(_ answer: Bool, to question: [UInt8]) {
    answers.withLock { answers in
      if answers.count >= TLSLimits.rememberedIssuers { answers.removeAll() }
      answers[question] = answer
    }
  }
}
