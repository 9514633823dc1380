#if DEBUG
  import CatalogSupport
  import JSON
  import Posix
  import Synchronization
  import TLS
  import TLSTestSupport
  import Testing

  @testable import Catalog
  @testable import Keeping
  @testable import Settings

  /// In a reload each file is parsed once, and a signed file is opened once.
  @Suite struct SingleReadingTests {
    private final class Counter: Sendable {
      private let count = Mutex(0)

      @Sendable func add() { count.withLock { $0 += 1 } }

      var value: Int { count.withLock { $0 } }
    }

    /// A file by which the app opens some links.
    private static let links =
      #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.a.b"],"components":[{"/":"/buy/*"}]}]}}"#

    private static func signed() -> [UInt8] {
      TestSignedMessage.der(Array(links.utf8), signers: [TestCertificate("a.test")])
    }

    /// Reads a folder, and counts what is parsed and what is opened meanwhile: by the thread that
    /// decides, and by the reader, which other threads run.
    private static func read(
      _ folder: TestFolder, _ change: (inout HostingOptions) -> Void = { _ in }
    ) throws -> (site: Site?, codes: [String], counts: [Int]) {
      let (parsed, opened) = (Counter(), Counter())
      var loader = DomainRunner(root: folder.path, change)
      let outcome = Document.observer.withValue(parsed.add) {
        CMS.observer.withValue(opened.add) { loader.scanAll() }
      }
      let entry = try #require(loader.items[.named("a.test")]?.entry)
      let directory = try Directory(folder.path)
      var task = DomainReader.Task(entry: entry)
      task.isSettled = true
      var policy: DomainReader.Policy? = .init()
      _ = Document.observer.withValue(parsed.add) {
        CMS.observer.withValue(opened.add) {
          loader.keeper.reader.answer(task, in: directory, &policy)
        }
      }
      return (loader.site("a.test"), outcome.codes, [parsed.value, opened.value])
    }

    @Test(arguments: HostingOptions.Minification.allCases)
    func `a plain file is parsed once`(minification: HostingOptions.Minification) throws {
      let folder = TestFolder()
      folder.write("a.test.json", Self.links)
      let (site, codes, counts) = try Self.read(folder) { $0.minification = minification }
      #expect(bodyText(site?.association) == Self.links)
      #expect(codes == [] && counts == [1, 0], "\(counts)")
    }

    @Test func `a signed file is opened once, and its content parsed once`() throws {
      let folder = TestFolder()
      let bytes = Self.signed()
      folder.write("a.test.json", bytes: bytes)
      let (site, codes, counts) = try Self.read(folder)
      #expect(site?.association.content?.identity.body == bytes)
      #expect(codes == [] && counts == [1, 1])
    }

    @Test func `an altered signed file is refused, and opened once`() throws {
      let folder = TestFolder()
      var bytes = Self.signed()
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Self.links.utf8) })
      bytes[start + 4] = UInt8(ascii: "q")
      folder.write("a.test.json", bytes: bytes)
      let (site, codes, counts) = try Self.read(folder)
      #expect(bodyText(site?.association) == "unavailable")
      #expect(codes == ["A193"] && counts == [1, 1])
    }

    @Test func `each other file is parsed once`() throws {
      let files = [
        "assetlinks.json": statements, "webauthn": #"{"origins":["https://a.test"]}"#,
        "passkey-endpoints": "{}", "nostr.json": "{}",
      ]
      for (name, text) in files {
        let folder = TestFolder()
        folder.write("a.test/.well-known/apple-app-site-association", Self.links)
        folder.write("a.test/.well-known/\(name)", text)
        let (_, codes, counts) = try Self.read(folder)
        #expect(codes == [] && counts == [2, 0], "\(name)")
      }
    }

    @Test(arguments: [false, true])
    func `a page makes no file read again`(isSigned: Bool) throws {
      let folder = TestFolder()
      folder.write("a.test.json", bytes: isSigned ? Self.signed() : Array(Self.links.utf8))
      folder.write("a.test.page.html", "<p>Get the app</p>")
      let (site, codes, counts) = try Self.read(folder)
      #expect(site?.opensApp?(Array("https://a.test/buy/x".utf8)) == true)
      #expect(codes == [] && counts == [1, isSigned ? 1 : 0])
    }
  }
#endif
