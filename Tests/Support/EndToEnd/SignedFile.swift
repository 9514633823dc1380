import Foundation
import Testing

/// A signed association file with this content, by an untrusted signer.
func signedFile(_ content: String, in workspace: Workspace) throws -> Data {
  let signer = try makeCertificate(names: ["example.com"])
  try workspace.write("signer.crt", signer.certificate)
  try workspace.write("signer.key", signer.key)
  try workspace.write("content.json", content)
  let signing = try run(
    Server.program,
    [
      "sign", "content.json", "--certificate", "signer.crt", "--key", "signer.key", "-o",
      "signed-content",
    ], folder: workspace.root)
  guard signing.exitCode == 0 else { throw Failure("aasa sign: \(signing.errors)") }
  return try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed-content")))
}
