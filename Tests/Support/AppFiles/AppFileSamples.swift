internal import Gzip

/// Files of apps, made for tests.
package enum AppFileSamples {
  /// A property list in XML.
  package static func plist(_ body: String) -> [UInt8] {
    Array(
      "<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\">\(body)</plist>".utf8)
  }

  package static func entitlements(
    app: String, domains: [String], team: String? = nil, more: String = ""
  ) -> [UInt8] {
    let entries = domains.map { "<string>\($0)</string>" }.joined()
    let team = team.map {
      "<key>com.apple.developer.team-identifier</key><string>\($0)</string>"
    }
    return plist(
      "<dict><key>application-identifier</key><string>\(app)</string>\(team ?? "")"
        + "<key>com.apple.developer.associated-domains</key><array>\(entries)</array>\(more)</dict>"
    )
  }

  /// The signed content of a provisioning profile.
  package static func profile(app: String, team: String, permitsDomains: Bool) -> [UInt8] {
    let capability =
      permitsDomains
      ? "<key>com.apple.developer.associated-domains</key><string>*</string>" : ""
    return plist(
      "<dict><key>Name</key><string>Shop Store</string><key>CreationDate</key>"
        + "<date>2026-01-01T00:00:00Z</date><key>TeamIdentifier</key><array><string>\(team)</string>"
        + "</array><key>DeveloperCertificates</key><array><data>AAAA</data></array>"
        + "<key>Entitlements</key><dict><key>application-identifier</key><string>\(app)</string>"
        + "\(capability)</dict></dict>")
  }

  /// A binary property list of a dictionary of texts and lists of texts.
  package static func binary(_ entries: [(String, [String]?, String)]) -> [UInt8] {
    var objects: [[UInt8]] = [[]]
    func add(_ object: [UInt8]) -> UInt8 {
      objects.append(object)
      return UInt8(objects.count - 1)
    }
    func text(_ text: String) -> [UInt8] {
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        return marker(0x50, text.utf8.count) + Array(text.utf8)
      }
      let units = Array(text.utf16)
      return marker(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
    var keys: [UInt8] = []
    var values: [UInt8] = []
    for (key, list, value) in entries {
      keys.append(add(text(key)))
      if let list {
        let elements = list.map { add(text($0)) }
        values.append(add(marker(0xA0, list.count) + elements))
      } else {
        values.append(add(text(value)))
      }
    }
    objects[0] = marker(0xD0, entries.count) + keys + values
    return binary(objects)
  }

  /// Objects that refer to each other by one byte, the first at the top.
  package static func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let start = UInt64(bytes.count)
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [UInt64(objects.count), 0, start] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return bytes
  }

  package static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15
      ? [kind | UInt8(count)] : [kind | 0x0F, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
  }

  /// An executable for one architecture, signed with entitlements.
  package static func executable(signedWith entitlements: [UInt8]) -> [UInt8] {
    let signatureStart = 70_000
    let blob = big(0xFADE_7171) + big(UInt32(8 + entitlements.count)) + entitlements
    let directory = big(0xFADE_0C02) + big(8)
    let first = 12 + 16
    var signature = big(0xFADE_0CC0) + big(UInt32(first + directory.count + blob.count)) + big(2)
    signature += big(0) + big(UInt32(first)) + big(5) + big(UInt32(first + directory.count))
    signature += directory + blob
    let commands =
      little(0x1B) + little(24) + [UInt8](repeating: 7, count: 16) + little(0x1D) + little(16)
      + little(UInt32(signatureStart)) + little(UInt32(signature.count))
    let header =
      little(0xFEED_FACF) + little(0x0100_000C) + little(0) + little(2) + little(2)
      + little(UInt32(commands.count)) + little(0) + little(0)
    let code = header + commands
    return code + [UInt8](repeating: 0x90, count: signatureStart - code.count) + signature
  }

  /// An executable for several architectures. The table at its beginning names the last one first,
  /// because any order is right.
  ///
  /// - Parameter isLarge: Offsets and sizes have 64 bits.
  package static func universal(_ parts: [UInt8]..., isLarge: Bool = false) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (isLarge ? big(0) : []) + big(UInt32(value)) }
    var entries: [[UInt8]] = []
    var offset = 4096
    for part in parts {
      let place = number(offset) + number(part.count)
      entries.append(big(0) + big(0) + place + big(12) + (isLarge ? big(0) : []))
      offset += (part.count + 4095) / 4096 * 4096
    }
    let kind: UInt32 = isLarge ? 0xCAFE_BABF : 0xCAFE_BABE
    var bytes = big(kind) + big(UInt32(parts.count)) + entries.reversed().flatMap(\.self)
    for part in parts {
      bytes += [UInt8](repeating: 0, count: (4096 - bytes.count % 4096) % 4096) + part
    }
    return bytes
  }

  /// An archive; what is `packed` is compressed.
  package static func archive(
    _ files: [(name: String, content: [UInt8])], isPacked: Bool = true
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in files {
      // Without the wrapper that gzip puts around it.
      let packed =
        isPacked
        ? Array(GzipCompressor().compress(content.span).dropFirst(10).dropLast(8)) : content
      let facts =
        little16(20) + little16(0) + little16(isPacked ? 8 : 0) + little(0) + little(0)
        + little(UInt32(packed.count)) + little(UInt32(content.count))
        + little16(UInt16(name.utf8.count))
      let header = bytes.count
      bytes += [0x50, 0x4B, 3, 4] + facts + little16(0) + Array(name.utf8) + packed
      directory += [0x50, 0x4B, 1, 2] + little16(20) + facts + little16(0) + little16(0)
      directory += little16(0) + little16(0) + little(0) + little(UInt32(header)) + Array(name.utf8)
    }
    let start = bytes.count
    bytes += directory + [0x50, 0x4B, 5, 6] + little(0)
    bytes += little16(UInt16(files.count)) + little16(UInt16(files.count))
    return bytes + little(UInt32(directory.count)) + little(UInt32(start)) + little16(0)
  }

  /// An Android package with a signing block: for each scheme a signer for each certificate.
  package static func signedPackage(
    _ schemes: [(scheme: UInt32, certificates: [[UInt8]])], manifest: [UInt8] = [3, 0, 8, 0]
  ) -> [UInt8] {
    let archive = archive([("AndroidManifest.xml", manifest), ("classes.dex", [1, 2, 3])])
    func counted(_ bytes: [UInt8]) -> [UInt8] { little(UInt32(bytes.count)) + bytes }
    // Padding, as apksigner makes it.
    var pairs = little(8) + little(0) + little(0x4272_6577) + little(0)
    for (scheme, certificates) in schemes {
      let signers = certificates.map { certificate in
        let digests = counted(counted(little(0x0103) + counted([9, 9])))
        let signedData = counted(digests + counted(counted(certificate)) + counted([]))
        return counted(signedData + counted([]) + counted([]))
      }
      let value = little(scheme) + counted(signers.flatMap(\.self))
      pairs += little(UInt32(value.count)) + little(0) + value
    }
    let size = little(UInt32(pairs.count + 24)) + little(0)
    let block = size + pairs + size + Array("APK Sig Block 42".utf8)
    let offset = archive.suffix(6).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return archive[..<offset] + block + archive[offset...].dropLast(6)
      + little(UInt32(offset + block.count)) + little16(0)
  }

  private static func big(_ number: UInt32) -> [UInt8] { little(number).reversed() }
  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  private static func little16(_ number: UInt16) -> [UInt8] {
    [UInt8(number & 0xFF), UInt8(number >> 8)]
  }
}
