internal import Bytes
internal import Posix
internal import TLS

extension AppFile {
  /// Reads a file or a folder. Recognizes the kind of the file by its content, not its name.
  package init(reading path: String) throws(AppFileFault) {
    if try mapping(status(path), to: AppFileFault.system).kind == .directory {
      try self.init(folder: path)
      return
    }
    let start = try mapping(
      readNamedInput(path, limit: AppFileLimits.profileBytes), to: AppFileFault.system)
    if start.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      try self.init(archive: try Self.source(start, path))
    } else if Self.isExecutable(start.bytes) {
      try self.init(executable: try Self.source(start, path))
    } else {
      guard !start.isTruncated else {
        throw .content(
          "the file has more than \(AppFileLimits.profileBytes) bytes, so it contains neither "
            + "entitlements nor a profile")
      }
      try self.init(start.bytes)
    }
  }

  /// Reads an `.ipa`.
  package init(archive source: ByteSource) throws(AppFileFault) {
    try self.init(package: try AppPackage(archive: ZIPArchive(source)))
  }

  package init(executable source: ByteSource) throws(AppFileFault) {
    guard let blob = try CodeSignature.entitlements(ForwardReader(source)) else {
      throw .content("the executable is not signed, or was signed without entitlements")
    }
    self.init(kind: .signedApp, entitlements: try Self.list(blob))
  }

  /// Returns a source for all bytes of a file. `start` contains the file's first bytes. A pipe
  /// cannot be read a second time, so for a pipe `start` must contain all bytes.
  static func source(
    _ start: FileContent, _ path: String
  ) throws(AppFileFault) -> ByteSource {
    if start.status.kind != .regular {
      if start.isTruncated {
        throw .content(
          "the file is too large to be read from a pipe: pass the path of the file instead")
      }
      return ByteSource(start.bytes)
    }
    return try mapping(ByteSource(path: path), to: AppFileFault.system)
  }

  private static func isExecutable(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 32 else { return false }
    return [0xCAFE_BABE, 0xCAFE_BABF].contains(bigEndian(bytes, 0, 4))
      || [0xFEED_FACE, 0xFEED_FACF].contains(littleEndian(bytes, 0, 4))
  }

  /// Reads entitlements, a provisioning profile, a configuration profile, or Expo's settings.
  package init(_ bytes: [UInt8]) throws(AppFileFault) {
    switch bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"): try self.init(expo: bytes)
    case 0x30 where bytes[0] == 0x30 && bytes.count > 1 && bytes[1] >= 0x80:
      let content = try ProvisioningProfile.content(of: bytes)
      let list = try PropertyList(content)
      if list[Self.payloadsKey] != nil {
        try self.init(managed: list)
      } else {
        self.init(try ProvisioningProfile(content))
      }
    default:
      let list = try Self.list(bytes)
      if list["CFBundleIdentifier"] != nil, list[Self.domainsKey] == nil {
        throw .content(
          "this file is an Info.plist; the app's entitlements are in a separate file that ends in "
            + ".entitlements")
      }
      if list[Self.payloadsKey] != nil {
        try self.init(managed: list)
      } else {
        self.init(kind: .entitlements, entitlements: list)
      }
    }
  }

  /// Reads a property list whose top-level value is a dictionary. Skips the lines that codesign
  /// prints before the list.
  static func list(_ bytes: [UInt8]) throws(AppFileFault) -> PropertyList {
    guard bytes.count <= AppFileLimits.textBytes else {
      throw .content(
        "the file has more than \(AppFileLimits.textBytes) bytes, the limit for entitlements and "
          + "profiles")
    }
    let starts = ["<?xml", "<!DOCTYPE", "<plist"].map { Array($0.utf8) }
    let begin =
      bytes.starts(with: "bplist".utf8)
      ? 0
      : bytes.prefix(4096).indices.first { place in
        bytes[place] == UInt8(ascii: "<") && starts.contains { bytes[place...].starts(with: $0) }
      }
    if begin == nil, let list = PropertyList(codesign: bytes) { return list }
    let list = try PropertyList(bytes, from: begin ?? 0)
    guard case .dictionary = list else {
      throw .content("the property list has no dictionary at the top level")
    }
    return list
  }
}

extension ProvisioningProfile {
  init(signed bytes: [UInt8]) throws(AppFileFault) {
    try self.init(try Self.content(of: bytes))
  }

  /// Returns the content of a signed profile, without its signature. Does not verify the signature.
  static func content(of bytes: [UInt8]) throws(AppFileFault) -> [UInt8] {
    try mapping(CMS.content(of: bytes, limit: AppFileLimits.profileBytes)) {
      (error: CMSError) in
      AppFileFault.content("the file is not a provisioning profile: \(error.message)")
    }
  }
}
