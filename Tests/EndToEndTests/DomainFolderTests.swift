import Foundation
import Testing

@Suite("domains folder")
struct DomainFolderTests {
  @Test func `one host, a wildcard and a default are served by their names`() throws {
    let workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
    try withServer(workspace) { server in
      try #expect(server.served("example.com") == association("A"))
    }
  }
}
