internal import Diagnostics

/// A PEM file with what certificates and keys are read from, and what is wrong with it, in words.
struct PEMFile {
  let source: SourceText
  private let blocks: [PEM.Block]

  /// Why a file cannot be used, with the place in it.
  struct Fault: Error {
    let diagnostic: Diagnostic
  }

  init(_ source: SourceText) throws(Fault) {
    guard source.bytes.count <= Limits.pemFileBytes else {
      throw Fault(diagnostic: .tooLarge(source.path))
    }
    self.source = source
    do throws(PEM.Fault) {
      blocks = try PEM.blocks(in: source.bytes)
    } catch {
      throw Fault(diagnostic: .broken(source.location(of: error.range), error.message))
    }
  }

  /// All certificates of the file, in its order; at least one.
  ///
  /// - Parameter limit: the most that it may have.
  func certificates(limit: Int = .max) throws(Fault) -> [X509] {
    let found = blocks.filter { ["CERTIFICATE", "X509 CERTIFICATE"].contains($0.label) }
    if found.isEmpty {
      throw Fault(diagnostic: .noCertificate(in: source, labels: blocks.map(\.label)))
    }
    if found.count > limit {
      throw Fault(diagnostic: .tooMany(source.path, count: found.count))
    }
    var certificates: [X509] = []
    for block in found {
      guard let certificate = X509(der: try decode(block)) else {
        throw Fault(
          diagnostic: .undecodable(source.location(of: block.start), what: "certificate"))
      }
      certificates.append(certificate)
    }
    return certificates
  }

  /// A private key that can be used, and where it stands.
  struct Key {
    let key: PrivateKey
    let sealed: SealedBytes
    let kind: Certificate.Kind
    let location: Diagnostic.Location
  }

  /// The first private key of the file. Never asks for a passphrase.
  ///
  /// - Parameters:
  ///   - missing: what is told when there is none.
  ///   - encrypted: what is told of one that is encrypted.
  func privateKey(
    missing: @autoclosure () -> Diagnostic, encrypted: (Diagnostic.Location) -> Diagnostic
  ) throws(Fault) -> Key {
    guard let block = blocks.first(where: \.isPrivateKey) else {
      throw Fault(diagnostic: missing())
    }
    let location = source.location(of: block.start)
    if block.isEncrypted || block.label == "ENCRYPTED PRIVATE KEY" {
      throw Fault(diagnostic: encrypted(location))
    }
    var der = try decode(block)
    defer { cleanse(&der) }
    guard let key = PrivateKey(der: der.span), let sealed = SealedBytes(copying: der) else {
      throw Fault(diagnostic: .undecodable(location, what: "private key"))
    }
    switch key.suitability {
    case .usable(let kind): return Key(key: key, sealed: sealed, kind: kind, location: location)
    case .tooWeak(let bits): throw Fault(diagnostic: .keyWeak(location, bits: bits))
    case .unsupported(let name): throw Fault(diagnostic: .keyUnsupported(location, name: name))
    }
  }

  /// The encoded certificates of the file, in its order; nil when there are none, too many, or any
  /// that is told of by `certificates`.
  func certificateBytes(limit: Int) -> [[UInt8]]? {
    let found = blocks.filter { $0.label == "CERTIFICATE" }
    if found.isEmpty || found.count > limit { return nil }
    var certificates: [[UInt8]] = []
    for block in found {
      guard let bytes = try? decode(block) else { return nil }
      certificates.append(bytes)
    }
    return certificates
  }

  /// The first private key of the file, encoded; nil when there is none or it is encrypted.
  func keyBytes() -> [UInt8]? {
    guard let block = blocks.first(where: \.isPrivateKey),
      !block.isEncrypted, block.label != "ENCRYPTED PRIVATE KEY"
    else { return nil }
    return try? decode(block)
  }

  private func decode(_ block: PEM.Block) throws(Fault) -> [UInt8] {
    do throws(PEM.Fault) {
      return try PEM.decode(block, in: source.bytes)
    } catch {
      throw Fault(diagnostic: .broken(source.location(of: error.range), error.message))
    }
  }
}
