internal import Bytes
internal import Settings

/// The owner of a file in the folder `kept`.
enum KeptKey: Hashable, Sendable {
  /// An entry of the domains folder.
  case entry(DomainName)
  /// A certificate, by the path of its chain; `isIssued` for an automatic one.
  case certificate(String, isIssued: Bool)

  /// The folders in `kept`. Files in `certificates` contain private keys.
  enum Folder: String, CaseIterable {
    case hosts, certificates
  }

  var folder: Folder {
    switch self {
    case .entry: .hosts
    case .certificate: .certificates
    }
  }

  /// The name of the owner's file.
  var file: String {
    switch self {
    case .entry(let name): name.entryName
    case .certificate(let chain, let isIssued):
      (isIssued ? Self.issuedMark : "") + escaped(chain) + Self.ending
    }
  }

  /// A description of the owner's file; nil if the server creates the file itself.
  var source: String? {
    switch self {
    case .entry(let name): "the file of \(name) in the domains folder"
    case .certificate(_, isIssued: true): nil
    case .certificate(let chain, isIssued: false): "\(chain) in the certificates folder"
    }
  }

  /// Nil if no owner has a file of this name.
  init?(file: String, in folder: Folder) {
    switch folder {
    case .hosts:
      guard let name = DomainName(entryName: file) else { return nil }
      self = .entry(name)
    case .certificates:
      guard file.hasSuffix(Self.ending) else { return nil }
      var name = file.dropLast(Self.ending.count)
      let isIssued = name.hasPrefix(Self.issuedMark)
      if isIssued { name = name.dropFirst(Self.issuedMark.count) }
      let decoded = name.utf8.percentDecoded
      guard let chain = String(validating: decoded, as: UTF8.self) else { return nil }
      self = .certificate(chain, isIssued: isIssued)
      if self.file != file { return nil }
    }
  }

  private static let ending = ".pem"
  /// A mark with which no escaped name begins.
  private static let issuedMark = "acme:"
}

/// Returns a path as one file name.
private func escaped(_ path: String) -> String {
  path.utf8.map { byte in
    byte.isBase64URLDigit || ".*".utf8.contains(byte)
      ? String(UnicodeScalar(byte)) : byte.percentEncoded
  }.joined()
}
