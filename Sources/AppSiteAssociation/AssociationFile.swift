internal import Bytes
package import Diagnostics
package import JSON

/// The form of an association file.
package enum FileForm: Sendable, Equatable {
  /// A JSON object in UTF-8.
  case json
  /// A signed file, as for iOS 8: CMS (RFC 5652) in DER. The signature and the content are in the
  /// same file.
  case signed
}

/// The limits that Apple sets.
package enum AppleLimits {
  /// The maximum size of a file that devices accept, in bytes before compression.
  package static let fileBytes = 131_072
}

/// An association file that was read: its form, its text, its JSON document and, if devices cannot
/// read the file, the reason.
///
/// A file with errors may still be readable. Devices then lose only the services that the errors
/// affect.
public struct AssociationFile: Sendable {
  /// The form of the file. Nil if the form is the reason why devices refuse the whole file.
  package let form: FileForm?
  /// The text that the validation rules check: the file without a byte order mark, or the content
  /// of a signed file.
  package let text: SourceText
  /// The parsed JSON. Nil if the text cannot be read as JSON, or if the content of a signed file
  /// was not extracted.
  package let document: Document?
  /// Why devices cannot read the file at all; nil if they can read at least a part of it.
  package let fault: Diagnostic?
  /// The finding that a signed file's content was changed after it was signed; see
  /// `SignedContent.alteration`.
  package let alteration: Diagnostic?
  /// Diagnostics about the file's byte order mark or its signature.
  let remarks: [Diagnostic]
  /// The compiled link rules. Nil unless the file was read by the public initializer of the
  /// library, because only this initializer compiles the rules.
  var links: AppleLinks?

  /// Reads a whole file without running any rule. If the file is too large, incomplete, or neither
  /// a JSON object nor a signed file, `fault` says so.
  ///
  /// - Parameter options: Only `signedContent` and `gzipSize` are used. If `signedContent` is nil,
  ///   a signed file is only checked for its length and for being CMS signed data; its content is
  ///   not read.
  package init(_ source: SourceText, options: ValidationOptions = ValidationOptions()) {
    let unmarked = source.withoutByteOrderMark
    let text = unmarked ?? source
    if text.bytes.count > AppleLimits.fileBytes {
      self.init(refused: text, because: tooLarge(text, options))
    } else if beginsDER(text.bytes) {
      self.init(signed: text, options)
    } else {
      do throws(SyntaxError) {
        let document = try Document(parsing: text)
        if document.root.kind == .object {
          let remarks = unmarked.map { [$0.byteOrderMarkDiagnostic] } ?? []
          self.init(form: .json, text: text, document: document, fault: nil, remarks: remarks)
        } else {
          self.init(refused: text, because: notAnObject(document.root, text))
        }
      } catch {
        self.init(refused: text, because: error.diagnostic(in: text))
      }
    }
  }

  private init(signed source: SourceText, _ options: ValidationOptions) {
    if let fault = signedFormFault(in: source) {
      self.init(refused: source, because: fault)
      return
    }
    guard let signed = options.signedContent?(source) else {
      self.init(
        form: .signed, text: source, document: nil, fault: nil,
        remarks: [signatureNotChecked(source)])
      return
    }
    let error = signed.diagnostics.first { $0.severity == .error }
    guard let bytes = signed.bytes else {
      self.init(
        form: .signed, text: source, document: nil, fault: error, remarks: signed.diagnostics)
      return
    }
    let text = SourceText(path: source.path + " (signed content)", bytes: bytes)
    var unopened = options
    unopened.signedContent = nil
    let content = AssociationFile(text, options: unopened)
    let fault = content.form == .signed ? signedTwice(source) : content.fault
    self.init(
      form: fault == nil ? .signed : nil, text: content.text, document: content.document,
      fault: fault.map { error ?? $0 },
      remarks: signed.diagnostics + (fault.map { [$0] } ?? content.remarks),
      alteration: signed.alteration)
  }

  private init(refused text: SourceText, because fault: Diagnostic) {
    self.init(form: nil, text: text, document: nil, fault: fault, remarks: [])
  }

  private init(
    form: FileForm?, text: SourceText, document: Document?, fault: Diagnostic?,
    remarks: [Diagnostic], alteration: Diagnostic? = nil
  ) {
    self.form = form
    self.text = text
    self.document = document
    self.fault = fault
    self.remarks = remarks
    self.alteration = alteration
  }
}

private func tooLarge(_ source: SourceText, _ options: ValidationOptions) -> Diagnostic {
  let compressed = options.gzipSize?(source.bytes)
  return Diagnostic(
    .fileTooLarge, "the file is larger than Apple's limit of \(AppleLimits.fileBytes) bytes",
    at: .init(path: source.path),
    note: "the limit applies to the uncompressed file"
      + (compressed.map { ", not to the \($0) bytes after compression with gzip" } ?? ""))
}

