import Diagnostics
import Foundation
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Diagnostics of files and folders that cannot be read: where the fault is, and the fix.
@Suite struct UnreadableTests {
  let folder = TestFolder()

  /// The diagnostic of a path that cannot be read.
  private func diagnostic(_ path: String) -> Diagnostic? {
    do throws(SystemError) {
      _ = try readContent(folder(path), limit: 10)
      return nil
    } catch {
      return unreadableDiagnostic("the file", .hostedFileUnreadable, folder(path), error)
    }
  }

  @Test func `a way without obstacles ends where it leads`() throws {
    folder.write("store/file", "")
    folder.link("a", to: "store/file")
    folder.link("b", to: "./a")
    folder.link("c", to: folder("store/../b"))
    for name in ["a", "b", "c", "store/file"] {
      try #expect(resolvedPath(obstacle(on: folder(name))) == folder("store/file"))
    }
    #expect(obstacle(on: "/") == "/")
  }

  @Test func `the obstacle is the first place on the path, links followed, that cannot be passed`()
  {
    folder.link("a", to: "b")
    folder.link("b", to: "store/missing/file")
    folder.makeFolder("store")
    #expect(obstacle(on: folder("a")) == folder("store/missing"))
    folder.link("c", to: folder("nowhere"))
    #expect(obstacle(on: folder("c")) == folder("nowhere"))
    #expect(obstacle(on: folder("store/x")) == folder("store/x"))
  }

  /// Where `a` leads, what the message ends with, and the place that it names.
  @Test(arguments: [
    ("store/file", "Not a directory", "store/file"),
    ("missing/file", "No such file or directory", "missing"),
  ])
  func `a path that cannot be followed is reported with the place, and how to fix it`(
    target: String, reason: String, place: String
  ) {
    folder.write("store", "no folder")
    folder.link("a", to: target)
    let found = diagnostic("a")
    #expect(obstacle(on: folder("a")) == folder(place))
    #expect(found?.severity == .error && found?.code == "H003")
    #expect(found?.message.hasSuffix("\(reason) at \(folder(place))") == true)
    #expect(found?.location?.path == folder("a"))
    if place == "missing" { #expect(found?.help == Self.fix) }
    // A link that leads to itself ends the search.
    folder.link("a", to: "b")
    folder.link("b", to: "a")
    let loop = diagnostic("a")
    #expect(loop?.message.contains("symbolic link") == true && loop?.help == Self.fix)
  }

  private static let fix = "a symbolic link has no existing target: fix or remove the link"

  @Test func `the fix for anything but a file is to replace it`() {
    folder.makeFolder("a")
    folder.makePipe("b")
    folder.makeSocket("c")
    for (name, help) in [
      ("a", "replace the folder with a file"),
      ("b", "replace the pipe, socket or device with a regular file"),
      ("c", "replace the pipe, socket or device with a regular file"),
    ] {
      let found = diagnostic(name)
      #expect(found?.help?.hasPrefix(help) == true)
      // The place is the one that was named.
      #expect(found?.message.contains(" at ") == false)
    }
  }

  @Test(
    arguments: [
      (EMFILE, ["limit", "ulimit -n", "tries again"]), (ENFILE, ["limit", "tries again"]),
      (EIO, ["disk", "tries again"]), (ESTALE, ["mount", "tries again"]),
      (EACCES, ["chmod a+rX"]), (EPERM, ["chmod a+rX"]),
    ] as [(Int32, [String])])
  func `the advice fits the fault`(code: Int32, words: [String]) {
    folder.write("a", "")
    let found = unreadableDiagnostic(
      "the file", .certificateFileUnreadable, folder("a"),
      SystemError("open", folder("a"), code: code))
    for word in words { #expect(found.help?.contains(word) == true) }
    #expect(found.severity == .error && found.code == "T034")
    #expect(found.message.hasPrefix("the file cannot be read: "))
  }

  @Test func `nobody is advised to let everybody read a key`() {
    folder.write("k/a.key", "")
    func help(of path: String) -> String {
      let error = SystemError("open", folder(path), code: EACCES)
      return unreadableDiagnostic(
        "the file", .certificateFileUnreadable, folder(path), error, isSecret: true
      ).help ?? ""
    }
    let found = help(of: "k/a.key")
    #expect(found.contains("chgrp GROUP \(folder("k/a.key"))") && !found.contains("a+r"))
    // A folder on the way is no key.
    #expect(help(of: "k").contains("chmod a+rX \(folder("k"))"))
  }

  @Test func `a link into certbot's folders is answered with the hook`() {
    folder.write("letsencrypt/live/a.test/fullchain.pem", "")
    folder.link("a.crt", to: "letsencrypt/live/a.test/fullchain.pem")
    let found = unreadableDiagnostic(
      "the file", .certificateFileUnreadable, folder("a.crt"),
      SystemError("open", folder("a.crt"), code: EACCES))
    for place in ["/usr/share/aasa", "Config"] {
      #expect(found.help?.contains(" \(place)/certbot-deploy-hook of the ") == true)
    }
    #expect(found.help?.contains("chmod a+rX \(folder("letsencrypt/live/a.test"))") == true)
  }

  @Test(.enabled(if: getuid() != 0, "root reads everything"))
  func `a folder that may not be searched is the obstacle, not its content`() {
    folder.write("live/a/file", "")
    folder.link("a", to: "live/a/file")
    chmod(folder("live"), 0)
    defer { chmod(folder("live"), 0o700) }
    #expect(obstacle(on: folder("a")) == folder("live"))
    #expect(diagnostic("a")?.help?.contains(folder("live")) == true)
  }
}
