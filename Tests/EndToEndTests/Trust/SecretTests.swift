import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Private keys: in memory while they are served, and nowhere else at any time.
@Suite("trust: secrets", .manyAtOnce, .needs(.openssl)) struct SecretTests {
  @Test(.enabled(if: ProcessMemory.canBeRead, "only root can read another process's memory"))
  func `a key is in memory as long as it is served, and overwritten then`() throws {
    for watch in ["auto", "poll"] {
      let workspace = try Workspace(serving: ["a.example": association()])
      let (old, new) = try (
        makeCertificate(names: ["a.example"]),
        makeCertificate(names: ["a.example"])
      )
      let (oldForms, newForms) = try (forms(of: old.key), forms(of: new.key))
      try workspace.install(old, as: "site")
      try withServer(workspace, https: true, ["--watch", watch]) { server in
        server.allow(stderr: "site.crt")
        server.allow(stderr: "does not match")
        let memory = ProcessMemory(of: server.process.identifier)
        for _ in 0..<3 { try #expect(server.sClient("-servername", "a.example").exitCode == 0) }
        #expect(memory.holdsAny(of: oldForms), "or this test would see nothing")
        #expect(!memory.holdsAny(of: newForms))

        try workspace.install(new, as: "site")
        let isServed = try eventually(within: .seconds(60)) {
          try server.sClient("-servername", "a.example").text.contains(new.certificate)
        }
        #expect(isServed)
        // Each loop releases the old version at its next turn.
        let isGone = try eventually(within: .seconds(60)) {
          try server.sClient("-servername", "a.example").exitCode == 0
            && !memory.holdsAny(of: oldForms)
        }
        #expect(isGone, "\(watch): \(oldForms.map { memory.holdsAny(of: [$0]) })")
        #expect(memory.holdsAny(of: newForms))
      }
    }
  }

  /// With a C library that returns nothing to the system: bytes that were not overwritten stay for
  /// ever.
  @Test(
    .needsInterposer,
    .enabled(if: ProcessMemory.canBeRead, "only root can read another process's memory"))
  func `nothing of a key is in memory that was given back`() throws {
    let workspace = try Workspace(serving: ["a.example": association()])
    let names = ["ec", "ec-pkcs8", "rsa", "rsa-pkcs1"]
    let openssl = try #require(Tool.openssl.path)
    func write(_ name: String, _ key: String, of certificate: TestCertificate) throws {
      try workspace.write("certificates/\(name).key", key, mode: 0o600)
      try workspace.write("certificates/\(name).crt", certificate.chain)
    }
    var served: [[UInt8]] = []
    var read: [[UInt8]] = []
    for name in names {
      let kind = name.hasPrefix("rsa") ? TestCertificate.Kind.rsa : .ecdsa
      let certificate = try makeCertificate(names: ["\(name).example"], kind: kind)
      let isTraditional = ["ec", "rsa-pkcs1"].contains(name)
      let key = try run(
        openssl, ["pkey"] + (isTraditional ? ["-traditional"] : []), input: certificate.key
      ).text
      try write(name, key, of: certificate)
      served += try numbers(of: key)
      read += lines(of: key)
    }
    // These are read, and never served.
    let good = try makeCertificate(names: ["a.example"])
    read += try numbers(of: good.key) + lines(of: good.key)
    try write("garbled", good.key.replacing("=\n", with: "!\n"), of: good)
    let mismatched = try makeCertificate(names: ["b.example"])
    read += try numbers(of: mismatched.key) + lines(of: mismatched.key)
    try write("mismatched", mismatched.key, of: good)

    let environment = ["LD_PRELOAD": try Self.keeper.get()]
    try withServer(workspace, https: true, environment: environment) { server in
      server.allow(stderr: "[T")
      server.allow(stderr: "[H014]")
      for name in names {
        try #expect(server.sClient("-servername", "\(name).example").exitCode == 0)
      }
      let memory = ProcessMemory(of: server.process.identifier)
      #expect(memory.holdsAny(of: served), "or this test would see nothing")
      #expect(memory.found(of: read) == [])
      for name in names {
        try workspace.install(
          makeCertificate(names: ["new-\(name).example"]), as: name)
      }
      let isGone = try eventually(within: .seconds(60)) {
        try names.allSatisfy {
          try server.sClient("-servername", "new-\($0).example").text.contains("new-\($0)")
        } && !memory.holdsAny(of: served)
      }
      #expect(isGone, "\(memory.found(of: served).map { $0.count })")
    }
  }

  @Test(
    .needsPebble, .needsNameServer, .needsInterposer,
    .enabled(if: ProcessMemory.canBeRead, "only root can read another process's memory"))
  func `no text of a key that the server made for itself is in memory`() throws {
    let issuance = try Issuance(["example.com"])
    var environment = issuance.world.environment
    let libraries = [environment["LD_PRELOAD"], try Self.keeper.get()]
    environment["LD_PRELOAD"] = libraries.compactMap(\.self).joined(separator: ":")
    try withServer(
      issuance.workspace, https: true, issuance.flags(), environment: environment
    ) { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let memory = ProcessMemory(of: server.process.identifier)
      for file in ["certificates/example.com.pem", "acme/account.pem"] {
        let text = try issuance.workspace.text("state/" + file)
        let end = try #require(text.range(of: "-----END EC PRIVATE KEY-----\n"))
        let start = try #require(text.range(of: "-----BEGIN EC PRIVATE KEY-----"))
        let key = String(text[start.lowerBound..<end.upperBound])
        try #expect(memory.holdsAny(of: numbers(of: key)), "or this test would see nothing")
        #expect(memory.found(of: lines(of: key)) == [], "\(file)")
      }
    }
  }

  @Test(
    .needsInterposer,
    .enabled(if: ProcessMemory.canBeRead, "only root can read another process's memory"))
  func `nor of one that is kept for the next start, and taken up by it`() throws {
    let workspace = try Workspace(serving: ["a.example": association()])
    let certificate = try makeCertificate(names: ["a.example"])
    try workspace.install(certificate, as: "a")
    let environment = ["LD_PRELOAD": try Self.keeper.get()]
    let flags = ["--state", workspace.path("state")]
    for isFirst in [true, false] {
      try withServer(workspace, https: true, flags, environment: environment) { server in
        server.allow(stderr: "a.crt", "[T")
        if isFirst { try workspace.write("certificates/a.crt", "broken") }
        #expect(
          eventually { (try? workspace.names(in: "state/kept/certificates")) == ["a.crt"] })
        try #expect(server.sClient("-servername", "a.example").exitCode == 0)
        let memory = ProcessMemory(of: server.process.identifier)
        try #expect(
          memory.holdsAny(of: forms(of: certificate.key)), "or this test would see nothing")
        #expect(memory.found(of: lines(of: certificate.key)) == [])
      }
    }
  }

  /// Compiled once for all tests.
  private static let keeper = Result {
    try compiledLibrary(
      """
      #include <malloc.h>
      #include <stdlib.h>
      #include <string.h>
      void free(void *memory) { (void)memory; }
      void *realloc(void *memory, size_t size) {
        void *other = malloc(size ? size : 1);
        size_t old = memory ? malloc_usable_size(memory) : 0;
        if (other && memory) memcpy(other, memory, old < size ? old : size);
        return other;
      }
      """, as: "keeper")
  }

  /// How a key can lie in memory: as a number in either order of its bytes, and as text.
  private func forms(of pem: String) throws -> [[UInt8]] {
    try numbers(of: pem) + lines(of: pem)
  }

  /// Whole lines of its text.
  private func lines(of pem: String) -> [[UInt8]] {
    pem.split(separator: "\n").filter { $0.utf8.count == 64 }.map { Array($0.utf8) }
  }

  /// Its secret numbers, in either order of their bytes.
  private func numbers(of pem: String) throws -> [[UInt8]] {
    let openssl = try #require(Tool.openssl.path)
    let text = try run(openssl, ["pkey", "-traditional", "-outform", "DER"], input: pem).output
    // RSAPrivateKey (RFC 8017) and ECPrivateKey (RFC 5915): a sequence of numbers. The first long
    // one of RSA is the modulus, which everybody knows.
    var numbers: [[UInt8]] = []
    var place = text[1] < 0x80 ? 2 : 2 + Int(text[1] & 0x7F)
    while place < text.count, [2, 4].contains(text[place]) {
      let lengthBytes = text[place + 1] < 0x80 ? 0 : Int(text[place + 1] & 0x7F)
      let start = place + 2 + lengthBytes
      let length =
        lengthBytes == 0
        ? Int(text[place + 1]) : text[(place + 2)..<start].reduce(0) { $0 << 8 | Int($1) }
      numbers.append(Array(text[start..<(start + length)].drop { $0 == 0 }))
      place = start + length
    }
    let secret = Array(numbers.filter { $0.count > 16 }.dropFirst(numbers.count > 2 ? 1 : 0))
    try #require(!secret.isEmpty)
    return secret + secret.map { $0.reversed() }
  }

  @Test func `whatever is wrong with a key, nothing of it is written`() throws {
    let workspace = try Workspace()
    let good = try makeCertificate(names: ["a.example"])
    let other = try makeCertificate(names: ["b.example"])
    let openssl = try #require(Tool.openssl.path)
    let encrypted = try run(
      openssl, ["pkey", "-aes128", "-passout", "pass:secret"], input: good.key
    ).text
    let body = try #require(good.key.split(separator: "\n").dropFirst().first.map(String.init))
    let faulty = [
      "mismatch": other.key,
      "encrypted": encrypted,
      "cut": String(good.key.dropLast(60)),
      "garbled": good.key.replacingOccurrences(of: body, with: body.dropLast(3) + "!?!"),
      "relabelled": good.key.replacingOccurrences(of: "EC PRIVATE", with: "RSA PRIVATE"),
      "unlabelled": body + "\n",
      "twice": good.key + good.key,
    ]
    for (name, key) in faulty {
      try workspace.write("certificates/\(name).crt", good.chain)
      try workspace.write("certificates/\(name).key", key, mode: 0o600)
    }
    // In the wrong place altogether.
    try workspace.write("domains/a.example.json", good.key)
    try workspace.write("domains/b.example.json", "{\"key\": \"" + body + "\n\"}")
    try withServer(workspace, https: true) { server in
      _ = try server.sClient("-servername", "a.example")
      server.process.signal(SIGHUP)
      let isReloaded = eventually {
        (try? server.get(host: "a.example").status) == 503
      }
      #expect(isReloaded)
      for text in [good.key, other.key, encrypted] {
        for line in text.split(separator: "\n") where !line.contains("-") && line.count >= 16 {
          let piece = line.prefix(16)
          for written in server.errorLines + server.outputLines {
            written.says(.lacks(String(piece)))
          }
        }
      }
      #expect(!server.errorLines.contains { $0.contains("secret") })
      server.allow(stderr: "error")
      server.allow(stderr: "warning")
      server.allow(stderr: "note")
    }
  }

  @Test func `no core is dumped`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace) { server in
      let limits = try? String(
        contentsOfFile: "/proc/\(server.process.identifier)/limits", encoding: .utf8)
      // Linux alone has this file.
      guard let line = limits?.split(separator: "\n").first(where: { $0.hasPrefix("Max core") })
      else { return }
      #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
    }
  }
}