private func notAnObject(_ root: Value, _ source: SourceText) -> Diagnostic {
  let place = source.location(of: root.range.lowerBound..<(root.range.lowerBound + 1))
  // A top-level array of statements is probably Android's `assetlinks.json` under the wrong name.
  let statement = root.elements.first { $0.kind == .object }
  if statement?.member("relation") != nil || statement?.member("target") != nil {
    return Diagnostic(
      .assetLinksAsAssociation, "this is Android's assetlinks.json, not an association file",
      at: place, note: "devices read an association file only if its top level is an object")
  }
  if let text = root.string, text.first(where: { !$0.isWhitespace }) == "{" {
    return Diagnostic(
      .notAnObject, "the file is JSON inside a JSON string: it was encoded twice", at: place,
      help:
        "encode the object only once: write the object itself, without enclosing quotes and "
        + "without backslashes")
  }
  return Diagnostic(.notAnObject, "the file's top level is not a JSON object", at: place)
}

private func signedTwice(_ source: SourceText) -> Diagnostic {
  Diagnostic(
    .brokenSignedFile, "the signed content is itself a signed file",
    at: .init(path: source.path), help: "sign the JSON, not a signed file")
}

private func signatureNotChecked(_ source: SourceText) -> Diagnostic {
  Diagnostic(
    .signatureNotChecked,
    "the file is signed, and neither its signature nor its content is checked",
    at: .init(path: source.path), note: "iOS 9 and later need no signature")
}

extension SourceText {
  /// The diagnostic about the byte order mark before this text.
  var byteOrderMarkDiagnostic: Diagnostic {
    Diagnostic(
      SyntaxError.Kind.byteOrderMark.diagnosticKind, "the file begins with a byte order mark",
      at: bytes.isEmpty ? .init(path: path) : location(of: 0..<1),
      note: "Apple's parser accepts the mark; Apple does not say whether devices and the CDN do")
  }
}

/// Whether the bytes begin with a DER SEQUENCE. The first byte of a SEQUENCE is also the ASCII
/// digit `0`, so a text may begin with this byte. Returns false if the second byte is an ASCII text
/// character, unless the bytes are the start of CMS signed data.
func beginsDER(_ bytes: [UInt8]) -> Bool {
  guard bytes.count > 1, bytes[0] == 0x30 else { return false }
  let isText = (0x20...0x7E).contains(bytes[1]) || "\t\n\r".utf8.contains(bytes[1])
  return !isText || isSignedData(bytes)
}

/// The object identifier 1.2.840.113549.1.7.2, id-signedData (RFC 5652 5.1), in DER.
private let signedDataIdentifier: [UInt8] = [
  0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
]

/// Checks a file that begins like a signed file. Returns the fault if the file is incomplete or is
/// not CMS signed data; otherwise nil.
func signedFormFault(in source: SourceText) -> Diagnostic? {
  let bytes = source.bytes
  func refused(_ message: String, _ help: String) -> Diagnostic {
    Diagnostic(.brokenSignedFile, message, at: .init(path: source.path), help: help)
  }
  guard let (headerLength, contentLength) = lengthInDER(bytes) else {
    return refused(
      "the file looks like a signed file, but its DER length cannot be read",
      "sign the JSON again, with DER output instead of streaming (BER) output")
  }
  guard headerLength + contentLength == bytes.count else {
    return refused(
      "the signed file has \(bytes.count) bytes, but its DER header says"
        + " \(headerLength + contentLength)",
      "copy the file again, in binary mode")
  }
  guard isSignedData(bytes) else {
    return refused(
      "the file is DER, but not CMS signed data",
      "sign the JSON with openssl smime -sign -nodetach -outform DER, or serve it unsigned")
  }
  return nil
}

private func isSignedData(_ bytes: [UInt8]) -> Bool {
  guard let (headerLength, _) = lengthInDER(bytes) else { return false }
  return bytes.dropFirst(headerLength).starts(with: signedDataIdentifier)
}

/// Returns the length of the outer DER header, and the length of the content after the header
/// (X.690 8.1.3). Nil if the length of the content is indefinite, truncated, or encoded in more
/// than four bytes.
private func lengthInDER(_ bytes: [UInt8]) -> (header: Int, content: Int)? {
  guard bytes.count >= 2 else { return nil }
  let first = Int(bytes[1])
  if first < 0x80 { return (2, first) }
  let octets = first - 0x80
  guard (1...4).contains(octets), bytes.count >= 2 + octets else { return nil }
  return (2 + octets, bytes[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) })
}
