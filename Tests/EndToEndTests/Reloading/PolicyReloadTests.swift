import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A change of `.aasa.json` alone counts at once, wherever it is.
@Suite("reload: policy", .manyAtOnce) struct PolicyReloadTests {
  @Test(
    arguments: ["domains/", "domains/a.example/", "domains/a.example/.well-known/"],
    ["auto", "poll"])
  func `what a new policy accepts is served, also when it is changed in place`(
    folder: String, watch: String
  ) throws {
    let workspace = try Workspace()
    let file =
      folder == "domains/" ? "domains/a.example.json" : folder + "apple-app-site-association"
    try workspace.write(file, association("A"))
    try workspace.write(folder + ".aasa.json", #"{"ignore": []}"#)
    try withServer(workspace, ["--watch", watch]) { server in
      // The policy, between the moment it is emptied and the next turn of this process.
      server.allow(stderr: ".aasa.json", "the file is empty")
      try workspace.write(file, "{}")
      server.expect(stderr: "a.example", "[A010]")
      #expect(try server.served("a.example") == association("A"))
      try workspace.overwrite(folder + ".aasa.json", #"{"ignore": ["A007", "A010", "A160"]}"#)
      let isServed = try eventually { try server.served("a.example") == "{}" }
      #expect(isServed)
    }
  }
}
