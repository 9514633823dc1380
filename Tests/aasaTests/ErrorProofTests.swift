import AppSiteAssociation
import Diagnostics
import DigitalAssetLinks
import JSON
import Testing

@testable import aasa

/// A file is refused only for a fault: every error about the content of a file has a document, or a
/// recorded run, that shows that devices or clients refuse the file, the service or the statement.
/// What has no row here is a warning or a note, and keeps no version from being served.
///
/// D: a document says it; V: recorded runs or published source code show it; O: seen in the field.
@Suite struct ErrorProofTests {
  private static let proofs: [(codes: [String], proof: String)] = [
    // Apple's file.
    (["A001"], "D, O: Supporting associated domains: at most 128 KB, counted uncompressed"),
    (["A002", "A008"], "D: Supporting associated domains: the file is a JSON object"),
    (["A003", "A194"], "D: RFC 5652 section 5; iOS 8 and 9: DER with the content attached"),
    (["A193"], "D: RFC 5652 section 5.6: the signature fails, and iOS 8 checks it"),
    (
      ["A007", "A010", "A160"],
      "D, V: an app that the file does not permit is not associated; swcutil matches nothing"
    ),
    (["A012"], "D: Supporting associated domains: the value of a service is an object"),
    (["A015"], "D: applinks.details is an array; V: the object of iOS 8 is read as well"),
    (["A141"], "D: Supporting associated domains: apps is an array of app identifiers"),
    // Android's file.
    (["A004"], "D: Asset Links Specification: a statement list is a JSON array"),
    (["D101", "D112"], "V: Android's reader of lists rejects the whole list"),
    (["D102"], "D: Verify App Links: each host needs a statement for the app"),
    (
      ["D103", "D107"],
      "D: Asset Links Specification: a statement has a relation and a target"
    ),
    (["D104"], "V: Android's reader takes an array of texts, and drops another statement"),
    (["D105"], "D, V: Google documents the exact name; Android compares it as text"),
    (["D106"], "D, V: Asset Links Specification: kind/detail; Android checks it by a pattern"),
    (["D108"], "V: Android's reader asks for exact keys, and drops a statement without them"),
    (["D109"], "V: Android fetches included lists by https only"),
    (["D120"], "V: Android's reader drops a target of a kind that it does not know"),
    (["D121", "D124"], "V: Android's reader drops an app without a name or a fingerprint"),
    (["D122"], "D: Set the application ID: segments that begin with letters, and a dot"),
    (["D125"], "D, V: Asset Links Specification: scheme://host[:port]; Android refuses a path"),
    (
      ["D130", "D133", "D134", "D135", "D136"],
      "D, V: 32 bytes in hexadecimal with colons; Android compares the text with the certificate's"
    ),
    (["D131"], "D: Google prints it as a sample; V: Android compares it with the app's own"),
    (["D132"], "V: Android compares it with a digest, whose bytes do not repeat or count up"),
    (["D137"], "V: Google's compatibility tests refuse it; Android compares it as text"),
    // Other files.
    (["D150"], "D: Web Authentication 3, section 5.11: a client refuses another form"),
    (
      ["D151", "D156"],
      "D: Web Authentication 3, section 5.11: a client skips it, and no origin is left"
    ),
    (["D160"], "D: W3C, Passkey Endpoints: a successful response is a JSON object"),
  ]
  private static let ofSyntax = "D: RFC 8259; Apple asks for JSON; V: devices refuse anything else"

  private static let kinds =
    Kinds.ofAssociationFiles.filter { !pathKinds.contains($0) } + statementKinds

  @Test func `every error has a proof, and no proof is left over`() {
    let errors = Set(Self.kinds.filter { $0.severity == .error }.map(\.code))
    let ofSyntax = Set(Kind.ofSyntaxErrors.map(\.code))
    let proven = Self.proofs.flatMap(\.codes)
    #expect(Set(proven).count == proven.count)
    #expect(errors.subtracting(ofSyntax) == Set(proven))
    #expect(errors.intersection(ofSyntax).count > 50 && Self.ofSyntax.hasPrefix("D: RFC 8259"))
    for (codes, proof) in Self.proofs {
      #expect(["D:", "V:", "D, V:", "D, O:"].contains { proof.hasPrefix($0) }, "\(codes)")
    }
  }
}
