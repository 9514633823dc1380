internal import Diagnostics

/// Reads a certificate's files once, in steps. After a fault in one step, some of the later steps
/// are skipped.
///
/// Our own reader takes a few microseconds; OpenSSL takes several hundred. So our reader reads
/// every certificate first. OpenSSL reads only the certificates that our reader refuses, because
/// OpenSSL supports more forms and can say what is wrong with a bad certificate.
struct CertificateReading {
  let file: CertificateFile
  let intermediates: SharedIntermediates
  private(set) var diagnostics: [Diagnostic] = []

  mutating func run() -> Certificate? {
    // Read both files before returning, so that the faults of both files are reported at once.
    let (file, missing) = (
      file, CertificateFault.noKey(chain: file.chain.path, key: file.key?.path)
    )
    let chainFile = attempt { () throws(CertificateFault) in try PEMFile(file.chain) }
    let chain = attempt { () throws(CertificateFault) in
      try chainFile?.certificates(limit: TLSLimits.chainCertificates)
    }
    let keyFile =
      file.key == nil
      ? chainFile : attempt { () throws(CertificateFault) in try PEMFile(file.keySource) }
    let key = attempt { () throws(CertificateFault) in
      try keyFile?.key(missing: missing)
    }
    guard let chain = chain ?? nil, let key = key ?? nil else { return nil }
    return usual(chain, key) ?? unusual(chain, key)
  }

  /// Runs `body`. If it throws, reports the fault and returns nil.
  private mutating func attempt<Result>(
    _ body: () throws(CertificateFault) -> Result
  ) -> Result? {
    do throws(CertificateFault) {
      return try body()
    } catch {
      diagnostics.append(error.diagnostic)
      return nil
    }
  }

  // MARK: Our own reader

  /// Returns the certificate if it has the usual form: the leaf comes first and matches the key,
  /// and each later certificate is the issuer of the certificate before it.
  func usual(_ found: [PEMFile.Item], _ key: PEMFile.Key) -> Certificate? {
    var chain: [CertificateOutline] = []
    for item in found {
      guard let next = try? CertificateOutline(item.der) else { return nil }
      if let last = chain.last, last.isSelfIssued || !last.isIssued(by: next) { return nil }
      chain.append(next)
    }
    guard let leaf = chain.first, !leaf.names.isEmpty,
      let kind = key.bytes.withBytes({ (try? KeyOutline($0))?.kind(for: leaf, $0) })
    else { return nil }
    var sent = chain.dropFirst().map(\.der)
    var hasRoot = false
    if let last = sent.last, chain[chain.count - 1].isSelfIssued {
      // A self-issued certificate is not always self-signed: a CA that changes its key certifies
      // the new key with the old key (RFC 5280 section 3.2).
      guard X509.shared(der: last)?.isSelfSigned == true else { return nil }
      hasRoot = true
      sent.removeLast()
    }
    return Certificate(
      path: file.chain.path, names: leaf.names, validity: (leaf.notBefore, leaf.notAfter),
      kind: kind, leaf: leaf.der, intermediates: intermediates.shared(sent), hasRoot: hasRoot,
      key: key.bytes)
  }

  // MARK: OpenSSL

  /// Returns the certificate in any form that OpenSSL can read. If the certificate cannot be
  /// served, reports the faults and returns nil.
  mutating func unusual(_ found: [PEMFile.Item], _ key: PEMFile.Key) -> Certificate? {
    let parsed = attempt { () throws(CertificateFault) in
      try found.map { item throws(CertificateFault) in try item.certificate() }
    }
    let usable = attempt { () throws(CertificateFault) in try key.privateKey() }
    guard let parsed, let (privateKey, kind) = usable,
      let chain = order(parsed, for: privateKey)
    else { return nil }
    let (leaf, names) = (chain[0], chain[0].names)
    if names.isEmpty {
      diagnostics.append(.noNames(in: file.chain.path, subject: leaf.subject))
      return nil
    }
    guard let validity = leaf.validity else {
      diagnostics.append(
        CertificateFault.undecodable(.init(path: file.chain.path), what: "certificate").diagnostic)
      return nil
    }
    let sent = chain.dropFirst().filter { !$0.isSelfSigned }
    return Certificate(
      path: file.chain.path, names: names, validity: validity, kind: kind, leaf: leaf.der,
      intermediates: intermediates.shared(sent.map(\.der)), hasRoot: sent.count < chain.count - 1,
      key: key.bytes)
  }

  /// Returns the chain: first the leaf, which is the certificate that matches the key, then the
  /// leaf's issuers, as far as the file contains them.
  private mutating func order(_ certificates: [X509], for key: PrivateKey) -> [X509]? {
    guard let position = certificates.firstIndex(where: { $0.matches(key) }) else {
      let fault = CertificateFault.keyMismatch(chain: file.chain.path, key: file.keySource.path)
      diagnostics.append(fault.diagnostic)
      return nil
    }
    var rest = certificates
    var chain = [rest.remove(at: position)]
    while !chain[chain.count - 1].isSelfSigned {
      let last = chain[chain.count - 1]
      // Several certificates in the file may have the name and key of the issuer. Choose the
      // certificate that expires last.
      let issuers = rest.indices.filter { last.canBeIssued(by: rest[$0]) }
      guard let next = issuers.max(by: { rest[$0].notAfter < rest[$1].notAfter }) else { break }
      chain.append(rest.remove(at: next))
    }
    let isInOrder = zip(certificates, chain).allSatisfy { $0 === $1 }
    if position > 0 {
      diagnostics.append(
        .leafNotFirst(in: file.chain.path, subject: chain[0].subject, position: position + 1))
    } else if !isInOrder {
      diagnostics.append(.wrongOrder(in: file.chain.path))
    }
    return chain
  }
}