/// The memory of another process.
private struct ProcessMemory {
  private let folder: String

  init(of process: pid_t) { folder = "/proc/\(process)" }

  /// Not under AddressSanitizer, whose tables of the memory are larger than any memory.
  static var canBeRead: Bool {
    geteuid() == 0 && ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil
      && access("/proc/self/mem", R_OK) == 0
  }

  func found(of pieces: [[UInt8]]) -> [[UInt8]] { pieces.filter { holdsAny(of: [$0]) } }

  func holdsAny(of pieces: [[UInt8]]) -> Bool {
    let memory = open(folder + "/mem", O_RDONLY)
    guard memory >= 0, let maps = try? String(contentsOfFile: folder + "/maps", encoding: .utf8)
    else { return false }
    defer { close(memory) }
    for line in maps.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count >= 2, parts[1].hasPrefix("rw") else { continue }
      let bounds = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard bounds.count == 2, bounds[1] - bounds[0] < 1 << 30 else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(bounds[1] - bounds[0]))
      let count = pread(memory, &bytes, bytes.count, off_t(bounds[0]))
      for piece in pieces where count >= piece.count {
        if contains(bytes, count, piece) { return true }
      }
    }
    return false
  }

  private func contains(_ bytes: [UInt8], _ count: Int, _ piece: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard var start = bytes.baseAddress else { return false }
      let end = start + count - piece.count
      // By the last byte: the first of a number is zero more often.
      let last = piece.count - 1
      while start <= end, let found = memchr(start + last, Int32(piece[last]), end - start + 1) {
        start = UnsafeRawPointer(found) - last
        if memcmp(start, piece, piece.count) == 0 { return true }
        start += 1
      }
      return false
    }
  }
}
