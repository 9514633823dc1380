import Foundation
import Testing

@testable import Posix

@Suite struct DirectoryTests {
  @Test func `names are found with their kind`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("file", [1, 2, 3])
    _ = try folder.makeFolder("inner")
    _ = try folder.write("inner/deep", [4])
    symlink("inner/deep", folder.path + "/link")
    symlink("nowhere", folder.path + "/dangling")
    let directory = try Directory(folder.path)
    var found = [directory.find("none"), directory.find("file/none")]
    #expect(found == [.nothing, .nothing])
    found = [directory.find("file"), directory.find("inner")]
    #expect(found == [.other, .other])
    found = [directory.find("link"), directory.find("dangling")]
    #expect(found == [.link("inner/deep"), .link("nowhere")])
    let kinds = try [directory.status("file").kind, directory.status("inner").kind]
    #expect(kinds == [.regular, .directory])
    let deep = try directory.readContent("inner/deep", limit: 10)
    let linked = try directory.readContent("link", limit: 10)
    #expect(deep.bytes == [4] && linked.bytes == [4])
    #expect(deep.status == linked.status)
    #expect(!deep.hasChanged)
  }

  @Test func `a directory below another one is opened and listed`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFolder("inner")
    _ = try folder.write("inner/deep", [4])
    symlink("inner", folder.path + "/link")
    let directory = try Directory(folder.path)
    for name in ["inner", "link"] {
      let inner = try Directory(name, in: directory)
      let (listed, names) = try directory.list(name)
      #expect(names == ["deep"])
      let status = try inner.status()
      #expect(try listed == status && status == directory.status("inner"))
      #expect(try inner.readContent("deep", limit: 10).bytes == [4])
    }
    for name in ["inner/deep", "none"] {
      do throws(SystemError) {
        _ = try directory.list(name)
        Issue.record("\(name) was listed")
      } catch {
        #expect(error.isNotFound)
      }
      do throws(SystemError) {
        _ = try Directory(name, in: directory)
        Issue.record("\(name) was opened")
      } catch {
        #expect(error.isNotFound)
      }
    }
  }

  @Test func `anything but a directory, or nothing at all, is refused`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("file", [1])
    let directory = try Directory(folder.path)
    for name in ["none", "file"] {
      do throws(SystemError) {
        _ = try Directory(folder.path + "/" + name)
        Issue.record("\(name) was opened")
      } catch {
        #expect(error.isNotFound)
      }
    }
    do throws(SystemError) {
      _ = try directory.readContent("none", limit: 1)
      Issue.record("none was read")
    } catch {
      #expect(error.isNotFound)
    }
  }
}

@Suite struct ParallelTests {
  @Test(arguments: [0, 1, 7, 8, 9, 1_000], [1, 3])
  func `each slice is done once, and results keep their order`(count: Int, threads: Int) {
    let results = inParallel(count, slice: 8, threads: threads) { Array($0) }
    #expect(results.flatMap(\.self) == Array(0..<count))
    #expect(results.allSatisfy { (1...8).contains($0.count) })
  }
}
