package import Diagnostics

/// The kinds of faults of the domains folder, the certificates folder, and their files.
extension Kind {
  package static let domainsFolderUnreadable = Kind(
    "H001", "domains-folder-unreadable",
    "the domains folder does not exist, is empty, or cannot be read",
    "no file can be read from the folder; the files that were served before stay in use",
    fix: "create the folder, let the server's user read and search it, or choose another with "
      + "--domains; if it was emptied on purpose, run aasa confirm")
  package static let hostedFileUnreadable = Kind(
    "H003", "hosted-file-unreadable", "a file in the domains folder cannot be read",
    "the last good version stays in use; if there is no good version, requests get 503, or the "
      + "file of a different entry that covers the host",
    fix: "let the server's user read the file and search its folders; fix dangling symbolic "
      + "links; mount file systems that were unmounted")
  package static let nameNotOfAHost = Kind(
    "H004", "name-not-of-a-host", "a name in the domains folder cannot be a host's name",
    "nothing is served from this file or folder", severity: .warning,
    wrong: "domains/https:example.com.json",
    right: "domains/example.com.json")
  package static let twoEntriesForHost = Kind(
    "H005", "two-entries-for-host", "two names in the domains folder are for the same host",
    "only one of the two names is used: the name in lower case, if there is one",
    severity: .warning,
    fix: "remove one of the two files or folders",
    wrong: "domains/example.com.json\ndomains/Example.com.json",
    right: "domains/example.com.json")
  package static let twoPlacesDiffer = Kind(
    "H006", "two-places-differ",
    "the file in a host's folder differs from the file in the folder .well-known",
    "both paths serve the file in .well-known, so that all devices see the same",
    severity: .warning, fix: "make the two files the same, or remove one of them")
  package static let entryWithoutFile = Kind(
    "H008", "entry-without-file", "a host's folder contains no association file",
    "requests for the host's file are answered with 404, or with the file of another entry that "
      + "covers the host", severity: .warning,
    fix: "put the file apple-app-site-association into the host's folder, or into the folder "
      + ".well-known inside it",
    wrong: "domains/example.com/index.html",
    right: "domains/example.com/.well-known/apple-app-site-association")
  package static let assetLinksTooLarge = Kind(
    "H009", "asset-links-too-large",
    "assetlinks.json or another well-known file is larger than 1 MiB",
    "the file is not served, because memory is limited", fix: "make the file smaller")
  package static let nothingToServe = Kind(
    "H010", "nothing-to-serve", "the domains folder contains no file or folder for a host",
    "every request is answered with 404",
    severity: .warning,
    fix: "put a file named after its host into the folder, for example example.com.json")
  package static let foundBySweep = Kind(
    "H011", "found-by-sweep", "the kernel does not report changes in all folders",
    "the server finds the other changes by checking all files repeatedly, which takes longer",
    severity: .warning, fix: "raise fs.inotify.max_user_watches by the number in the message")
  package static let aliasWithoutEntry = Kind(
    "H012", "alias-without-entry",
    "an alias points to a host that has no entry in the domains folder",
    "requests for the alias are answered with 404", severity: .warning,
    fix: "add an entry for this host, or fix the alias")
  package static let aliasNotUsed = Kind(
    "H013", "alias-not-used",
    "a host that is set as an alias also has its own entry in the domains folder",
    "the entry is served, and the alias has no effect", severity: .warning,
    fix: "remove the entry or the alias")
  package static let hostWithoutCertificate = Kind(
    "H014", "host-without-certificate", "no certificate covers a host that is served",
    "devices fetch the file over HTTPS, and the server refuses the connection",
    "Apple asks for HTTPS with a trusted certificate (grade D)", severity: .warning,
    fix: "add a certificate that covers the host; if a proxy terminates TLS, start the server "
      + "with --https none")
  package static let defaultCertificateMissing = Kind(
    "H015", "default-certificate-missing", "no certificate matches the setting defaultCertificate",
    "clients that send no host name (SNI), or an unknown one, are refused", severity: .warning,
    fix: "set defaultCertificate to a certificate's file or folder, or to a host that a "
      + "certificate covers")
  package static let noCertificateMade = Kind(
    "H020", "no-certificate-made", "a self-signed certificate could not be made",
    "the certificates folder has no usable certificate either, so HTTPS does not work",
    fix: "put a certificate and its key into the certificates folder")
  package static let selfSignedFallback = Kind(
    "H021", "self-signed-fallback",
    "there is no usable certificate, so a self-signed certificate is used",
    "devices and Apple's CDN refuse a self-signed certificate: use it only for testing",
    "Apple asks for a publicly trusted certificate (grade D)", severity: .warning,
    fix: "put NAME.crt and NAME.key into the certificates folder, or a certbot or Kubernetes TLS "
      + "folder; if a proxy terminates TLS, start the server with --https none")
  package static let expectationsUnreadable = Kind(
    "H030", "expectations-unreadable", "the expectations beside an association file cannot be read",
    "a version of the association file that cannot be checked is not served: the last good "
      + "version stays in use",
    fix: "let the server's user read the file, or remove it")
  package static let manyNamesMissing = Kind(
    "H031", "many-names-missing", "more than half of the names in the domains folder are missing",
    "the files were probably lost, not removed on purpose, so all of them are still served",
    fix: "put the files back; if they were removed on purpose, run aasa confirm")
  package static let hostsWithoutFile = Kind(
    "H032", "hosts-without-file",
    "a list of hosts (NAME.hosts) has no file to serve beside it, such as NAME.json",
    "there is no file to serve for the hosts in the list", severity: .warning,
    wrong: "domains/links.hosts", right: "domains/links.hosts\ndomains/links.json")
  package static let faultyLineOfHosts = Kind(
    "H033", "faulty-line-of-hosts", "a line in a list of hosts is not a host, or repeats a host",
    "the server ignores this line, and uses the other lines", severity: .warning,
    fix:
      "write one host per line, such as links.example.com or *.example.com, and an international"
      + " name in its ASCII form, xn--…",
    wrong: "https://example.com/", right: "example.com")
  package static let hostsTooLarge = Kind(
    "H034", "hosts-too-large",
    "a list of hosts exceeds 32 MiB, or all lists together have more hosts than memory allows",
    "the last version of the list stays in use",
    fix: "remove hosts, give the server more memory, or divide the hosts among several servers")
  package static let hostElsewhere = Kind(
    "H035", "host-elsewhere", "another entry or list already serves a host in this list",
    "the other entry or list is used", severity: .warning,
    fix: "remove the host from one of the two")
  package static let stateFolderUnusable = Kind(
    "H043", "versions-not-kept",
    "versions cannot be stored in the state folder, or the versions that the last run stored "
      + "cannot be read",
    "a restart would lose the versions that are served although their files are faulty or missing",
    severity: .warning,
    fix:
      "let the server's user write to the state folder, give each server its own state folder, or "
      + "use no state folder (--state none)")
  package static let keptVersionDamaged = Kind(
    "H044", "kept-version-damaged",
    "a version that the last run stored in the state folder is damaged",
    "the stored version is not used; if the file itself is faulty too, requests for the file are "
      + "answered with 503",
    severity: .warning, fix: "repair the file in the domains folder or the certificates folder")
  package static let notHeld = Kind(
    "H045", "not-held", "the file confirm in the state folder has an ID that matches no hold",
    "the file confirms nothing: either the missing files are back, or more files are missing and "
      + "the hold has a new ID",
    severity: .warning,
    fix: "copy the ID from aasa status, which shows all holds")
  package static let confirmationUnreadable = Kind(
    "H056", "confirmation-unreadable", "the file confirm in the state folder cannot be read",
    "it confirms nothing", severity: .warning,
    fix: "remove the file, or run aasa confirm as root or as the server's user to replace the file")
  package static let memoryFull = Kind(
    "H058", "memory-full", "the served files have reached their memory limit",
    "files may use half of the memory limit, to leave room for connections; the files that were "
      + "served before stay in use",
    fix: "raise the memory limit of the container or service, or remove domains")
  package static let costlyEntry = Kind(
    "H057", "costly-entry", "the files of this entry are large, or take long to check",
    "this entry is checked after the other entries, so changes of its files are served a little "
      + "later",
    severity: .note,
    fix:
      "no action is needed; to make the check faster, write fewer expectations, and fewer rules "
      + "with a * in the middle")
  package static let hostsLost = Kind(
    "H042", "hosts-lost", "a list of hosts has lost more than half of its hosts, or all",
    "the list was probably cut, overwritten or emptied by mistake, so its hosts are still served",
    fix:
      "put the previous list back; if its hosts were removed on purpose, run aasa confirm or remove "
      + "the list",
    wrong: "<html>502 Bad Gateway</html>", right: "links.example.com")
  package static let fileSystemSilent = Kind(
    "H055", "file-system-silent",
    "the file system has not answered a read for more than ten seconds",
    "served versions stay in use, and nothing else in the folder is read; if the folder is the "
      + "state folder, no more versions are stored for the next start",
    fix:
      "check the mount: the file server may be down, or a disk may be failing; aasa reads the "
      + "file as soon as the file system answers")
  package static let wellKnownForm = Kind(
    "H037", "well-known-form", "a well-known file is empty, or its top level is not a JSON object",
    "no client can use the file, so the last good version stays in use",
    fix: "write what the file's specification requires, or remove the file",
    wrong: "[]", right: #"{"origins": ["https://example.com"]}"#)
  package static let wellKnownLink = Kind(
    "H038", "well-known-link",
    "the path of a well-known file leads through a link out of the domains folder",
    "outside the folder only JSON is served, because a link may lead to any file"
      + " on the machine", fix: "copy the file into the host's folder .well-known")
  package static let securityTxtExpired = Kind(
    "H039", "security-txt-expired", "a security.txt has expired",
    "people who find a vulnerability should no longer use the file", "RFC 9116 section 2.5.5",
    severity: .warning,
    fix: "check that the file is still correct, and set Expires to a time within a year")
  package static let pageUnusable = Kind(
    "H046", "page-unusable", "a page for people without the app is empty, too large or not UTF-8",
    "the last good page stays in use",
    fix: "write at most 65,536 bytes of UTF-8, or remove the page")
  package static let wellKnownNotServed = Kind(
    "H049", "well-known-not-served", "a host's folder .well-known has files that are not served",
    "requests for these files are answered with 404, because the types of the files are not known",
    severity: .note,
    fix: "add each file with its type, such as --well-known gpc.json=application/json")
  package static let pageNotMatched = Kind(
    "H047", "page-not-matched",
    "the association file's rules are too many or too long for a page beside the file",
    "each request would have to be compared with all rules, so the page is not served",
    severity: .warning, fix: "use fewer and shorter patterns, or give the links a host of their own"
  )
  package static let pagePlace = Kind(
    "H048", "page-not-served",
    "a page for people without the app is in a place where it is not served",
    "a page is not served if it is in .well-known, if no association file is beside it, or if the "
      + "host has another page", severity: .warning,
    wrong: "domains/example.com/.well-known/page.html", right: "domains/example.com/page.html")

  // MARK: The certificates folder

  static let twoChainsForOne = Kind(
    "T030", "two-chains-for-one", "two chain files differ only in the extension",
    "only one of the two files is read",
    severity: .warning,
    fix: "remove one of the two files, or give one file another name and its own key",
    wrong: "example.com.crt\nexample.com.pem\nexample.com.key",
    right: "example.com.crt\nexample.com.key")
  static let keyWithoutCertificate = Kind(
    "T031", "key-without-certificate", "a key in the certificates folder has no certificate",
    "the key is not used", severity: .warning, wrong: "example.com.key",
    right: "example.com.crt\nexample.com.key")
  static let otherCertificateFormat = Kind(
    "T032", "other-certificate-format", "a file is named like a certificate but is not read",
    "chains and keys must be PEM text in files with the extensions .crt, .pem and .key",
    severity: .warning,
    fix: "convert the file, for example with openssl pkcs12 -in FILE.p12 -nodes -out FILE.pem")
  static let certificatesFolderUnreadable = Kind(
    "T033", "certificates-folder-unreadable",
    "the certificates folder does not exist, is empty, or cannot be read",
    "no certificate can be read from the folder; the certificates that were served before stay in "
      + "use",
    fix:
      "create the folder, let the server's user read it, or choose another with --certificates; if "
      + "it was emptied on purpose, run aasa confirm")
  static let certificateFileUnreadable = Kind(
    "T034", "certificate-file-unreadable",
    "a certificate or key file cannot be read, or a chain is missing beside its key",
    "the certificate that was served before stays in use",
    fix: "let the server's user read the file; certbot's folders belong to root, so copy "
      + "certbot's certificates with /usr/share/aasa/certbot-deploy-hook from the package, or "
      + "Config/certbot-deploy-hook from the sources")
  static let noSystemRoots = Kind(
    "T035", "no-system-roots", "the system's root certificates cannot be used",
    "the server cannot check whether chains are complete",
    fix: "install the system's root certificates, often a package called ca-certificates")
  static let manyCertificatesMissing = Kind(
    "T036", "many-certificates-missing",
    "more than half of the certificates are missing, or the last certificate is missing",
    "the files were probably lost, not removed on purpose, so all certificates are still served",
    fix: "put the files back; if they were removed on purpose, run aasa confirm")
  static let certificateRemoved = Kind(
    "T037", "certificate-removed", "a certificate was withdrawn",
    "the file of the certificate was missing for longer than the setting withdrawAfter allows",
    severity: .warning, fix: "if nobody removed the file on purpose, put the file back")
  static let certificateChangeHeld = Kind(
    "T038", "certificate-change-held",
    "clients would refuse a new certificate, or the certificate leaves a host uncovered",
    "the old certificate is served until it expires",
    fix:
      "use a complete chain that covers every host; if the change is intended, run aasa "
      + "confirm"
  )
}

/// All kinds of faults of the domains folder.
package let hostingKinds: [Kind] = [
  .domainsFolderUnreadable, .hostedFileUnreadable, .nameNotOfAHost, .twoEntriesForHost,
  .twoPlacesDiffer, .entryWithoutFile, .assetLinksTooLarge, .nothingToServe, .foundBySweep,
  .aliasWithoutEntry, .aliasNotUsed, .hostWithoutCertificate, .defaultCertificateMissing,
  .noCertificateMade, .selfSignedFallback, .expectationsUnreadable, .manyNamesMissing,
  .hostsWithoutFile, .faultyLineOfHosts, .hostsTooLarge, .hostElsewhere, .hostsLost,
  .stateFolderUnusable, .keptVersionDamaged, .notHeld, .confirmationUnreadable, .costlyEntry,
  .memoryFull, .fileSystemSilent, .wellKnownForm, .wellKnownLink, .wellKnownNotServed,
  .securityTxtExpired, .pageUnusable, .pageNotMatched, .pagePlace,
]

/// All kinds of faults of the certificates folder.
package let certificateFolderKinds: [Kind] = [
  .twoChainsForOne, .keyWithoutCertificate, .otherCertificateFormat, .certificatesFolderUnreadable,
  .certificateFileUnreadable, .noSystemRoots, .manyCertificatesMissing, .certificateRemoved,
  .certificateChangeHeld,
]
