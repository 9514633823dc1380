package import Diagnostics

/// The kinds of faults of the certificates folder.
extension Kind {
  static let twoChainsForOne = Kind(
    "T030", "two-chains-for-one", "two chain files differ only in the extension",
    "only one of the two files is read",
    nil, severity: .warning,
    fix: "remove one of the two files, or give one file another name and its own key",
    wrong: "example.com.crt\nexample.com.pem\nexample.com.key",
    right: "example.com.crt\nexample.com.key")
  static let keyWithoutCertificate = Kind(
    "T031", "key-without-certificate", "a key in the certificates folder has no certificate",
    "the key is not used", nil, severity: .warning, wrong: "example.com.key",
    right: "example.com.crt\nexample.com.key")
  static let otherCertificateFormat = Kind(
    "T032", "other-certificate-format", "a file is named like a certificate but is not read",
    "chains and keys must be PEM text in files with the extensions .crt, .pem and .key", nil,
    severity: .warning,
    fix: "convert the file, for example with openssl pkcs12 -in FILE.p12 -nodes -out FILE.pem")
  static let certificatesFolderUnreadable = Kind(
    "T033", "certificates-folder-unreadable",
    "the certificates folder does not exist, is empty, or cannot be read",
    "no certificate can be read from the folder; the certificates that were served before stay in "
      + "use", nil,
    fix:
      "create the folder, let the server's user read it, or choose another with --certificates; if "
      + "it was emptied on purpose, run aasa confirm")
  static let certificateFileUnreadable = Kind(
    "T034", "certificate-file-unreadable",
    "a certificate or key file cannot be read, or a chain is missing beside its key",
    "the certificate that was served before stays in use", nil,
    fix: "let the server's user read the file; certbot's folders belong to root, so copy "
      + "certbot's certificates with /usr/share/aasa/certbot-deploy-hook from the package, or "
      + "Config/certbot-deploy-hook from the sources")
  static let noSystemRoots = Kind(
    "T035", "no-system-roots", "the system's root certificates cannot be used",
    "the server cannot check whether chains are complete", nil,
    fix: "install the system's root certificates, often a package called ca-certificates")
  static let manyCertificatesMissing = Kind(
    "T036", "many-certificates-missing",
    "more than half of the certificates are missing, or the last certificate is missing",
    "the files were probably lost, not removed on purpose, so all certificates are still served",
    nil,
    fix: "put the files back; if they were removed on purpose, run aasa confirm")
  static let certificateRemoved = Kind(
    "T037", "certificate-removed", "a certificate was withdrawn",
    "the file of the certificate was missing for longer than the setting withdrawAfter allows", nil,
    severity: .warning, fix: "if nobody removed the file on purpose, put the file back")
  static let certificateChangeHeld = Kind(
    "T038", "certificate-change-held",
    "clients would refuse a new certificate, or the certificate leaves a host uncovered",
    "the old certificate is served until it expires", nil,
    fix:
      "use a complete chain that covers every host; if the change is intended, run aasa "
      + "confirm"
  )
}

/// All kinds of faults of the certificates folder.
package let certificateFolderKinds: [Kind] = [
  .twoChainsForOne, .keyWithoutCertificate, .otherCertificateFormat, .certificatesFolderUnreadable,
  .certificateFileUnreadable, .noSystemRoots, .manyCertificatesMissing, .certificateRemoved,
  .certificateChangeHeld,
]
