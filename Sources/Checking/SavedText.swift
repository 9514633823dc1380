/// Returns the text of a saved file: UTF-8, or as its byte order mark says. `>` in Windows
/// PowerShell writes UTF-16.
func savedText(_ bytes: [UInt8]) -> String {
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
    return String(decoding: bytes.dropFirst(3), as: UTF8.self)
  }
  let isLittle = bytes.starts(with: [0xFF, 0xFE])
  guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
    return String(decoding: bytes, as: UTF8.self)
  }
  let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
    let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
    return isLittle ? other << 8 | one : one << 8 | other
  }
  return String(decoding: units, as: UTF16.self)
}
