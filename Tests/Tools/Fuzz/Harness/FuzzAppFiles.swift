internal import AppFiles

/// Property lists, archives, executables and profiles: each is read as all of them.
@Sendable func fuzzAppFiles(_ bytes: [UInt8]) {
  _ = try? PropertyList(bytes)
  _ = try? AppFile(bytes)
  let source = ByteSource(bytes)
  _ = try? AppFile(executable: source)
  _ = try? AppFile(archive: source)
  guard let archive = try? ZIPArchive(source) else { return }
  for entry in archive.entries.prefix(8) {
    guard let content = try? archive.content(entry, limit: 1 << 20) else { continue }
    precondition(Int64(content.count) == entry.size)
  }
}
