internal import Bytes

// Parsing of the names and types of well-known files that the settings add.

func parseWellKnownPair(_ text: String) throws(Fault) -> (name: String, type: String) {
  guard let equals = text.firstIndex(of: "=") else {
    throw Fault(.badWellKnown, "`\(text)` is not a name with a media type")
  }
  return (
    withoutSpaces(around: text[..<equals]),
    withoutSpaces(around: text[text.index(after: equals)...])
  )
}

func parseWellKnown(_ pairs: [(name: String, type: String)]) throws(Fault) -> [WellKnownFile] {
  var files: [WellKnownFile] = []
  for (name, type) in pairs {
    if let help = refusal(of: name) {
      throw Fault(.badWellKnown, "`\(name)` cannot be served under this name and type", help: help)
    }
    guard isMediaType(type) else {
      throw Fault(.badWellKnown, "`\(type)` is not a media type")
    }
    if files.contains(where: { $0.name == name }) {
      throw Fault(.badWellKnown, "`\(name)` is given twice", help: "keep one of the two values")
    }
    let known = WellKnownFile.all.first { $0.name == name }
    files.append(WellKnownFile(name, type, isOpenToScripts: known?.isOpenToScripts ?? false))
  }
  if files.count > WellKnownFiles.mostAdded {
    throw Fault(
      .badWellKnown, "there are more than \(WellKnownFiles.mostAdded) well-known files",
      help: "keep at most \(WellKnownFiles.mostAdded)")
  }
  return files
}

/// If no file can be served under this name, returns a help text that says what to do instead.
/// Otherwise returns nil.
private func refusal(of name: String) -> String? {
  switch name {
  case "change-password":
    return "this path must redirect, which this server cannot do: let a proxy answer it"
  case "apple-app-site-association", "assetlinks.json":
    return "leave the file out: the server serves this file without a setting"
  default: break
  }
  let parts = name.split(separator: "/", omittingEmptySubsequences: false)
  let isGood = parts.count <= 2 && name.utf8.count <= 128 && parts.allSatisfy(isNameSegment)
  return isGood ? nil : "write the path below /.well-known/, such as `gpc.json` or `matrix/client`"
}

/// Returns whether the text has only unreserved characters (RFC 3986 section 2.3) and does not
/// begin with a dot. A dot at the beginning would hide the file.
private func isNameSegment(_ text: Substring) -> Bool {
  !text.isEmpty && text.utf8.first != UInt8(ascii: ".")
    && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~".utf8.contains($0) }
}

/// Returns whether the text is a type/subtype, with or without parameters (RFC 9110 section 8.3.1).
private func isMediaType(_ text: String) -> Bool {
  let type = text.prefix { $0 != ";" }
  let parts = withoutSpaces(around: type).split(separator: "/", omittingEmptySubsequences: false)
  return text.utf8.count <= 128 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    && parts.count == 2
    && parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy {
          $0.isLetter || $0.isDigit || "!#$&-^_.+".utf8.contains($0)
        }
    }
}
