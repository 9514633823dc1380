internal import Bytes
internal import Diagnostics
internal import Posix

/// A PEM file with certificates and keys.
struct PEMFile {
  let source: SourceText
  private let blocks: [PEM.Block]

  /// Throws the fault if the file is too large or is not valid PEM. The functions below also throw
  /// faults of the file.
  init(_ source: SourceText) throws(CertificateFault) {
    guard source.bytes.count <= TLSLimits.pemFileBytes else {
      throw .fileTooLarge(path: source.path)
    }
    self.source = source
    blocks = try mapping(PEM.blocks(in: source.bytes)) { (error: PEM.Fault) in
      CertificateFault.broken(source.location(of: error.range), error.message)
    }
  }

  /// The decoded content of a PEM block, and the block's position in the file.
  struct Item {
    let der: [UInt8]
    let source: SourceText
    let start: Range<Int>

    var location: Diagnostic.Location { source.location(of: start) }
  }

  /// Returns all certificates of the file, in the order of the file. Throws if there is none.
  ///
  /// - Parameter limit: The maximum number of certificates in the file.
  func certificates(limit: Int = .max) throws(CertificateFault) -> [Item] {
    let found = blocks.filter { ["CERTIFICATE", "X509 CERTIFICATE"].contains($0.label) }
    if found.isEmpty {
      let labels = blocks.map { "\"\($0.label)\"" }.joined(separator: ", ")
      // The encoding of a PKCS #12 file (RFC 7292 section 4) is a sequence whose first element is
      // the integer 3.
      let bytes = source.bytes
      throw .noCertificate(
        path: source.path,
        found: bytes.isEmpty
          ? "the file is empty" : labels.isEmpty ? "found no PEM block" : "found only \(labels)",
        isArchive: bytes.first == 0x30 && bytes.dropFirst(4).starts(with: [2, 1, 3]))
    }
    if found.count > limit { throw .tooManyCertificates(path: source.path, count: found.count) }
    return try found.map { block throws(CertificateFault) in
      Item(der: try decode(block), source: source, start: block.start)
    }
  }

  /// A private key in DER, and the position of its PEM block in the file.
  struct Key {
    let bytes: SealedBytes
    let source: SourceText
    let start: Range<Int>

    var location: Diagnostic.Location { source.location(of: start) }
  }

  /// Returns the first private key of the file. Never asks for a passphrase.
  ///
  /// - Parameters:
  ///   - missing: The fault to throw if there is no key.
  ///   - isForSigning: Whether a person, not a server, signs with the key.
  func key(
    missing: @autoclosure () -> CertificateFault, isForSigning: Bool = false
  ) throws(CertificateFault) -> Key {
    guard let block = blocks.first(where: \.isPrivateKey) else { throw missing() }
    if block.isEncrypted || block.label == "ENCRYPTED PRIVATE KEY" {
      throw .keyEncrypted(source.location(of: block.start), isForSigning: isForSigning)
    }
    var der = try decode(block)
    defer { cleanse(&der) }
    guard let bytes = SealedBytes(copying: der) else {
      throw .undecodable(source.location(of: block.start), what: "private key")
    }
    return Key(bytes: bytes, source: source, start: block.start)
  }

  private func decode(_ block: PEM.Block) throws(CertificateFault) -> [UInt8] {
    try mapping(PEM.decode(block, in: source.bytes)) { (error: PEM.Fault) in
      CertificateFault.broken(source.location(of: error.range), error.message)
    }
  }
}

extension PEMFile.Item {
  /// Returns the certificate as an OpenSSL object.
  ///
  /// - Parameter isShared: Whether other chains probably contain the same certificate, so that they
  ///   share the object.
  func certificate(isShared: Bool = false) throws(CertificateFault) -> X509 {
    guard let certificate = isShared ? X509.shared(der: der) : X509(der: der) else {
      throw .undecodable(location, what: "certificate")
    }
    return certificate
  }
}

extension PEMFile.Key {
  /// Returns the key as an OpenSSL object, and the key's kind. Throws if servers cannot use the
  /// key.
  func privateKey() throws(CertificateFault) -> (key: PrivateKey, kind: Certificate.Kind) {
    guard let key = bytes.withBytes({ PrivateKey(der: $0) }) else {
      throw .undecodable(location, what: "private key")
    }
    switch key.suitability {
    case .usable(let kind): return (key, kind)
    case .tooWeak(let bits): throw .keyWeak(location, bits: bits)
    case .unsupported(let name): throw .keyUnsupported(location, name: name)
    }
  }
}
